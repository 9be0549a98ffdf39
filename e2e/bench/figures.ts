/** The value that a share of all is not above; `values` need not be sorted. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** "min – max" of what was seen, with one decimal. */
export const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(1)} – ${Math.max(...values).toFixed(1)}`;
