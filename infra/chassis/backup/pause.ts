import { setTimeout as sleep } from 'node:timers/promises';

/** An engine that pauses for ten seconds may need some more until it answers again. */
const WITHIN_MS = 60_000;
const EVERY_MS = 2_000;

/**
 * Takes a step again while its engine does not answer, until a minute has passed since it first failed.
 * @param step may be taken several times
 * @throws the last error of `step`
 */
export async function waitedFor<T>(
  step: () => Promise<T>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  let until: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      until ??= performance.now() + withinMs;
      if (performance.now() + everyMs > until) throw error;
      await sleep(everyMs);
    }
  }
}
