import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  amountMinor,
  coordinates,
  currency,
  cursor,
  instant,
  language,
  orderId,
  pageLimit,
  photoPackageType,
} from '../../fields.ts';
import { receivedGift } from './gifts.ts';
import { customerOrder, listedOrder } from './views.ts';

const count = z.int().min(0);

/** Everything stored about a customer's order, for the customer's own export. */
const exportedOrder = customerOrder.extend({
  withdrawal: listedOrder.shape.withdrawal,
  customerPhone: z.string().optional(),
  customerCountry: z.string().optional(),
  evidenceFiles: z.array(z.object({ originalName: z.string(), fileSize: count })),
  refunds: z.array(z.object({ amount: amountMinor, currency, reason: z.string(), at: instant })),
  growthPurchases: z.array(
    z.object({ photoPackageType, amount: amountMinor, currency, purchasedAt: instant }),
  ),
});

export const ordersCustomerEndpoints = {
  'GET /api/customers/orders': endpoint({
    service: 'orders',
    summary:
      'One’s own orders, newest first: those of the account’s address, once it is verified. Transfers whose money was ' +
      'not found yet are among them, with their verification status',
    access: ['customer'],
    query: z.object({
      limit: pageLimit(100),
      /** `nextCursor` of the page before. */
      cursor: cursor.optional(),
    }),
    response: z.object({
      orders: z.array(customerOrder),
      nextCursor: z.string().optional(),
      emailVerified: z.boolean(),
      /**
       * Totals over all own orders, whatever the page. Rejected transfers and orders refunded before planting do not
       * count.
       */
      stats: z.object({
        totalTrees: count,
        totalOrders: count,
        /** Trees of planted and completed orders whose payment was received. */
        treesPlanted: count,
        /** kg of CO₂ a year: 22 for each planted tree. */
        carbonOffset: count,
      }),
    }),
  }),
  'GET /api/customers/orders/places': endpoint({
    service: 'orders',
    summary: 'Where the trees of one’s own orders stand, for one map; of the latest thousand orders',
    access: ['customer'],
    response: z.object({
      places: z.array(
        customerOrder
          .pick({ _id: true, shortId: true, token: true, trees: true, location: true, plantingDate: true })
          .extend({ coordinates }),
      ),
    }),
  }),
  'GET /api/customers/orders/export': endpoint({
    service: 'orders',
    summary: 'All own orders and received gifts with all that is kept of the customer in them',
    access: ['customer'],
    response: z.object({
      exportedAt: instant,
      orders: z.array(exportedOrder),
      /** In one's account, or sent to its verified address. */
      gifts: z.array(receivedGift),
    }),
    limit: { max: 10, windowSeconds: 60 },
  }),
  'GET /api/customers/orders/{id}/receipt': endpoint({
    service: 'orders',
    summary:
      'The receipt of an own order whose money came, as PDF; in the order’s language unless another is asked for',
    access: ['customer'],
    params: z.object({ id: orderId }),
    query: z.object({ language: language.optional() }),
    binary: 'application/pdf',
    problems: ['not-found'],
    limit: { max: 30, windowSeconds: 60 },
  }),
};
