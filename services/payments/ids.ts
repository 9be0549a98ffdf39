import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Purchase } from './payment.ts';

/** Names of a payment and of the order it will become. The token is 128 random bits: whoever has it may look. */
export type Ids = Pick<Purchase, 'paymentId' | 'orderId' | 'orderToken'>;

export const newIds = (): Ids => ({
  paymentId: randomUUID(),
  orderId: randomBytes(12).toString('hex'),
  orderToken: newToken(),
});

/** The same names for the same words, so that what is asked for again is the same to Stripe; the token is a new one all the same. */
export function idsOf(words: string): Ids {
  const hash = createHash('sha256').update(words).digest();
  return {
    paymentId: uuidOf(hash.subarray(0, 16)),
    orderId: hash.subarray(16, 28).toString('hex'),
    orderToken: newToken(),
  };
}

const newToken = () => randomBytes(16).toString('base64url');

/** RFC 9562, version 8: 122 bits that are ours to choose. */
function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes);
  own[6] = (own[6]! & 0x0f) | 0x80;
  own[8] = (own[8]! & 0x3f) | 0x80;
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
