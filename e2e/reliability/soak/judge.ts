import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from '../../bench/figures.ts';
import { handlesOf, memoryMb, pictureProcesses } from '../../harness/proc.ts';
import type { Table } from '../../report/table.ts';
import type { Told } from './generator/crowd.ts';
import type { Made, PhaseResult, Setup } from './setup.ts';

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

/**
 * Growth allowed between the second fifth of a run and its last. The first fifth is left out: code is compiled and pools
 * are filled in it. Of 15 minutes nine lie between the middles of the two, 27,000 requests at 50 a second:
 * - heap: after a collection it varies by a few MB with work in flight. 15 MB are half a kB kept of each request, less than
 *   any answer or closure;
 * - resident: freed memory is not all given back, and pictures are worked on outside of the heap. 64 MB are 2.4 kB of each;
 * - that of pictures: a picture takes what it needs and gives it back in part. 128 MB are 240 kB of each,
 *   whose pixels alone are 6 MB;
 * - handles: sockets come and go with those who ask at the same time. 32 are one lost in a thousand requests;
 * - connections: pools open some more after a burst and let them go 10 s later.
 */
const TOLERANCE: Sample = { residentMb: 64, picturesMb: 128, heapMb: 15, handles: 32, connections: 8 };

export interface Growth {
  before: number;
  after: number;
  hasGrown: boolean;
}

/** Compares medians, because single values vary. @param values at least five, in the order of time */
export function growthOf(values: readonly number[], tolerance: number): Growth {
  const fifth = values.length / 5;
  const part = (from: number) =>
    median(values.slice(Math.floor(from * fifth), Math.floor((from + 1) * fifth)));
  const [before, after] = [part(1), part(4)];
  return { before, after, hasGrown: after - before > tolerance };
}

/** Resources of the product at one moment. */
export interface Sample {
  residentMb: number;
  /** Memory of the picture process, which ends when it has no work. */
  picturesMb: number;
  /** After everything that nobody uses was collected. */
  heapMb: number;
  handles: number;
  connections: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

async function take({ product, rows }: Setup): Promise<Sample> {
  const [found] = await rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where application_name like 'arboleda%'`,
  );
  return {
    residentMb: memoryMb(product.pid, 'VmRSS'),
    picturesMb: sum(pictureProcesses(product.pid).map((pid) => memoryMb(pid, 'VmRSS'))),
    heapMb: (await product.heapBytes()) / 1e6,
    handles: handlesOf(product.pid),
    connections: found!.n,
  };
}

/** Looks at the product now and then until told to stop. */
export function watch(setup: Setup, everyMs: number): { stop(): Promise<Sample[]> } {
  const over = new AbortController();
  const looking = (async () => {
    const samples: Sample[] = [];
    while (!over.signal.aborted) {
      samples.push(await take(setup));
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return samples;
  })();
  // Told by stop().
  looking.catch(() => undefined);
  return {
    stop() {
      over.abort();
      return looking;
    },
  };
}

const rounded = (value: number): number | string => (Number.isNaN(value) ? '–' : Math.round(value * 10) / 10);

const rowOf = (kind: string, made: readonly Made[]): (string | number)[] => {
  const answered = made.filter(({ isExpected }) => isExpected).map(({ ms }) => ms);
  const at = (share: number) => (answered.length === 0 ? '–' : rounded(percentile(answered, share)));
  return [kind, made.length, at(0.5), at(0.95), at(0.99), at(1), made.length - answered.length];
};

export function latencies(title: string, { made, visibleMs }: PhaseResult): Table {
  const kinds = [...Map.groupBy(made, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b));
  const seen = visibleMs.map((ms): Made => ({
    kind: '',
    at: 0,
    ms,
    status: 200,
    isExpected: ms < Infinity,
    hasRetryAfter: false,
  }));
  return {
    title,
    columns: ['request', 'count', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms', 'errors'],
    rows: [
      ...kinds.map(([kind, ofKind]) => rowOf(kind, ofKind)),
      rowOf('all', made),
      ...(seen.length > 0 ? [rowOf('card paid → order visible', seen)] : []),
    ],
  };
}

const UNITS: Record<keyof Sample, string> = {
  residentMb: 'resident memory, MB',
  picturesMb: 'resident memory of the making of pictures, MB',
  heapMb: 'heap after a collection, MB',
  handles: 'open handles',
  connections: 'connections to PostgreSQL',
};
const FIGURES = Object.keys(UNITS) as (keyof Sample)[];

export const grown = (samples: readonly Sample[]) =>
  FIGURES.map((figure) => {
    const values = samples.map((sample) => sample[figure]);
    return { figure, name: UNITS[figure], values, ...growthOf(values, TOLERANCE[figure]) };
  });

export const growthTable = (samples: readonly Sample[]): Table => ({
  title: `What the product holds, ${samples.length} looks`,
  columns: ['what', 'second fifth', 'last fifth', 'most', 'may grow by'],
  isDetail: true,
  rows: grown(samples).map(({ figure, name, values, before, after }) => [
    name,
    rounded(before),
    rounded(after),
    rounded(Math.max(...values)),
    TOLERANCE[figure],
  ]),
});

/** How a phase above what can be served went. */
export const stormRow = (name: string, rate: number, { made, cpuShare, lateMs }: PhaseResult) => {
  const shed = made.filter(isShed).length;
  const served = made.filter(({ isExpected }) => isExpected);
  const ms = served.map((one) => one.ms);
  return [
    name,
    Math.round(rate),
    made.length,
    served.length,
    shed,
    made.length - served.length - shed,
    rounded(percentile(ms, 0.5)),
    rounded(percentile(ms, 0.95)),
    percent(cpuShare),
    rounded(percentile(lateMs, 0.95)),
  ];
};

export const STORM_COLUMNS = [
  'phase',
  'requests/s',
  'sent',
  'served',
  'turned away',
  'other',
  'p50 ms',
  'p95 ms',
  'generator’s processor',
  'generator late, p95 ms',
];

export const percent = (share: number): string =>
  Number.isNaN(share) ? '–' : `${(share * 100).toFixed(0)} %`;
