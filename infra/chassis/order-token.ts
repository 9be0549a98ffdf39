import { createHmac } from 'node:crypto';

const TOKEN_BYTES = 16;

/**
 * Token of an order's private link: HMAC-SHA256 of its id, cut to 128 bits. Services derive it, so no event carries
 * it; they store it too, so links survive a change of the secret.
 */
export const orderTokens =
  (secret: string) =>
  (orderId: string): string =>
    createHmac('sha256', secret)
      .update(`order ${orderId}`)
      .digest()
      .subarray(0, TOKEN_BYTES)
      .toString('base64url');

export type OrderTokens = ReturnType<typeof orderTokens>;
