import type { Table } from '../report/table.ts';

/** Results of a bench: printed, and written into docs/performance.md with `--report`. */
export interface Figures {
  bench: string;
  /** The work that was measured, in a sentence or two: how much of what, in which rounds, on which cores. */
  work: string;
  tables: readonly Table[];
}

/** The value that a share of all is not above; `values` need not be sorted. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The median of rounds with what was seen: "12.3 (11.0 – 14.2)". */
export const withSpread = (values: readonly number[], decimals = 1): string => {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(decimals)} (${least.toFixed(decimals)} – ${most.toFixed(decimals)})`;
};

/** How many times as much the median of the first is: "2.31 ×". */
export const ratio = (values: readonly number[], others: readonly number[]): string =>
  `${(median(values) / median(others)).toFixed(2)} ×`;

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
