import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 15;

/**
 * Asks again until there is an answer. A probe that throws (an expectation not met yet) is asked again too.
 * @throws what the probe last threw, or that nothing came, when `timeoutMs` have passed.
 */
export async function waitFor<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 20_000,
  pauseMs = PAUSE_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) throw failure ?? new Error(`nothing came within ${timeoutMs} ms`);
    await sleep(pauseMs);
  }
}
