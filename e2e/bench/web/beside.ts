import type { Table } from '../../report/table.ts';
import { median, withSpread } from '../figures.ts';
import type { Visit } from './lighthouse.ts';

/** Measurements of one page with the content of ours. */
export interface Seen {
  name: string;
  visits: readonly Visit[];
  /** Before anybody touches it, gzip, kB of 1000 bytes. */
  scriptKb: number;
}

interface Row {
  what: string;
  values: (seen: Seen) => readonly number[];
  decimals: number;
}

const ofVisits =
  (read: (visit: Visit) => number) =>
  ({ visits }: Seen) =>
    visits.map(read);

const ROWS: readonly Row[] = [
  { what: 'first contentful paint, ms', values: ofVisits(({ fcpMs }) => fcpMs), decimals: 0 },
  { what: 'largest contentful paint, ms', values: ofVisits(({ lcpMs }) => lcpMs), decimals: 0 },
  { what: 'total blocking time, ms', values: ofVisits(({ tbtMs }) => tbtMs), decimals: 0 },
  { what: 'cumulative layout shift', values: ofVisits(({ cls }) => cls), decimals: 4 },
  { what: 'script before interaction, gzip, kB', values: ({ scriptKb }) => [scriptKb], decimals: 1 },
  { what: 'everything loaded, kB', values: ofVisits(({ transferredKb }) => transferredKb), decimals: 0 },
];

/** The pages beside each other, and how many times the first one's figure each other one's is. */
export function besideTable([ours, ...others]: readonly [Seen, ...Seen[]]): Table {
  const all = [ours, ...others];
  return {
    title: 'The landing page beside the same content made by others',
    columns: ['what', ...all.map(({ name }) => name), ...others.map(({ name }) => `${name} ÷ ours`)],
    rows: ROWS.map(({ what, values, decimals }) => [
      what,
      ...all.map((one) => shown(values(one), decimals)),
      ...others.map((one) => ratio(median(values(one)), median(values(ours)))),
    ]),
  };
}

const shown = (values: readonly number[], decimals: number): string =>
  values.length === 1 ? values[0]!.toFixed(decimals) : withSpread(values, decimals);

/** Nothing is any times none. */
const ratio = (theirs: number, ours: number): string =>
  ours === 0 ? '–' : `${(theirs / ours).toFixed(1)} ×`;
