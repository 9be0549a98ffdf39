export interface Asked {
  benches: string[];
  quick: boolean;
  /** Whether docs/performance.md is written. */
  report: boolean;
  /** A file that gets the figures as JSON. */
  json: string | undefined;
}

/**
 * `serve --quick`, `all --report`, `serve photos --json=figures.json`; every bench when none is named.
 * @throws a sentence when a bench is unknown
 */
export function readArguments(args: readonly string[], known: readonly string[]): Asked {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no bench "${unknown.join('", "')}". There are: ${[...known, 'all'].join(', ')}.`,
    );
  return {
    benches: names.length === 0 || names.includes('all') ? [...known] : names,
    quick: args.includes('--quick'),
    report: args.includes('--report'),
    json: args.find((arg) => arg.startsWith('--json='))?.slice('--json='.length),
  };
}
