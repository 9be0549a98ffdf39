import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { amountMinor, currency, instant, orderId, orderStatus } from '../../fields.ts';

const count = z.int().min(0);

/** Number of waiting orders, and when the first began to wait. */
const queue = z.object({
  orders: count,
  oldestAt: instant.optional(),
  oldestAgeHours: count.optional(),
});

/** Minor units; `refunded` is what was refunded so far of that day's sales, `lost` what lost disputes took. */
const amounts = z.array(
  z.object({ currency, amount: amountMinor, refunded: amountMinor, lost: amountMinor }),
);

/** Statistics of orders. */
export const ordersFiguresEndpoints = {
  'GET /api/stats': endpoint({
    service: 'orders',
    summary: 'How many trees were planted, paid and photographed; a few seconds old at most',
    access: 'public',
    cache: { seconds: 5, by: 'anybody' },
    response: z.object({
      /** Trees of paid orders that are planted or completed, plus the configured baseline. */
      treesPlanted: count,
      /** The same without the baseline, so each tree belongs to an order. */
      planted: count,
      /** Trees of all paid orders, planted or not. */
      funded: count,
      /** Trees of paid orders with at least one visible photo. */
      photographed: count,
      /** floor(treesPlanted / 100) + 3: product spec. */
      hectares: count,
    }),
  }),
  'GET /api/admin/overview': endpoint({
    service: 'orders',
    summary: 'What came in on the last days (of Colombia), and what waits for somebody',
    access: ['admin'],
    permission: 'figures:read',
    query: z.object({ days: z.coerce.number().int().min(1).max(92).default(30) }),
    response: z.object({
      asOf: instant,
      /** Oldest first, ending today, with empty days. Counts paid orders, refunded or not. */
      days: z.array(
        z.object({
          day: z.iso.date(),
          orders: count,
          trees: count,
          /** Of trees. */
          amounts,
          /** Money of the photo packages bought that day. */
          packageAmounts: amounts,
        }),
      ),
      transfers: queue,
      /** Withdrawals whose money is not back yet. `overdue`: past their deadline; `nextBy`: the first deadline. */
      withdrawals: queue.extend({ nextBy: instant.optional(), overdue: count }),
      waitingForWorker: queue,
      /** Orders assigned but not planted, by days since assignment; the last group has no upper bound. */
      notPlanted: z.array(z.object({ fromDays: count, toDays: count.optional(), orders: count })),
      /** Steps that former workers reported of orders that are not planted yet. */
      reports: z.array(
        z.object({ orderId, shortId: z.string(), worker: z.string(), step: orderStatus, at: instant }),
      ),
      deadLetters: count,
    }),
  }),
  'GET /api/admin/dead-letters': endpoint({
    service: 'orders',
    summary: 'Events that a service could not handle, oldest first; the first hundred',
    access: ['admin'],
    permission: 'figures:read',
    response: z.object({
      deadLetters: z.array(
        z.object({
          id: z.string(),
          /** Consumer group that gave the event up: the service's name. */
          service: z.string(),
          /** "payment.succeeded"; "unreadable" when the message has no type. */
          event: z.string(),
          orderId: orderId.optional(),
          shortId: z.string().optional(),
          failedAt: instant,
        }),
      ),
    }),
  }),
};
