import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { isPaid, type Order } from '../order/order.ts';
import type { TimelineType } from '../order/timeline.ts';
import { publicView } from '../order/views/public.ts';
import type { OrderGift } from './order-gift.ts';

type ReceivedGift = ApiResponse<'GET /api/gifts/{token}'>;

/** Lines about the buyer's money or photo packages. */
const MONEY: ReadonlySet<string> = new Set<TimelineType>([
  'paid',
  'submitted',
  'approved',
  'rejected',
  'refunded',
  'refund_failed',
  'growth_bought',
]);

/** Shows the recipient no amounts, no address, and only the first name of the buyer. */
export function receivedGiftView(order: Order, gift: OrderGift): ReceivedGift {
  const view = publicView(order);
  const { shortId, status, trees, assignedDate, plantingDate, photoDate, completionDate } = view;
  const { assignedWorker, location, coordinates, photos, growth, certificate, withdrawn } = view;
  return {
    shortId,
    status,
    trees,
    assignedDate,
    plantingDate,
    photoDate,
    completionDate,
    assignedWorker,
    location,
    coordinates,
    photos,
    growth: growth?.map(({ photoPackageType, purchasedAt, completedAt, stoppedAt, visits }) => ({
      photoPackageType,
      purchasedAt,
      completedAt,
      stoppedAt,
      visits,
    })),
    certificate,
    withdrawn,
    timeline: view.timeline.filter(({ type }) => !MONEY.has(type)),
    token: gift.token,
    ...(!isErased(order.customer.email) && { from: view.customerName }),
    recipientName: gift.recipientName,
    message: gift.message,
    card: gift.card,
    language: gift.language,
    ...(gift.claim && { claimedAt: gift.claim.at }),
    ...(gift.thanks && { thankedAt: gift.thanks.at }),
    ...(!isPaid(order) && { unpaid: true as const }),
    ...(order.isGivenBack && { refunded: true as const }),
  };
}

/** For the account that has the gift. */
export const ownGiftView = (order: Order): ReceivedGift => ({
  ...receivedGiftView(order, order.gift!),
  _id: order.id,
});
