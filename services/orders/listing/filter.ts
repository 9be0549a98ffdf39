import type { Where } from '@arboleda/chassis/ports/documents.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { endOfDay, startOfDay } from '@arboleda/contracts/time-zone.ts';
import { wordsSought } from '../store/words.ts';

/** What an admin narrows the list by. */
export interface Filter {
  status?: OrderStatus | undefined;
  /** Words, all of which the order's ids, customer or references begin with. */
  q?: string | undefined;
  /** A day of the organisation, the whole of it, or an instant; both ends included. */
  from?: string | undefined;
  to?: string | undefined;
}

const isDay = (when: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(when);

/** Only orders whose money is there are in any list. */
export function whereOf({ status, q, from, to }: Filter): Where {
  const words = q === undefined ? [] : wordsSought(q);
  const created = { ...(from !== undefined && { gte: iso(from) }), ...(to !== undefined && upTo(to)) };
  return {
    unpaid: { exists: false },
    ...(status && { 'progress.status': status }),
    ...(words.length > 0 && { words: { all: words } }),
    ...(Object.keys(created).length > 0 && { createdAt: created }),
  };
}

/** Instants are kept with milliseconds, and compared as they are written. */
const iso = (when: string): string => (startOfDay(when) ?? new Date(when)).toISOString();

function upTo(when: string): { lt: string } | { lte: string } | undefined {
  if (!isDay(when)) return { lte: iso(when) };
  const end = endOfDay(when)!;
  // No order is made in a year of five digits, and such a year would sort before all others.
  return end.getUTCFullYear() > 9999 ? undefined : { lt: end.toISOString() };
}
