import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { amountMinor, currency, instant } from '../../fields.ts';

const count = z.int().min(0);

/** Orders that wait for somebody, and since when the first of them. */
const queue = z.object({
  orders: count,
  oldestAt: instant.optional(),
  oldestAgeHours: count.optional(),
});

/** Figures about orders. */
export const ordersFiguresEndpoints = {
  'GET /api/stats': endpoint({
    service: 'orders',
    summary: 'How many trees were planted, paid and photographed; a few seconds old at most',
    access: 'public',
    cache: { seconds: 5, by: 'anybody' },
    response: z.object({
      /** Trees of paid orders that are planted or completed, on top of the configured baseline. */
      treesPlanted: count,
      /** The same without the baseline: each of them belongs to an order. */
      planted: count,
      /** Trees of all paid orders, planted or not. */
      funded: count,
      /** Trees of paid orders of which at least one photo can be seen. */
      photographed: count,
      /** floor(treesPlanted / 100) + 3, as the product spec says. */
      hectares: count,
    }),
  }),
  'GET /api/admin/overview': endpoint({
    service: 'orders',
    summary: 'What came in on the last days (of Colombia), and what waits for somebody',
    access: ['admin'],
    query: z.object({ days: z.coerce.number().int().min(1).max(92).default(30) }),
    response: z.object({
      asOf: instant,
      /** Oldest first, today last, quiet days too. Orders whose money came, refunded or not. */
      days: z.array(
        z.object({
          day: z.iso.date(),
          orders: count,
          trees: count,
          /** Minor units; `refunded` is what was given back of that day's orders until now, `lost` what banks took back. */
          amounts: z.array(
            z.object({ currency, amount: amountMinor, refunded: amountMinor, lost: amountMinor }),
          ),
        }),
      ),
      /** Transfers whose money was not looked for yet. */
      transfers: queue,
      /** Paid orders that nobody plants yet. */
      waitingForWorker: queue,
      /** Orders that are assigned and not planted, by days since they were assigned; the last group has no end. */
      notPlanted: z.array(z.object({ fromDays: count, toDays: count.optional(), orders: count })),
      /** Events that a service could not handle, of all services. */
      deadLetters: count,
    }),
  }),
};
