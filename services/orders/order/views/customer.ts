import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { buyerGiftView } from '../../gift/views.ts';
import type { Order } from '../order.ts';
import { certificateView, paymentOf } from './common.ts';
import { publicView } from './public.ts';

type CustomerOrder = ApiResponse<'GET /api/customers/orders'>['orders'][number];
type ExportedOrder = ApiResponse<'GET /api/customers/orders/export'>['orders'][number];

/** The buyer's view in the portal. */
export const customerView = (order: Order): CustomerOrder => ({
  ...publicView(order),
  ...paymentOf(order),
  customerName: order.customer.name,
  customerEmail: order.customer.email,
  certificate: order.certificate && certificateView(order.certificate),
  gift: order.gift && buyerGiftView(order),
});

type Place = ApiResponse<'GET /api/customers/orders/places'>['places'][number];

/** The pin of an order on the buyer's map; none without coordinates. */
export function placesOf(order: Order): Place[] {
  const { _id, shortId, token, trees, location, plantingDate, coordinates } = publicView(order);
  return coordinates ? [{ _id, shortId, token, trees, location, plantingDate, coordinates }] : [];
}

/** The buyer's export of all their data. */
export const exportView = (order: Order): ExportedOrder => ({
  ...customerView(order),
  customerPhone: order.customer.phone,
  customerCountry: order.customer.country,
  evidenceFiles: (order.manualPayment?.evidenceFiles ?? []).map(({ originalName, fileSize }) => ({
    originalName,
    fileSize,
  })),
  refunds: [order, ...own(order.growth)]
    .flatMap(({ refunds }) => refunds)
    .map(({ amountMinor, currency, reason, at }) => ({
      amount: amountMinor,
      currency,
      reason,
      at,
    })),
  growthPurchases: own(order.growth).map(({ photoPackageType, amountMinor, currency, purchasedAt }) => ({
    photoPackageType,
    amount: amountMinor,
    currency,
    purchasedAt,
  })),
});

/** Packages that a gift's recipient bought are theirs. */
const own = (growth: Order['growth']) => growth.filter(({ byRecipient }) => !byRecipient);
