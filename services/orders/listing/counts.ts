import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';

/** What words find is counted up to so many, however many they find: an exact count looks at each. */
export const COUNTED_TO = 200;

export interface Counted {
  counts: Record<'all' | OrderStatus, number>;
  /** There are more, so all figures are the least that there are. */
  countsAtLeast?: true;
}

/** @param counted of each status @param upTo how many there were looked for at most, less the one that tells of more */
export function countsOf(counted: Record<string, number>, upTo = Infinity): Counted {
  const counts = Object.fromEntries(ORDER_STATUSES.map((status) => [status, counted[status] ?? 0])) as Record<
    OrderStatus,
    number
  >;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { counts: { all: Math.min(all, upTo), ...counts }, ...(all > upTo && { countsAtLeast: true }) };
}
