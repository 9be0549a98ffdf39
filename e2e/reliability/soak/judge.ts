import { median, percentile } from '../../bench/figures.ts';
import { handlesOf, memoryMb, pictureProcesses } from '../../harness/proc.ts';
import type { Product } from '../../harness/product.ts';
import { type Going, repeatedly } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import { chargeFaults } from '../crash/check.ts';
import { chargesOf, type OrderSeen } from '../crash/snapshot.ts';
import type { Tested } from '../setup.ts';
import type { Made, Phase, Promises } from './load.ts';

export const MAX_P95_MS = 300;
/** Shares of all requests. */
const MIN_ACHIEVED = 0.95;
const MAX_SHED = 0.01;

const isShed = ({ status, hasRetryAfter }: Made): boolean =>
  (status === 503 || status === 429) && hasRetryAfter;

const servedMs = (made: readonly Made[]): number[] =>
  made.filter(({ isExpected }) => isExpected).map(({ ms }) => ms);

export const p95 = (made: readonly Made[]): number => percentile(servedMs(made), 0.95);

/** Wrong answers by kind: "checkout: 500 ×3". */
export function wrongAnswers(made: readonly Made[], mayShed: boolean): string[] {
  const wrong = made.filter((one) => !one.isExpected && !(mayShed && isShed(one)));
  const counts = Map.groupBy(wrong, ({ kind, status, failure }) => `${kind}: ${failure ?? status}`);
  return [...counts].map(([what, all]) => `${what} ×${all.length}`);
}

/** Why the product does not keep up with a rate; undefined when it does. */
export function strainOf(made: readonly Made[], seconds: number): string | undefined {
  const shed = made.filter(isShed).length / made.length;
  const isInTime = ({ at, ms, isExpected }: Made) => isExpected && at + ms <= seconds * 1000 + MAX_P95_MS;
  const achieved = made.filter(isInTime).length / made.length;
  if (p95(made) > MAX_P95_MS) return `p95 ${p95(made).toFixed(0)} ms`;
  if (shed > MAX_SHED) return `${(shed * 100).toFixed(0)} % turned away`;
  if (achieved < MIN_ACHIEVED) return `${(achieved * 100).toFixed(0)} % answered in time`;
  return undefined;
}

const WINDOW_SECONDS = 2;

/** Seconds until answers are normal and stay so; Infinity when they never are. */
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
export async function promiseFaults({ provider, rows }: Tested, promises: Promises): Promise<string[]> {
  const charges = chargesOf(await provider());
  const orders = await rows<OrderSeen>(
    `select id, payment_kind as kind, transaction_id as "transactionId", amount_minor::float8 as amount
     from orders.orders`,
  );
  const photos = await rows<{ filename: string; state: string }>('select filename, state from media.photos');
  return [...chargeFaults({ charges, orders }, promises.paid), ...photoFaults(photos, promises.photos)];
}

/** @param taken names of the photos that were accepted from workers */
export function photoFaults(
  photos: readonly { filename: string; state: string }[],
  taken: readonly string[],
): string[] {
  const stateOf = new Map(photos.map(({ filename, state }) => [filename, state]));
  return taken.flatMap((filename) => {
    const state = stateOf.get(filename) ?? 'not there';
    return state === 'ready' ? [] : [`photo ${filename} was taken and is ${state}`];
  });
}

/**
 * Growth allowed from the second fifth of a run to its last. The first fifth compiles code and fills pools. In a run of 15 minutes, nine
 * lie between the two, 27,000 requests at 50 a second:
 * - heap: varies by a few MB with work in flight. 15 MB are 0.5 kB leaked by each request;
 * - resident: freed memory is given back only in part. 64 MB are 2.4 kB for each request;
 * - pictures: 128 MB are 240 kB for each picture, whose pixels alone are 6 MB;
 * - handles: 32 are one leaked in a thousand requests;
 * - connections: pools open more in a burst and close them 10 s later.
 */
const HELD = {
  residentMb: { name: 'resident memory, MB', mayGrowBy: 64 },
  picturesMb: { name: 'resident memory of the making of pictures, MB', mayGrowBy: 128 },
  heapMb: { name: 'heap after a collection, MB', mayGrowBy: 15 },
  handles: { name: 'open handles', mayGrowBy: 32 },
  connections: { name: 'connections to PostgreSQL', mayGrowBy: 8 },
};
type Sample = Record<keyof typeof HELD, number>;

/** Compares medians, because single values vary. @param values at least five, in the order of time */
export function growthOf(values: readonly number[], mayGrowBy: number) {
  const fifth = values.length / 5;
  const part = (from: number) =>
    median(values.slice(Math.floor(from * fifth), Math.floor((from + 1) * fifth)));
  const [before, after] = [part(1), part(4)];
  return { before, after, hasGrown: after - before > mayGrowBy };
}

export const grown = (samples: readonly Sample[]) =>
  Object.entries(HELD).map(([figure, { name, mayGrowBy }]) => {
    const values = samples.map((sample) => sample[figure as keyof Sample]);
    return { name, mayGrowBy, most: Math.max(...values), ...growthOf(values, mayGrowBy) };
  });

export const watch = ({ product, rows }: Tested<Product>, pauseMs: number): Going<Sample[]> =>
  repeatedly(async () => {
    const [found] = await rows<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name like 'arboleda%'`,
    );
    return {
      residentMb: memoryMb(product.pid, 'VmRSS'),
      picturesMb: pictureProcesses(product.pid).reduce((sum, pid) => sum + memoryMb(pid, 'VmRSS'), 0),
      heapMb: (await product.heapBytes()) / 1e6,
      handles: handlesOf(product.pid),
      connections: found!.n,
    };
  }, pauseMs);

const rounded = (value: number): number | string => (Number.isNaN(value) ? '–' : Math.round(value * 10) / 10);

/** Latencies by kind of request. */
export function latencies(title: string, { made, visibleMs }: Phase): Table {
  const row = (name: string, all: number, ms: readonly number[]) => [
    name,
    all,
    ...[0.5, 0.95, 0.99, 1].map((share) => rounded(percentile(ms, share))),
    all - ms.length,
  ];
  const kinds = [...Map.groupBy(made, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b));
  const seen = visibleMs.filter(Number.isFinite);
  return {
    title,
    columns: ['request', 'count', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms', 'errors'],
    rows: [
      ...kinds.map(([kind, some]) => row(kind, some.length, servedMs(some))),
      row('all', made.length, servedMs(made)),
      row('card paid → order visible', visibleMs.length, seen),
    ],
  };
}

export const growthTable = (samples: readonly Sample[]): Table => ({
  title: `What the product holds, ${samples.length} looks`,
  columns: ['what', 'second fifth', 'last fifth', 'most', 'may grow by'],
  isDetail: true,
  rows: grown(samples).map(({ name, before, after, most, mayGrowBy }) => [
    name,
    ...[before, after, most].map(rounded),
    mayGrowBy,
  ]),
});

export const STORM_COLUMNS = [
  'phase',
  'requests/s',
  'sent',
  'served',
  'turned away',
  'other',
  'p50 ms',
  'p95 ms',
  'sent late, p95 ms',
];

/** Results of a phase above the usual rate. */
export function stormRow(name: string, rate: number, { made, lateMs }: Phase): (string | number)[] {
  const [shed, ms] = [made.filter(isShed).length, servedMs(made)];
  const counts = [Math.round(rate), made.length, ms.length, shed, made.length - ms.length - shed];
  const times = [percentile(ms, 0.5), percentile(ms, 0.95), percentile(lateMs, 0.95)];
  return [name, ...counts, ...times.map(rounded)];
}
