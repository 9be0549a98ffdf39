import { waitUntil } from '@arboleda/cli/demo/wait.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** On a busy machine what gives way to all others takes long, such as the making of pictures. */
export const PATIENCE_MS = 60_000;

/** Asks until there is an answer. @throws naming what was waited for, and what was last thrown */
export const waitFor = <T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = PATIENCE_MS,
): Promise<T> => waitUntil(what, ask, { withinMs: timeoutMs });

/** Repeats an expectation of a page until it is met: what follows from a click may be rendered a moment later. */
export async function soon(expectation: () => Promise<void>): Promise<void> {
  await waitFor('an expectation to be met', async () => {
    await expectation();
    return true;
  });
}

/** Makes many things, a few at a time. @returns them in order */
export async function inTurn<T>(
  count: number,
  make: (index: number) => Promise<T>,
  atOnce = 6,
): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      while (next < count) {
        const index = next++;
        made[index] = await make(index);
      }
    }),
  );
  return made;
}

/** Something that goes on in the background; `stop` waits for its end and throws what broke it. */
export interface Going<T> {
  stop(): Promise<T>;
}

/** Does something again and again, with a pause after each time, until it is stopped. @returns what each time returned */
export function repeatedly<T>(act: (signal: AbortSignal) => Promise<T>, pauseMs: number): Going<T[]> {
  const over = new AbortController();
  const going = (async () => {
    const results: T[] = [];
    while (!over.signal.aborted) {
      results.push(await act(over.signal));
      await sleep(pauseMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return results;
  })();
  // stop() reports it.
  going.catch(() => undefined);
  return {
    stop() {
      over.abort();
      return going;
    },
  };
}
