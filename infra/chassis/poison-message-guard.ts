/** After a crash, any event in flight may be the poison message. Handling suspects alone finds out which one it is. */

/** Crashes that an event may be in flight at before it is handled alone. */
export const SUSPECT_AFTER_CRASHES = 2;
/** Crashes during an event's solitary handling after which it becomes a dead letter. */
export const MAX_CRASHES_ALONE = 5;
export const KILLED_ITS_PROCESS = 'its process died each time it was handled, with nothing else in hand';

/**
 * Crashes after which a job becomes a dead letter. The bound is high because jobs run side by side, so a crash may
 * be another job's fault.
 */
export const MAX_JOB_CRASHES = 20;

/** Lets ordinary work run concurrently, and suspected poison messages run alone. */
export interface PoisonMessageGuard {
  concurrently(work: () => Promise<void>): Promise<void>;
  /** @param work receives false when other work did not end within the time limit, so it does not run alone */
  exclusively(work: (isAlone: boolean) => Promise<void>): Promise<void>;
}

/** Longest wait for exclusivity, and longest exclusivity: a slow handler must not block all others. */
const EXCLUSIVE_LIMIT_MS = 10_000;

export function openPoisonMessageGuard(limitMs = EXCLUSIVE_LIMIT_MS): PoisonMessageGuard {
  const suspects: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  let isExclusive = false;

  const next = () => {
    if (isExclusive) return;
    if (suspects.length > 0) {
      if (running === 0) suspects.shift()!();
      return;
    }
    for (const begin of others.splice(0)) begin();
  };
  /** @returns whether the caller has exclusivity */
  const takeExclusivity = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => {
      isExclusive = true;
      resolve(true);
    };
    suspects.push(begin);
    const timer = setTimeout(() => {
      const at = suspects.indexOf(begin);
      if (at >= 0) suspects.splice(at, 1);
      resolve(false);
      next();
    }, limitMs).unref();
    next();
    const isAlone = await promise;
    clearTimeout(timer);
    return isAlone;
  };

  return {
    async concurrently(work) {
      if (isExclusive || suspects.length > 0)
        await new Promise<void>((resolve) => others.push(() => resolve(void running++)));
      else running++;
      try {
        await work();
      } finally {
        running--;
        next();
      }
    },
    async exclusively(work) {
      const isAlone = await takeExclusivity();
      let holds = isAlone;
      const release = () => {
        if (!holds) return;
        holds = false;
        isExclusive = false;
        next();
      };
      const timer = setTimeout(release, limitMs).unref();
      try {
        await work(isAlone);
      } finally {
        clearTimeout(timer);
        release();
      }
    },
  };
}
