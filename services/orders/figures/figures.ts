import type { DeadLetter } from '@arboleda/chassis/ports/event-bus.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { orderId } from '@arboleda/contracts/fields.ts';
import { CARBON_KG_PER_TREE_YEAR, shortId } from '@arboleda/contracts/order.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { openReports, type Order } from '../order/order.ts';
import type { OrderFigures, Sold, SoldPackages } from './store.ts';

export type Stats = ApiResponse<'GET /api/stats'>;
export type Overview = ApiResponse<'GET /api/admin/overview'>;
export type DeadLetters = ApiResponse<'GET /api/admin/dead-letters'>;

/** Orders listed at once; others follow when these are planted. */
const MOST_REPORTED = 50;
const MOST_DEAD_LETTERS = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Buckets for the age of assigned, unplanted orders; days. */
const AGES = [0, 3, 7, 14, 30] as const;

/** The public counter. @param baselineTrees planted before this software counted them */
export async function readStats(
  store: Pick<OrderFigures, 'paidTrees'>,
  baselineTrees: number,
): Promise<Stats> {
  const { funded, planted, photographed } = await store.paidTrees();
  const treesPlanted = baselineTrees + planted;
  return { treesPlanted, planted, funded, photographed, hectares: hectaresOf(treesPlanted) };
}

/** Product spec section 9. */
const hectaresOf = (trees: number): number => Math.floor(trees / 100) + 3;

/** For customers without orders or without a verified address. */
export const NO_STATS = { totalTrees: 0, totalOrders: 0, treesPlanted: 0, carbonOffset: 0 };

/**
 * A customer's tiles. Ordered counts paid and submitted orders, not rejected or withdrawn ones; planted
 * counts paid trees in the ground (product spec section 4).
 */
export async function readCustomerStats(store: OrderFigures, emailKey: string): Promise<typeof NO_STATS> {
  const { orders, trees, planted } = await store.customerTotals(emailKey);
  return {
    totalTrees: trees,
    totalOrders: orders,
    treesPlanted: planted,
    carbonOffset: CARBON_KG_PER_TREE_YEAR * planted,
  };
}

/**
 * The admin's overview: sales and open work.
 * @param options.notPlanted see `readNotPlanted`
 */
export async function readOverview(
  store: OrderFigures,
  options: {
    days: number;
    now: Date;
    notPlanted: () => Promise<Overview['notPlanted']>;
    deadLetters: () => Promise<number>;
  },
): Promise<Overview> {
  const { days: count, now } = options;
  const days = lastDays(now, count);
  const [sold, packages, reported, transfers, withdrawals, waitingForWorker, notPlanted, deadLetters] =
    await Promise.all([
      store.soldSince(days[0]!),
      store.packagesSoldSince(days[0]!),
      store.reported(MOST_REPORTED),
      readQueue(store, 'awaiting', now),
      readWithdrawals(store, now),
      readQueue(store, 'paid', now),
      options.notPlanted(),
      options.deadLetters(),
    ]);
  return {
    asOf: now.toISOString(),
    days: soldOn(days, sold, packages),
    transfers,
    withdrawals,
    waitingForWorker,
    notPlanted,
    reports: reported.flatMap(reportsOf),
    deadLetters,
  };
}

const reportsOf = (order: Order): Overview['reports'] =>
  openReports(order).map(({ at, by, to }) => ({
    orderId: order.id,
    shortId: shortId(order.id),
    worker: by.name ?? '',
    step: to,
    at,
  }));

/** Without the error and the event's data, which may hold what customers typed. */
export const listDeadLetters = (letters: readonly DeadLetter[]): DeadLetters => ({
  deadLetters: letters.slice(0, MOST_DEAD_LETTERS).map(({ id, group, event, failedAt }) => {
    // An unreadable message may be any value.
    const { type, data } = (event ?? {}) as { type?: unknown; data?: { orderId?: unknown } | null };
    const named = orderId.safeParse(data?.orderId);
    return {
      id,
      service: group,
      event: typeof type === 'string' ? type : 'unreadable',
      ...(named.success && { orderId: named.data, shortId: shortId(named.data) }),
      failedAt,
    };
  }),
});

/** The last `count` days in the organisation's time zone, ending today. */
export const lastDays = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)));

/** @param days in the order of the result */
export function soldOn(
  days: readonly string[],
  sold: readonly Sold[],
  packages: readonly SoldPackages[],
): Overview['days'] {
  const found = Map.groupBy(sold, ({ day }) => day);
  const foundPackages = Map.groupBy(packages, ({ day }) => day);
  return days.map((day) => {
    const of = found.get(day) ?? [];
    return {
      day,
      orders: of.reduce((sum, { orders }) => sum + orders, 0),
      trees: of.reduce((sum, { trees }) => sum + trees, 0),
      amounts: of.map(amountOf),
      packageAmounts: (foundPackages.get(day) ?? []).map(amountOf),
    };
  });
}

const amountOf = ({ currency, amountMinor, refundedMinor, lostMinor }: SoldPackages) => ({
  currency,
  amount: amountMinor,
  refunded: refundedMinor,
  lost: lostMinor,
});

async function readQueue(store: OrderFigures, standing: 'awaiting' | 'paid', now: Date) {
  return aged(await store.waiting(standing), now);
}

async function readWithdrawals(store: OrderFigures, now: Date): Promise<Overview['withdrawals']> {
  const { overdue, nextBy, ...waiting } = await store.openWithdrawals(now.toISOString());
  return { ...aged(waiting, now), overdue, ...(nextBy !== undefined && { nextBy }) };
}

function aged({ orders, oldestAt }: { orders: number; oldestAt?: string }, now: Date) {
  if (oldestAt === undefined) return { orders };
  const ageMs = now.getTime() - Date.parse(oldestAt);
  return { orders, oldestAt, oldestAgeHours: Math.max(0, Math.floor(ageMs / HOUR_MS)) };
}

/** Counts assigned, unplanted orders by age. Clocks differ, so an assignment in the future counts as today. */
export async function readNotPlanted(store: OrderFigures, now: Date): Promise<Overview['notPlanted']> {
  const limits = AGES.slice(1).map((days) => new Date(now.getTime() - days * DAY_MS).toISOString());
  const newestFirst = (await store.notPlanted(limits.toReversed())).toReversed();
  return AGES.map((fromDays, at) => {
    const toDays = AGES[at + 1];
    return { fromDays, ...(toDays !== undefined && { toDays }), orders: newestFirst[at]! };
  });
}
