import { randomBytes, randomUUID } from 'node:crypto';

/** Names of a payment and of the order it will become. The token is 128 random bits: whoever has it may look. */
export const newIds = () => ({
  paymentId: randomUUID(),
  orderId: randomBytes(12).toString('hex'),
  orderToken: randomBytes(16).toString('base64url'),
});
