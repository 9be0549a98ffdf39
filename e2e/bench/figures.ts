import type { Point } from './bench.ts';

/** The value that a share of all is not above; `values` need not be sorted. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** "min – max" of what was seen. */
export const spread = (values: readonly number[], decimals = 1): string =>
  `${Math.min(...values).toFixed(decimals)} – ${Math.max(...values).toFixed(decimals)}`;

/** The median of rounds with what was seen: "12.3 (11.0 – 14.2)". */
export const withSpread = (values: readonly number[], decimals = 1): string =>
  `${median(values).toFixed(decimals)} (${spread(values, decimals)})`;

/** The median of rounds in a plot, with what was seen. */
export const pointOf = (x: string | number, values: readonly number[]): Point => ({
  x,
  y: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** Measures all of them in turn in each round, so that whatever else the machine does meets all alike. */
export async function inRounds<One, Result>(
  rounds: number,
  all: readonly One[],
  measure: (one: One) => Promise<Result>,
): Promise<Map<One, Result[]>> {
  const seen = new Map(all.map((one) => [one, [] as Result[]]));
  for (let round = 0; round < rounds; round++) {
    for (const one of all) seen.get(one)!.push(await measure(one));
  }
  return seen;
}
