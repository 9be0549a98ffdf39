/** `soon` runs before everything that waits as `later`. */
export type Urgency = 'soon' | 'later';

export interface Limiter {
  <T>(run: () => Promise<T>, urgency?: Urgency): Promise<T>;
  /**
   * Starts nothing as `later` while `run` lasts, even between its turns: one picture in a newer format takes
   * as long as all JPEGs of a photo. Work that has waited long as `later` starts anyway.
   */
  hurry<T>(run: () => Promise<T>): Promise<T>;
  /** Runs one fewer for a second after each upload, if several may run. */
  noteUpload(): void;
}

/** After this wait, `later` work starts anyway: the newer formats save bandwidth. */
const MAX_DELAY_MS = 30_000;

/** Runs at most `max` at a time, first come first served within an urgency. */
export function limiter(max: number, maxDelayMs = MAX_DELAY_MS): Limiter {
  const throttle = throttleDuringUploads(max, () => startNext());
  let running = 0;
  let hurrying = 0;
  const waiting: Record<Urgency, (() => void)[]> = { soon: [], later: [] };

  const startNext = () => {
    while (running < throttle.allowed()) {
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
      }, maxDelayMs);
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
    noteUpload: throttle.begin,
  });
}

/** Covers the gap to the next photo of an album. */
const UPLOAD_GAP_MS = 1_000;
/** After this long all slots run until uploads pause, so that uploads for hours do not starve the pictures. */
const MAX_THROTTLE_MS = 120_000;

/** Allows one fewer while uploads arrive, but at least one. @param changed called when the limit rises again */
function throttleDuringUploads(max: number, changed: () => void): { begin(): void; allowed(): number } {
  /** By `performance.now()`: the first of a series of uploads. */
  let sinceMs: number | undefined;
  let ending: NodeJS.Timeout | undefined;
  return {
    begin() {
      sinceMs ??= performance.now();
      clearTimeout(ending);
      ending = setTimeout(() => {
        sinceMs = undefined;
        changed();
      }, UPLOAD_GAP_MS).unref();
    },
    allowed: () =>
      sinceMs === undefined || performance.now() - sinceMs >= MAX_THROTTLE_MS ? max : Math.max(1, max - 1),
  };
}
