export interface Asked {
  parts: string[];
  short: boolean;
  /** Whether docs/reliability.md is written. */
  report: boolean;
  settings: Record<string, string>;
}

/**
 * `crash --short`, `all`, `crash --kills=500 --report`. A long run of all parts is a report by itself.
 * @throws a sentence when a part is unknown or none is named
 */
export function readArguments(args: readonly string[], known: readonly string[]): Asked {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
  const choices = [...known, 'all'].join(', ');
  if (names.length === 0) throw new Error(`Say what to run: npm run chaos -- <${choices}> [--short]`);
  const unknown = names.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no part "${unknown.join('", "')}". There are: ${choices}.`);
  const isAll = names.includes('all');
  const short = flags.includes('short');
  return {
    parts: isAll ? [...known] : names,
    short,
    report: flags.includes('report') || (isAll && !short),
    settings: Object.fromEntries(
      flags
        .filter((flag) => flag.includes('='))
        .map((flag) => [flag.split('=')[0]!, flag.slice(flag.indexOf('=') + 1)]),
    ),
  };
}
