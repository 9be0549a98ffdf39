/** `soon` goes before everything that waits as `later`. */
export type Urgency = 'soon' | 'later';

export interface Limiter {
  <T>(run: () => Promise<T>, urgency?: Urgency): Promise<T>;
  /**
   * Nothing begins as `later` while `run` lasts, also between its own turns: one picture in a newer format takes as long as all
   * JPEGs of a photo. What has waited as `later` for long begins all the same.
   */
  hurry<T>(run: () => Promise<T>): Promise<T>;
  /** An upload arrives: for a second one fewer runs, where several may. */
  giveWay(): void;
}

/** Newer formats weigh less for everybody who looks at a photo meanwhile: they are not put off for ever. */
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

/** Long enough for the next photo of an album that is being sent. */
const WAY_MS = 1_000;
/** Uploads that go on for hours do not keep pictures waiting all the while: then all run until there is a rest. */
const MOST_MS = 120_000;

/** How many may run while uploads arrive: one fewer than otherwise, and at least one. @param changed called when more are allowed again */
function openGivingWay(max: number, changed: () => void): { begin(): void; allowed(): number } {
  /** Of `performance.now()`; the first of those that came one after another. */
  let sinceMs: number | undefined;
  let ending: NodeJS.Timeout | undefined;
  return {
    begin() {
      sinceMs ??= performance.now();
      clearTimeout(ending);
      ending = setTimeout(() => {
        sinceMs = undefined;
        changed();
      }, WAY_MS).unref();
    },
    allowed: () =>
      sinceMs === undefined || performance.now() - sinceMs >= MOST_MS ? max : Math.max(1, max - 1),
  };
}
