import { percentile } from '../../../bench/figures.ts';
import type { Table } from '../../../report/table.ts';

/** The one process that is the whole product, as `npm start` runs it. */
export const WHOLE = 'product';

export const concerns = (kill: Kill, service: string): boolean =>
  kill.process === service || kill.process === WHOLE;

/** One death by SIGKILL. Times in milliseconds since 1970. */
export interface Kill {
  process: string;
  /** A crash point, or `random`. */
  how: string;
  at: number;
  /** Killed again before it had caught up: the next kill is the one to wait for. */
  isSuperseded?: boolean;
  /** It answered a request again. */
  servedAt?: number;
  /** Nothing is left for it from before the kill. */
  caughtUpAt?: number;
}

const seconds = (ms: number): string => (Number.isNaN(ms) ? '–' : `${(ms / 1000).toFixed(2)} s`);

/** How long after kills the next request was served, and what had waited was done. */
export function recoveryTable(kills: readonly Kill[]): Table {
  const counted = kills.filter((kill) => !kill.isSuperseded);
  const row = (name: string, times: readonly number[]) => [
    name,
    times.length,
    ...[0.5, 0.95, 0.99, 1].map((share) => seconds(percentile(times, share))),
  ];
  const since = (field: 'servedAt' | 'caughtUpAt', of = counted) =>
    of.flatMap((kill) => (kill[field] === undefined ? [] : [kill[field] - kill.at]));
  const processes = [...new Set(counted.map((kill) => kill.process))].sort();
  return {
    title: 'Recovery, from the kill',
    columns: ['until', 'kills', 'p50', 'p95', 'p99', 'max'],
    rows: [
      row('a request is served', since('servedAt')),
      row('nothing from before waits', since('caughtUpAt')),
      ['killed again before that', kills.length - counted.length, '', '', '', ''],
      ...processes.map((name) =>
        row(
          `… of ${name}`,
          since(
            'caughtUpAt',
            counted.filter((kill) => kill.process === name),
          ),
        ),
      ),
    ],
  };
}

const WITHIN_MS = 30_000;

/** All come back; in a run that can say so, within 30 s (p99), as docs/reliability.md promises. */
export function recoveryViolations(kills: readonly Kill[], judgesTime = true): string[] {
  const counted = kills.filter((kill) => !kill.isSuperseded);
  const lost = counted.filter((kill) => kill.servedAt === undefined || kill.caughtUpAt === undefined);
  const times = counted.flatMap((kill) => (kill.caughtUpAt === undefined ? [] : [kill.caughtUpAt - kill.at]));
  const p99 = percentile(times, 0.99);
  return [
    ...lost.map(({ process, how }) => `${process} did not recover from a kill (${how})`),
    ...(judgesTime && p99 > WITHIN_MS
      ? [`recovery p99 is ${seconds(p99)}, more than ${seconds(WITHIN_MS)}`]
      : []),
  ];
}
