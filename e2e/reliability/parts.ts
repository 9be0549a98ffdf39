import { parseArgs } from 'node:util';
import type { Part } from './part.ts';

export interface Asked {
  parts: string[];
  /** Minutes or hours, as docs/reliability.md reports it; seconds otherwise. */
  long: boolean;
  /** Whether docs/reliability.md is written. */
  report: boolean;
  settings: Record<string, string>;
}

/**
 * Reads `crash`, `races --rounds=20`, `soak --long --report`; runs every part when none is named.
 * @throws a sentence when a part is unknown, or a report is asked for without `--long`
 */
export function readArguments(args: readonly string[], known: readonly string[]): Asked {
  const read = parseArgs({ args: [...args], strict: false, allowPositionals: true });
  const { values, positionals: names } = read;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no part "${unknown.join('", "')}". There are: ${known.join(', ')}.`);
  const [long, report] = [values.long === true, values.report === true];
  if (report && !long) throw new Error('Only a long run is reported: add --long.');
  return {
    parts: names.length === 0 ? [...known] : names,
    long,
    report,
    settings: Object.fromEntries(
      Object.entries(values).filter((one): one is [string, string] => typeof one[1] === 'string'),
    ),
  };
}

const crash = (): Promise<Part> => import('./crash/crash.ts');

/** Each part is loaded when it runs. The simulation is in `npm test`. */
export const PARTS: Record<string, () => Promise<Part>> = {
  /** kill −9 of services at crash points and at random: nothing is lost or done twice, and all recover. */
  crash,
  /** `crash --tier=together`: all services in one process, as `npm start` runs them. */
  'crash-together': async () => {
    const { run } = await crash();
    return { run: (options) => run({ ...options, settings: { ...options.settings, tier: 'together' } }) };
  },
  /** The card provider's webhooks in every order, repeated and lost: the result is the same. */
  webhooks: () => import('./webhooks/webhooks.ts'),
  /** Faults of each dependency: what can be served is, the rest is refused clearly, and everything catches up. */
  faults: () => import('./faults/faults.ts'),
  /** Concurrent calls of which one may succeed. */
  races: () => import('./races/races.ts'),
  /** Steady load, then overload: latencies, memory, and no lost order or photo. */
  soak: () => import('./soak/soak.ts'),
};
