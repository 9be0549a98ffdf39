import { setTimeout as sleep } from 'node:timers/promises';

const ASK_EVERY_MS = 100;

/** Polls until there is a value. @throws with `what` after `timeoutMs` */
export async function until<T>(
  what: string,
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}
