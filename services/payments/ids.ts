import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Purchase } from './payment.ts';

/** Names of a payment and of the order it will become. Whoever has the token may look. */
export type Ids = Pick<Purchase, 'paymentId' | 'orderId' | 'orderToken'>;

export function newIds(tokenOf: OrderTokens): Ids {
  const orderId = randomBytes(12).toString('hex');
  return { paymentId: randomUUID(), orderId, orderToken: tokenOf(orderId) };
}

/** The same names for the same words, so that what is asked for again is the same to Stripe. */
export function idsOf(words: string, tokenOf: OrderTokens): Ids {
  const hash = createHash('sha256').update(words).digest();
  const orderId = hash.subarray(16, 28).toString('hex');
  return { paymentId: uuidOf(hash.subarray(0, 16)), orderId, orderToken: tokenOf(orderId) };
}

/** RFC 9562, version 8: 122 bits that are ours to choose. */
function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes);
  own[6] = (own[6]! & 0x0f) | 0x80;
  own[8] = (own[8]! & 0x3f) | 0x80;
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
