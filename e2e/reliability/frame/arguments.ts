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
  const names = args.filter((arg) => !arg.startsWith('--'));
  const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no part "${unknown.join('", "')}". There are: ${known.join(', ')}.`);
  const long = flags.includes('long');
  const report = flags.includes('report');
  if (report && !long) throw new Error('Only a long run is reported: add --long.');
  return {
    parts: names.length === 0 ? [...known] : names,
    long,
    report,
    settings: Object.fromEntries(
      flags
        .filter((flag) => flag.includes('='))
        .map((flag) => [flag.split('=')[0]!, flag.slice(flag.indexOf('=') + 1)]),
    ),
  };
}
