import { parseArgs } from 'node:util';
import type { ListReport } from '../reconcile/lists.ts';

export const USAGE = `npm run reconcile -- --since 7d    compares what Stripe has of the last 7 days with our records, and mends them

--since takes minutes (90m), hours (12h), days (30d) or an instant (2026-11-01T00:00:00Z).
`;

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `--since`. @throws an Error with the usage */
export function readArguments(args: readonly string[], now: Date): Date {
  const { since } = parsed(args);
  const span = /^(\d{1,4})([mhd])$/.exec(since ?? '');
  const date = span
    ? new Date(now.getTime() - Number(span[1]) * UNIT_MS[span[2]!]!)
    : new Date(/^\d{4}-\d{2}-\d{2}/.test(since ?? '') ? since! : Number.NaN);
  if (Number.isNaN(date.getTime()) || date.getTime() > now.getTime()) throw new Error(USAGE);
  return date;
}

function parsed(args: readonly string[]): { since?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: { since: { type: 'string' } } }).values;
  } catch {
    throw new Error(USAGE);
  }
}

const HEAD = ['list', 'looked at', 'repaired', 'not ours', 'failed'];

/** Formats the reports as a table for a terminal. */
export function table(reports: readonly ListReport[]): string {
  const rows = reports.map(({ list, lookedAt, repaired, notOurs, failed }) =>
    [list, lookedAt, repaired, notOurs, failed].map(String),
  );
  const widths = HEAD.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const lines = [HEAD, ...rows].map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('   '),
  );
  const faults = reports.filter(({ fault }) => fault).map(({ list, fault }) => `${list}: ${fault}`);
  return [...lines, ...faults].join('\n');
}

/** Whether every list was read to its end and settled. */
export const isComplete = (reports: readonly ListReport[]): boolean =>
  reports.every(({ failed, fault }) => failed === 0 && fault === undefined);
