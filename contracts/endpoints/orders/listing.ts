import { z } from 'zod';
import { freeText, id, instant, orderStatus } from '../../fields.ts';
import { GIFT_STATES } from '../../gift.ts';
import { MAX_CHOSEN } from '../../order.ts';

/**
 * newest, oldest: by order date; changed: latest change first; trees: most first; amount: by currency (Z to A), highest first; name: of the customer,
 * A to Z; worker: by the worker's name, orders without one first; region: A to Z, oldest first within one.
 */
export const ORDER_SORTS = [
  'newest',
  'oldest',
  'changed',
  'trees',
  'amount',
  'name',
  'worker',
  'region',
] as const;

const day = z.iso.date();
const yesOrNo = z.enum(['true', 'false']);

/** Filter and sort order of the admin's list and its export. */
export const orderFilter = z.object({
  status: orderStatus.optional(),
  /** Words; each must begin a part of the order's ids, customer, reference or transaction. */
  q: freeText(100).optional(),
  /** First day in the organization's time zone, or first instant. */
  from: z.union([day, instant]).optional(),
  /** Last day (inclusive) in the organization's time zone, or last instant. */
  to: z.union([day, instant]).optional(),
  /** A worker's id, or `none`. */
  worker: id.optional(),
  /** Region of the worker, or the one the buyer chose while there is none; accents and case do not matter. */
  region: freeText(100).optional(),
  method: z.enum(['card', 'transfer']).optional(),
  /** Whether any of the order's own money was refunded. */
  refunded: yesOrNo.optional(),
  /**
   * Whether an admin should look at it: a flagged photo without a decision, a dispute that is open or lost, or a report of a
   * former worker.
   */
  flagged: yesOrNo.optional(),
  /** Whether its donor withdraws and the money is not back yet. */
  withdrawal: yesOrNo.optional(),
  /** Gifts only: all, those in somebody's account, or those in one state. */
  gift: z.enum(['any', 'claimed', ...GIFT_STATES]).optional(),
  /** Instants of the assignment; both bounds inclusive. */
  assignedFrom: instant.optional(),
  assignedTo: instant.optional(),
  /** Only these orders: ids separated by commas. */
  ids: z
    .string()
    .regex(new RegExp(`^[0-9a-f]{24}(,[0-9a-f]{24}){0,${MAX_CHOSEN - 1}}$`))
    .optional(),
  /** `newest` by default; with a cursor, the cursor's order. */
  sort: z.enum(ORDER_SORTS).optional(),
});
