import { percentile } from '../../bench/figures.ts';
import type { Table } from '../../report/table.ts';
import type { Made, PhaseResult } from './generator/protocol.ts';
import { growthOf, TOLERANCE } from './growth.ts';
import { isShed } from './judge.ts';
import type { Sample } from './samples.ts';

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
