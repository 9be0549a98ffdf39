import { createHmac } from 'node:crypto';

const TOKEN_BYTES = 16;

/**
 * The private link of an order: an HMAC of its id by ORDER_TOKEN_SECRET, cut to 128 bits. Payments, orders and notifications
 * work it out for themselves, so that no event carries it; each keeps it beside the order, and links outlive the secret.
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
