import { percentile } from '../../bench/figures.ts';
import type { Told } from './generator/crowd.ts';
import type { Made } from './load.ts';
import type { Setup } from './setup.ts';

export const MAX_P95_MS = 300;
/** Share of requests that must be answered in time. */
const MIN_ACHIEVED = 0.95;
const MAX_SHED = 0.01;

export const isShed = ({ status, hasRetryAfter }: Made): boolean =>
  (status === 503 || status === 429) && hasRetryAfter;

const served = (made: readonly Made[]): number[] =>
  made.filter(({ isExpected }) => isExpected).map(({ ms }) => ms);

export const p95 = (made: readonly Made[]): number => percentile(served(made), 0.95);

/** Wrong answers by kind: "checkout: 500 ×3". */
export function wrongAnswers(made: readonly Made[], mayShed: boolean): string[] {
  const wrong = made.filter((one) => !one.isExpected && !(mayShed && isShed(one)));
  const counts = new Map<string, number>();
  for (const { kind, status, failure } of wrong) {
    const what = `${kind}: ${failure ?? status}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${what} ×${count}`);
}

/** Why a rate is more than the product keeps up with; undefined when it is not. */
export function strainOf(made: readonly Made[], asked: { ratePerSecond: number; seconds: number }) {
  const shed = made.filter(isShed).length / made.length;
  const inTime = made.filter(
    ({ at, ms, isExpected }) => isExpected && at + ms <= asked.seconds * 1000 + MAX_P95_MS,
  );
  const achieved = inTime.length / made.length;
  if (p95(made) > MAX_P95_MS) return `p95 ${p95(made).toFixed(0)} ms`;
  if (shed > MAX_SHED) return `${(shed * 100).toFixed(0)} % turned away`;
  if (achieved < MIN_ACHIEVED) return `${(achieved * 100).toFixed(0)} % answered in time`;
  return undefined;
}

const WINDOW_SECONDS = 2;

/** Seconds after which answers are as they were before, at once and from then on; Infinity when they never are. */
export function backAfter(made: readonly Made[], seconds: number): number {
  const isNormal = (some: readonly Made[]) =>
    some.length > 0 && some.every(({ isExpected }) => isExpected) && p95(some) <= MAX_P95_MS;
  for (let from = 0; from <= seconds - WINDOW_SECONDS; from++) {
    const later = made.filter(({ at }) => at >= from * 1000);
    const soon = later.filter(({ at }) => at < (from + WINDOW_SECONDS) * 1000);
    if (isNormal(soon) && isNormal(later)) return from;
  }
  return Infinity;
}

/** Compares promises with stores, without the product's code. @returns one sentence for each fault */
export function countFaults(found: {
  /** Payment intents charged by the provider, as buyers saw them. */
  charged: readonly string[];
  told: Told;
  orders: readonly { intentId: string | null }[];
  photos: readonly { filename: string; state: string }[];
}): string[] {
  const { charged, told, orders, photos } = found;
  const ordersOf = Map.groupBy(orders, ({ intentId }) => intentId);
  const stateOf = new Map(photos.map(({ filename, state }) => [filename, state]));
  const charges = new Set(charged);
  return [
    ...(charges.size === charged.length
      ? []
      : [`${charged.length - charges.size} intents were charged twice`]),
    ...told.paid.filter((id) => !charges.has(id)).map((id) => `intent ${id} was said to be paid, and is not`),
    ...[...charges].flatMap((id) => {
      const count = ordersOf.get(id)?.length ?? 0;
      return count === 1 ? [] : [`the charge of ${id} has ${count} orders`];
    }),
    ...orders.flatMap(({ intentId }) =>
      intentId !== null && charges.has(intentId) ? [] : [`an order stands on ${intentId}, which nobody paid`],
    ),
    ...told.photos.flatMap((filename) => {
      const state = stateOf.get(filename);
      return state === 'ready' ? [] : [`photo ${filename} was taken and is ${state ?? 'not there'}`];
    }),
  ];
}

export const readCounts = async (setup: Setup, told: Told) => ({
  told,
  charged: await setup.charged(),
  orders: await setup.rows<{ intentId: string | null }>(
    `select transaction_id as "intentId" from orders.orders`,
  ),
  photos: await setup.rows<{ filename: string; state: string }>(`select filename, state from media.photos`),
});
