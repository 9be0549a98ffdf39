/** After a crash, any event in flight may be the poison message. Handling suspects alone finds out which one it is. */

/** Crashes that an event may be in flight at before it is handled alone. */
export const SUSPECT_AFTER_DEATHS = 2;
/** Crashes during an event's solitary handling after which it becomes a dead letter. */
export const MAX_DEATHS_ALONE = 5;
export const KILLED_ITS_PROCESS = 'its process died each time it was handled, with nothing else in hand';

/**
 * Crashes after which a job becomes a dead letter. The bound is high because jobs run side by side, so a crash may
 * be another job's fault.
 */
export const MOST_DEATHS_OF_A_JOB = 20;

/** Lets ordinary work run concurrently, and suspected poison messages run alone. */
export interface Caution {
  together(work: () => Promise<void>): Promise<void>;
  /** @param work receives false when other work did not end within the time limit, so it does not run alone */
  alone(work: (isAlone: boolean) => Promise<void>): Promise<void>;
}

/** Longest wait for exclusivity, and longest exclusivity: a slow handler must not block all others. */
const PATIENCE_MS = 10_000;

export function openCaution(patienceMs = PATIENCE_MS): Caution {
  const suspects: (() => void)[] = [];
  const others: (() => void)[] = [];
  let together = 0;
  let taken = false;

  const next = () => {
    if (taken) return;
    if (suspects.length > 0) {
      if (together === 0) suspects.shift()!();
      return;
    }
    for (const begin of others.splice(0)) begin();
  };
  /** @returns whether the caller has exclusivity */
  const turn = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => {
      taken = true;
      resolve(true);
    };
    suspects.push(begin);
    const timer = setTimeout(() => {
      const at = suspects.indexOf(begin);
      if (at >= 0) suspects.splice(at, 1);
      resolve(false);
      next();
    }, patienceMs).unref();
    next();
    const isAlone = await promise;
    clearTimeout(timer);
    return isAlone;
  };

  return {
    async together(work) {
      if (taken || suspects.length > 0)
        await new Promise<void>((resolve) => others.push(() => resolve(void together++)));
      else together++;
      try {
        await work();
      } finally {
        together--;
        next();
      }
    },
    async alone(work) {
      const isAlone = await turn();
      let holds = isAlone;
      const letGo = () => {
        if (!holds) return;
        holds = false;
        taken = false;
        next();
      };
      const timer = setTimeout(letGo, patienceMs).unref();
      try {
        await work(isAlone);
      } finally {
        clearTimeout(timer);
        letGo();
      }
    },
  };
}
