import { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { amountMinor, instant, orderId, trees } from '@arboleda/contracts/fields.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { endOfDay, startOfDay } from '@arboleda/contracts/time-zone.ts';
import { z } from 'zod';
import type { Order } from './order.ts';
import { nameKeyOf } from './search.ts';

/** What an admin narrows the list by. */
export interface Filter {
  status?: OrderStatus | undefined;
  /** Words, all of which the order's ids, customer or references begin with. */
  q?: string | undefined;
  /** A day of the organisation, the whole of it, or an instant; both ends included. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface Range {
  /** ISO instants with milliseconds. */
  from?: string;
  /** Included. */
  to?: string;
  before?: string;
}

/** When orders were made that the filter finds. */
export const rangeOf = ({ from, to }: Filter): Range => ({
  ...(from !== undefined && { from: iso(startOfDay(from) ?? new Date(from)) }),
  ...(to !== undefined && endOf(to)),
});

function endOf(when: string): Range {
  const end = endOfDay(when);
  if (!end) return { to: iso(new Date(when)) };
  // Years of five digits are written otherwise, and no order is made in them.
  return end.getUTCFullYear() > 9999 ? {} : { before: iso(end) };
}

/** PostgreSQL knows no year 0, and no order is older than 1970. */
const iso = (date: Date): string => new Date(Math.max(0, date.getTime())).toISOString();

export type Sort = (typeof ORDER_SORTS)[number];
/** Where a page ended: the values that its last order is sorted by. */
export type Position = readonly (string | number)[];

/** Amounts are compared within their currency. */
export function positionOf(order: Order, sort: Sort): Position {
  const { _id, createdAt, trees, currency, amountMinor, updatedAt } = order;
  const values = {
    newest: [createdAt],
    oldest: [createdAt],
    trees: [trees],
    amount: [currency, amountMinor],
    name: [nameKeyOf(order)],
    changed: [updatedAt],
  } satisfies Record<Sort, Position>;
  return [...values[sort], _id];
}

/** What words find is counted up to so many: an exact count looks at each. */
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

/** Text that can be asked for: no control characters, no halves of characters. */
const text = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

const moment = instant.refine((at) => Date.parse(at) >= 0);

const POSITIONS = {
  newest: z.tuple([moment, orderId]),
  oldest: z.tuple([moment, orderId]),
  trees: z.tuple([trees, orderId]),
  amount: z.tuple([text, amountMinor, orderId]),
  name: z.tuple([text, orderId]),
  changed: z.tuple([moment, orderId]),
} satisfies Record<Sort, z.ZodType<Position>>;

const sealed = z.tuple([z.enum(ORDER_SORTS), z.array(z.unknown())]);

/** Where a page of a list ended, and how that list is sorted. Opaque to callers. */
export interface Cursor {
  sort: Sort;
  position: Position;
}

export const encodeCursor = ({ sort, position }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, position])).toString('base64url');

/**
 * @param sort what the caller asked for beside it, if anything.
 * @throws Problem `validation-failed` on `cursor` when it is none of ours, or of a list that is sorted otherwise.
 */
export function decodeCursor(cursor: string, sort: Sort | undefined): Cursor {
  const read = sealed.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  const found = read.data?.[0];
  const position = found && POSITIONS[found].safeParse(read.data![1]).data;
  if (!found || !position || (sort !== undefined && sort !== found)) throw fieldProblem('cursor', 'invalid');
  return { sort: found, position };
}

function parseJson(from: string): unknown {
  try {
    return JSON.parse(from);
  } catch {
    return undefined;
  }
}
