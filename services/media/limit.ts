import { openGivingWay } from './giving-way.ts';

/** `soon` goes before whatever waits as `later`. */
export type Urgency = 'soon' | 'later';

export interface Limiter {
  <T>(run: () => Promise<T>, urgency?: Urgency): Promise<T>;
  /**
   * While `run` lasts nothing begins as `later`, also between its own turns: one picture of a newer format takes as long as all
   * that somebody waits for. Who has waited as `later` for long begins all the same.
   */
  hurry<T>(run: () => Promise<T>): Promise<T>;
  /** Somebody comes who waits for an answer: for a second one fewer runs, where several may. */
  giveWay(): void;
}

/** Newer formats weigh less for whoever looks at a photo meanwhile: they are not put off for ever. */
const PATIENCE_MS = 30_000;

/** Lets `max` run at a time; the others wait their turn, first come first served within their urgency. */
export function limiter(max: number, patienceMs = PATIENCE_MS): Limiter {
  const way = openGivingWay(max, () => startNext());
  let running = 0;
  let hurrying = 0;
  const waiting: Record<Urgency, (() => void)[]> = { soon: [], later: [] };

  const startNext = () => {
    while (running < way.allowed()) {
      const next = waiting.soon.shift() ?? (hurrying === 0 ? waiting.later.shift() : undefined);
      if (!next) return;
      running += 1;
      next();
    }
  };
  const turn = (urgency: Urgency) =>
    new Promise<void>((resolve) => {
      const begin = () => {
        clearTimeout(losingPatience);
        resolve();
      };
      const losingPatience = setTimeout(() => {
        waiting.later = waiting.later.filter((one) => one !== begin);
        waiting.soon.push(begin);
        startNext();
      }, patienceMs);
      if (urgency === 'soon') clearTimeout(losingPatience);
      waiting[urgency].push(begin);
      startNext();
    });

  const limited = async <T>(run: () => Promise<T>, urgency: Urgency = 'soon'): Promise<T> => {
    await turn(urgency);
    try {
      return await run();
    } finally {
      running -= 1;
      startNext();
    }
  };
  return Object.assign(limited, {
    async hurry<T>(run: () => Promise<T>): Promise<T> {
      hurrying += 1;
      try {
        return await run();
      } finally {
        hurrying -= 1;
        startNext();
      }
    },
    giveWay: way.begin,
  });
}
