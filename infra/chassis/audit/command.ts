import { parseArgs } from 'node:util';
import { readLogged, type LoggedRow, type Verdict } from './verify.ts';

const USAGE = `npm run audit -- verify                              says whether the audit logs are whole, or which row is not
npm run audit -- verify --expect orders:1204:9f86d0…  and whether that row, which a process log named, is still there

--expect may be given several times; - reads such rows from standard input. Rows named in the logs of this installation
are compared without it.
`;

/** @throws an Error with the usage */
export function readArguments(args: readonly string[]): { logged: LoggedRow[]; fromInput: boolean } {
  const { values, positionals } = parsed(args);
  const expected = (values.expect ?? []).filter((one) => one !== '-');
  const logged = expected.map(readLogged);
  if (positionals.join(' ') !== 'verify' || logged.includes(undefined)) throw new Error(USAGE);
  return { logged: logged as LoggedRow[], fromInput: values.expect?.includes('-') ?? false };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { expect: { type: 'string', multiple: true } },
    });
  } catch {
    throw new Error(USAGE);
  }
}

const MOST_FAULTS = 20;

/** A line for each service, and one for each fault. */
export const reportOf = (verdicts: readonly Verdict[]): string => verdicts.map(lineOf).join('\n');

function lineOf({ service, rows, from, to, last, faults }: Verdict): string {
  const days = from && to ? `${from.slice(0, 10)} to ${to.slice(0, 10)}` : 'empty';
  const state = faults.length === 0 ? 'whole' : 'NOT WHOLE';
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  return [
    `${service.padEnd(14)}${String(rows).padStart(9)} rows   ${days.padEnd(24)}   ${state}   ${last}`,
    ...[...faults.slice(0, MOST_FAULTS), ...more].map((fault) => `  ${service}: ${fault}`),
  ].join('\n');
}
