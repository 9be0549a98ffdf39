import { createHmac } from 'node:crypto';

const TOKEN_BYTES = 16;

/**
 * Token of an order's private link: HMAC-SHA256 of its id, cut to 128 bits. Services derive it, so no event carries
 * it; they store it too, so links survive a change of the secret.
 */
export const orderTokens =
  (secret: string) =>
  (orderId: string): string =>
    derived(secret, `order ${orderId}`);

export type OrderTokens = ReturnType<typeof orderTokens>;

/** Token of the page of a gift's recipient. Each address gets a link of its own, by its number. */
export const giftTokens =
  (secret: string) =>
  (orderId: string, link: number): string =>
    derived(secret, `gift ${orderId} ${link}`);

export type GiftTokens = ReturnType<typeof giftTokens>;

const derived = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest().subarray(0, TOKEN_BYTES).toString('base64url');
