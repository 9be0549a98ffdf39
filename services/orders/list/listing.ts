import { ORDER_SORTS, type orderFilter } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { amountMinor, instant, orderId, trees } from '@arboleda/contracts/fields.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { endOfDay, startOfDay } from '@arboleda/contracts/time-zone.ts';
import { z } from 'zod';
import type { Order } from '../order/order.ts';
import { nameKeyOf, regionKeyOf, workerKeyOf } from '../order/search.ts';

/** Bounds of the admin's list. */
export type Filter = Omit<z.infer<typeof orderFilter>, 'sort'>;

export interface Range {
  /** ISO instants with milliseconds. */
  from?: string;
  /** Inclusive. */
  to?: string;
  before?: string;
}

/** The range of creation times of a filter. */
export const rangeOf = ({ from, to }: Filter): Range => ({
  ...(from !== undefined && { from: iso(startOfDay(from) ?? new Date(from)) }),
  ...(to !== undefined && endOf(to)),
});

function endOf(when: string): Range {
  const end = endOfDay(when);
  if (!end) return { to: iso(new Date(when)) };
  // ISO dates with five-digit years are written differently; no order has one.
  return end.getUTCFullYear() > 9999 ? {} : { before: iso(end) };
}

/** PostgreSQL has no year 0, and no order is older than 1970. */
const iso = (date: Date): string => new Date(Math.max(0, date.getTime())).toISOString();
export const storedInstant = (instant: string): string => iso(new Date(instant));

export type Sort = (typeof ORDER_SORTS)[number];
/** Position of a page: the sort values of its last order. */
export type Position = readonly (string | number)[];

/** Amounts are compared within their currency. */
export function positionOf(order: Order, sort: Sort): Position {
  const { id, createdAt, trees, currency, amountMinor, updatedAt } = order;
  const values = {
    newest: [createdAt],
    oldest: [createdAt],
    trees: [trees],
    amount: [currency, amountMinor],
    name: [nameKeyOf(order)],
    worker: [workerKeyOf(order)],
    region: [regionKeyOf(order), createdAt],
    changed: [updatedAt],
  } satisfies Record<Sort, Position>;
  return [...values[sort], id];
}

/** Orders that words or filters find are counted up to this bound, as an exact count reads each. */
export const COUNTED_TO = 200;

export interface Counted {
  counts: Record<'all' | OrderStatus, number>;
  /** Set when the counts are lower bounds. */
  countsAtLeast?: true;
}

/** @param counted by status @param upTo the largest exact count */
export function countsOf(counted: Record<string, number>, upTo = Infinity): Counted {
  const counts = Object.fromEntries(ORDER_STATUSES.map((status) => [status, counted[status] ?? 0])) as Record<
    OrderStatus,
    number
  >;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { counts: { all: Math.min(all, upTo), ...counts }, ...(all > upTo && { countsAtLeast: true }) };
}

/** Valid search text: no control characters, no lone surrogates. */
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
  worker: z.tuple([text, orderId]),
  region: z.tuple([text, moment, orderId]),
  changed: z.tuple([moment, orderId]),
} satisfies Record<Sort, z.ZodType<Position>>;

const sealed = z.tuple([z.enum(ORDER_SORTS), z.array(z.unknown())]);

/** Position of a page and the sort order of its list. Opaque to callers. */
export interface Cursor {
  sort: Sort;
  position: Position;
}

export const encodeCursor = ({ sort, position }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, position])).toString('base64url');

/**
 * @param sort the requested sort order, if any
 * @throws Problem `validation-failed` on `cursor` when it is invalid or belongs to another sort order
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
