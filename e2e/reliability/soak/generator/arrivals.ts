/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * When requests come, milliseconds from the beginning: as people do, each without regard to the others (Poisson), whatever
 * becomes of those before.
 */
export function* arrivals(ratePerSecond: number, seconds: number, random: () => number): Generator<number> {
  for (let at = 0; ;) {
    at += (-Math.log(1 - random()) / ratePerSecond) * 1000;
    if (at >= seconds * 1000) return;
    yield at;
  }
}

/** One of them by its weight. @param chance from 0 to 1 */
export function picked<T extends { weight: number }>(all: readonly T[], chance: number): T {
  let left = chance * all.reduce((sum, { weight }) => sum + weight, 0);
  return all.find(({ weight }) => (left -= weight) < 0) ?? all.at(-1)!;
}
