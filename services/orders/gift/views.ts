import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { isPaid, type Order } from '../order/order.ts';
import type { OrderGift } from './order-gift.ts';

type BuyerGift = ApiResponse<'POST /api/track/{token}/gift'>['gift'];

const firstName = (name: string): string => name.trim().split(/\s+/)[0]!;

/** By the private link, which gets shared. */
export const publicGiftView = (gift: OrderGift) => ({
  state: gift.state,
  card: gift.card,
  recipientName: firstName(gift.recipientName),
  deliverOn: gift.deliverOn,
  timeZone: gift.timeZone,
  byHand: gift.recipientEmail === null,
  ...(gift.sentAt !== undefined && { sentAt: gift.sentAt }),
  ...(gift.claim && { claimedAt: gift.claim.at }),
  ...(gift.erasedAt !== undefined && { erased: true as const }),
});

/** For admins. */
export const adminGiftView = (gift: OrderGift): BuyerGift => ({
  ...publicGiftView(gift),
  recipientName: gift.recipientName,
  recipientEmail: gift.recipientEmail,
  message: gift.message,
  language: gift.language,
  deliverAt: gift.deliverAt,
  ...(gift.thanks && { thanks: gift.thanks }),
});

export const giftPath = (token: string): string => `/g/${token}`;

/** For the buyer, who may hand a paid gift over. */
export function buyerGiftView(order: Order): BuyerGift {
  const gift = order.gift!;
  const isToHandOver =
    gift.recipientEmail === null &&
    isPaid(order) &&
    gift.state !== 'cancelled' &&
    gift.erasedAt === undefined;
  return { ...adminGiftView(gift), ...(isToHandOver && { path: giftPath(gift.token) }) };
}
