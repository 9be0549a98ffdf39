import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import type { OrderStore } from '../store.ts';
import { dayInColombia } from './kept.ts';

export type Overview = ApiResponse<'GET /api/admin/overview'>;

const DAY_MS = 86_400_000;
/** Ages of what is assigned and not planted, days. */
const AGE_LIMITS = [0, 3, 7, 14, 30] as const;

/** The desk's day: what came in, and what waits for somebody. Every query is bounded by days or by an index. */
export async function readOverview(
  store: OrderStore,
  options: { days: number; now: Date; deadLetters: () => Promise<number> },
): Promise<Overview> {
  const { days: count, now } = options;
  const days = lastDays(now, count);
  const [sold, transfers, waitingForWorker, notPlanted, deadLetters] = await Promise.all([
    readSold(store, days[0]!),
    readQueue(store, { 'figures.standing': 'awaiting', 'progress.status': 'pending' }, now),
    readQueue(store, { 'figures.standing': 'paid', 'progress.status': 'pending' }, now),
    readNotPlanted(store, now),
    options.deadLetters(),
  ]);
  return {
    asOf: now.toISOString(),
    days: days.map((day) => soldOn(day, sold)),
    transfers,
    waitingForWorker,
    notPlanted,
    deadLetters,
  };
}

/** The last `count` days in Colombia, today the last. */
export const lastDays = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    dayInColombia(new Date(now.getTime() - (count - 1 - at) * DAY_MS)),
  );

export interface Sold {
  orders: Record<string, number>;
  trees: Record<string, number>;
  /** By "2026-11-21 COP". */
  amounts: Record<string, number>;
  refunded: Record<string, number>;
}

async function readSold({ orders }: OrderStore, firstDay: string): Promise<Sold> {
  const where = { 'figures.day': { gte: firstDay }, 'figures.standing': { in: ['paid', 'withdrawn'] } };
  const [byDay, trees, amounts, refunded] = await Promise.all([
    orders.countBy('figures.day', where),
    orders.sumBy('trees', 'figures.day', where),
    orders.sumBy('amountMinor', 'figures.dayCurrency', where),
    orders.sumBy('refundedMinor', 'figures.dayCurrency', where),
  ]);
  return { orders: byDay, trees, amounts, refunded };
}

export function soldOn(day: string, sold: Sold): Overview['days'][number] {
  const amounts = Object.entries(sold.amounts)
    .filter(([key]) => key.startsWith(`${day} `))
    .map(([key, amount]) => ({
      currency: key.slice(day.length + 1) as Currency,
      amount,
      refunded: sold.refunded[key] ?? 0,
    }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
  return { day, orders: sold.orders[day] ?? 0, trees: sold.trees[day] ?? 0, amounts };
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

const readNotPlanted = ({ orders }: OrderStore, now: Date) =>
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
