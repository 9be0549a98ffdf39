/** Random choices that a seed reproduces, so that a failing run can be repeated. */
export interface Chance {
  /** 0 ≤ n < below */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

/** mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function seeded(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(below(left.length), 1)[0]!);
    },
  };
}
