/**
 * After a process has died, one of the events that it had in hand may have killed it. Which one, only a death tells
 * during which nothing else was in hand.
 */

/** So often an event may be in hand at a death before it is suspected, and handled alone from then on. */
export const SUSPECT_AFTER_DEATHS = 2;
/** An event during whose handling, alone, its process died so often is a dead letter. */
export const MAX_DEATHS_ALONE = 5;
export const KILLED_ITS_PROCESS = 'its process died each time it was handled, with nothing else in hand';

/**
 * A job whose process died so often while it was in hand is a dead letter. Many, as nobody tells whose fault a death was: somebody who
 * kills a process twenty times while a photo waits for its pictures shall not cost the photo.
 */
export const MOST_DEATHS_OF_A_JOB = 20;

/** Who may be handled side by side: those that nobody suspects with each other, a suspect with nobody. */
export interface Caution {
  together(work: () => Promise<void>): Promise<void>;
  /** @param work is told whether nothing else is in hand; it is not so when something did not end in time. */
  alone(work: (isAlone: boolean) => Promise<void>): Promise<void>;
}

/** How long others are waited for, and wait: what takes longer must not hold up everything. */
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
  /** @returns whether it may have everything for itself. */
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
