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

/** The participants, created by the parent process. */
export interface Order {
  url: string;
  stripe: { apiUrl: string; publishableKey: string };
  customers: readonly { email: string; password: string; token: string }[];
  admin: string;
  workers: readonly string[];
  /** A photo as a telephone takes it. */
  photo: Uint8Array;
}

/** State of the clients of a run. */
export interface Crowd extends Order {
  random: () => number;
  /** Private links of orders that are there. */
  links: string[];
  /** Photos that pages show. */
  photos: string[];
  field: Field[];
  told: Told;
}

/** Accepted work, which must be in the stores afterwards. */
export interface Told {
  /** Intents that the card provider has charged. */
  paid: string[];
  /** Photos that were taken. */
  photos: string[];
}

/** One worker with what is to be planted, photographed and completed. */
export interface Field {
  token: string;
  known: Set<string>;
  toPlant: string[];
  planted: string[];
  photographed: string[];
}

const ADDRESSES = 500;

export const openCrowd = (order: Order, random: () => number): Crowd => ({
  ...order,
  random,
  links: [],
  photos: [],
  field: order.workers.map((token) => ({
    token,
    known: new Set<string>(),
    toPlant: [],
    planted: [],
    photographed: [],
  })),
  told: { paid: [], photos: [] },
});

export const oneOf = <T>({ random }: Crowd, all: readonly T[]): T | undefined =>
  all[Math.floor(random() * all.length)];

/** One of some hundred client addresses. */
export const anAddress = (crowd: Crowd): string => {
  const house = Math.floor(crowd.random() * ADDRESSES);
  return `10.20.${house >> 8}.${house & 255}`;
};
