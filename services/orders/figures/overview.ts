import type { Figures } from '@arboleda/chassis/ports/documents.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import type { OrderStore } from '../store.ts';

export type Overview = ApiResponse<'GET /api/admin/overview'>;

const DAY_MS = 86_400_000;
/** Ages of what is assigned and not planted, days. */
const AGE_LIMITS = [0, 3, 7, 14, 30] as const;

/**
 * The desk's day: what came in, and what waits for somebody. Every query is bounded by days or by an index.
 * @param options.notPlanted see `readNotPlanted`
 */
export async function readOverview(
  store: OrderStore,
  options: {
    days: number;
    now: Date;
    notPlanted: () => Promise<Overview['notPlanted']>;
    deadLetters: () => Promise<number>;
  },
): Promise<Overview> {
  const { days: count, now } = options;
  const days = lastDays(now, count);
  const [sold, transfers, waitingForWorker, notPlanted, deadLetters] = await Promise.all([
    readSold(store, days[0]!),
    readQueue(store, { 'figures.standing': 'awaiting', 'progress.status': 'pending' }, now),
    readQueue(store, { 'figures.standing': 'paid', 'progress.status': 'pending' }, now),
    options.notPlanted(),
    options.deadLetters(),
  ]);
  return {
    asOf: now.toISOString(),
    days: soldOn(days, sold),
    transfers,
    waitingForWorker,
    notPlanted,
    deadLetters,
  };
}

/** The last `count` days of the organisation, today the last. */
export const lastDays = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)));

/** By "2026-11-21 COP". */
export type Sold = Record<string, Figures<'trees' | 'amountMinor' | 'refundedMinor' | 'lostMinor'>>;

const readSold = ({ orders }: OrderStore, firstDay: string): Promise<Sold> =>
  orders.figuresBy('figures.dayCurrency', ['trees', 'amountMinor', 'refundedMinor', 'lostMinor'], {
    'figures.day': { gte: firstDay },
    'figures.standing': { in: ['paid', 'withdrawn'] },
  });

/** @param days in the order that is wanted */
export function soldOn(days: readonly string[], sold: Sold): Overview['days'] {
  const sorted = Object.entries(sold).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const found = Map.groupBy(sorted, ([key]) => key.split(' ', 1)[0]!);
  const sumOf = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0);
  return days.map((day) => {
    const of = found.get(day) ?? [];
    return {
      day,
      orders: sumOf(of.map(([, { count }]) => count)),
      trees: sumOf(of.map(([, { sums }]) => sums.trees)),
      amounts: of.map(([key, { sums }]) => ({
        currency: key.slice(day.length + 1) as Currency,
        amount: sums.amountMinor,
        refunded: sums.refundedMinor,
        lost: sums.lostMinor,
      })),
    };
  });
}

/** How many wait, and since when. */
async function readQueue({ orders }: OrderStore, where: Record<string, string>, now: Date) {
  const [count, [oldest]] = await Promise.all([
    orders.count(where),
    orders.find({ where, sort: [{ field: 'createdAt', direction: 'asc' }, { field: '_id', direction: 'asc' }], limit: 1 }),
  ]); // prettier-ignore
  if (!oldest) return { orders: count };
  const oldestAgeHours = Math.max(0, Math.floor((now.getTime() - Date.parse(oldest.createdAt)) / 3_600_000));
  return { orders: count, oldestAt: oldest.createdAt, oldestAgeHours };
}

/** How many are assigned and not planted, by how long ago they were. */
export const readNotPlanted = ({ orders }: OrderStore, now: Date): Promise<Overview['notPlanted']> =>
  Promise.all(
    AGE_LIMITS.map(async (fromDays, at) => {
      const toDays = AGE_LIMITS[at + 1];
      const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
      const assignedAt = {
        // Clocks differ a little: what was assigned "later" is of today.
        ...(fromDays > 0 && { lte: ago(fromDays) }),
        ...(toDays !== undefined && { gt: ago(toDays) }),
      };
      const where = { 'figures.standing': 'paid', 'progress.status': 'assigned' };
      const count = await orders.count({ ...where, 'progress.assignedAt': assignedAt });
      return { fromDays, ...(toDays !== undefined && { toDays }), orders: count };
    }),
  );
