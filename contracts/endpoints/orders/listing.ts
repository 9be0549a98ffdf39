import { z } from 'zod';
import { freeText, instant, orderStatus } from '../../fields.ts';

/**
 * newest, oldest: by the day of the order; trees: most first; amount: by currency (from Z to A), highest first; name:
 * of the customer, from A to Z; changed: what changed last first.
 */
export const ORDER_SORTS = ['newest', 'oldest', 'trees', 'amount', 'name', 'changed'] as const;

const day = z.iso.date();

/** What narrows down and sorts the admin's list, and what is exported of it. */
export const orderFilter = z.object({
  status: orderStatus.optional(),
  /** Words, all of which the order's ids, customer, reference or transaction begin with. */
  q: freeText(100).optional(),
  /** The first day, in the organisation's time zone, or instant of the orders. */
  from: z.union([day, instant]).optional(),
  /** The last day, the whole of it, or instant. */
  to: z.union([day, instant]).optional(),
  /** `newest` when not set; beside a cursor, that of the cursor. */
  sort: z.enum(ORDER_SORTS).optional(),
});
