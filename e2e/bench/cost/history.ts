import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Table } from '../../report/table.ts';
import type { Plot } from '../report/bench.ts';
import { type Work, WORK_UNITS } from './meter.ts';

/** What an order cost as of a commit, as `npm run bench -- cost --report` saw it. */
export interface Entry {
  /** Short, of the product that was measured. */
  commit: string;
  /** ISO date. */
  date: string;
  machine: string;
  /** For each order. */
  work: Work;
  /** What is worth more work than before; who lets anything rise writes it here. */
  why?: string;
}

const FILE = new URL('history.json', import.meta.url);
/** Runs differ by less; it is more where another statement is made for one order in fifty. */
const NOTHING_MORE = 1.02;
/** What does not depend on the machine, nor on what else it does. */
const COUNTS = ['queries', 'roundTrips', 'bytesSent', 'bytesReceived', 'told', 'delivered'] as const;

/** Oldest first. */
export const readHistory = (): Entry[] => JSON.parse(readFileSync(FILE, 'utf8')) as Entry[];

/** Keeps it as the newest, in the place of one of the same commit. */
export function keepEntry(entry: Entry): void {
  writeFileSync(FILE, `${JSON.stringify(withEntry(readHistory(), entry), undefined, 2)}\n`);
}

export const withEntry = (history: readonly Entry[], entry: Entry): Entry[] => [
  ...history.filter(({ commit }) => commit !== entry.commit),
  entry,
];

/** What an order took more of than at the commit before. @returns one line for each commit that does not say why */
export function unexplained(history: readonly Entry[]): string[] {
  return history.flatMap((entry, at) => {
    const before = history[at - 1];
    const more = before && entry.why === undefined ? risen(before.work, entry.work) : [];
    return more.length > 0 ? [`${entry.commit}: more ${more.join(', ')}`] : [];
  });
}

const risen = (before: Work, after: Work): string[] =>
  COUNTS.filter((kind) => after[kind] > before[kind] * NOTHING_MORE && after[kind] - before[kind] > 0.1).map(
    (kind) => WORK_UNITS[kind],
  );

/** The commit that is checked out. */
export function currentCommit(): string {
  try {
    const options = { cwd: new URL('.', import.meta.url), encoding: 'utf8' } as const;
    return execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], options).trim();
  } catch {
    return 'without git';
  }
}

export function historyTable(history: readonly Entry[]): Table {
  const kinds = Object.keys(WORK_UNITS) as (keyof Work)[];
  const missing = unexplained(history);
  return {
    title: 'The same at earlier commits; it falls, or says why not',
    columns: ['as of', ...kinds.map((kind) => WORK_UNITS[kind]), 'why more'],
    rows: history.map(({ commit, date, work, why }) => [
      `${date}, ${commit}`,
      ...kinds.map((kind) => work[kind]),
      why ?? missing.find((line) => line.startsWith(`${commit}:`)) ?? '',
    ]),
  };
}

export function historyPlot(history: readonly Entry[]): Plot {
  const series = { queries: 'SQL statements', productMs: 'product, ms', postgresMs: 'PostgreSQL, ms' };
  return {
    kind: 'bars',
    unit: 'for an order: statements, ms of the processor',
    series: Object.entries(series).map(([kind, name]) => ({
      name,
      points: history.map(({ commit, work }) => ({ x: commit, y: work[kind as keyof typeof series] })),
    })),
  };
}
