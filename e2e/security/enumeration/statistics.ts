/** Times of the same call for two kinds of people, ms. */
export interface Compared {
  /** Ratio of the medians; 1 when equal. */
  ratio: number;
  /** How likely times at least so different are when there is no difference (Mann-Whitney, two-sided, normal approximation). */
  p: number;
}

export function compareTimes(some: readonly number[], others: readonly number[]): Compared {
  const ranked = [...some.map((ms) => ({ ms, of: 0 })), ...others.map((ms) => ({ ms, of: 1 }))].sort(
    (a, b) => a.ms - b.ms,
  );
  const ranks = ranked.reduce((sum, { of }, at) => (of === 0 ? sum + at + 1 : sum), 0);
  const [n, m] = [some.length, others.length];
  const u = ranks - (n * (n + 1)) / 2;
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  return { ratio: median(some) / median(others), p: 2 * (1 - normal(Math.abs(u - (n * m) / 2) / deviation)) };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The normal distribution up to z ≥ 0: Abramowitz and Stegun 26.2.17, error below 8e-8. */
function normal(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z);
  const tail = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429]
    .map((factor, at) => factor * t ** (at + 1))
    .reduce((sum, each) => sum + each);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
