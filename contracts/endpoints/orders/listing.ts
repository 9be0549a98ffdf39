import { z } from 'zod';
import { freeText, instant, orderStatus } from '../../fields.ts';

/**
 * newest, oldest: by order date; trees: most first; amount: by currency (Z to A), highest first; name: of the customer,
 * A to Z; changed: latest change first.
 */
export const ORDER_SORTS = ['newest', 'oldest', 'trees', 'amount', 'name', 'changed'] as const;

const day = z.iso.date();

/** Filter and sort order of the admin's list and its export. */
export const orderFilter = z.object({
  status: orderStatus.optional(),
  /** Words; each must begin a part of the order's ids, customer, reference or transaction. */
  q: freeText(100).optional(),
  /** First day in the organization's time zone, or first instant. */
  from: z.union([day, instant]).optional(),
  /** Last day (inclusive) in the organization's time zone, or last instant. */
  to: z.union([day, instant]).optional(),
  /** `newest` by default; with a cursor, the cursor's order. */
  sort: z.enum(ORDER_SORTS).optional(),
});
