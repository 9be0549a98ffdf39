import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** The default suits a busy machine, where pictures are made after everything else. */
  withinMs?: number;
  /** Ends waiting and calls. */
  signal?: AbortSignal;
}

const PAUSE_MS = 50;

/**
 * Asks until there is a value. A call that fails is repeated too.
 * @throws with `what` and the last failure
 */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { withinMs = 60_000, signal }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let cause: unknown;
    try {
      const found = await ask();
      if (found) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) {
      const reason = cause instanceof Error ? `: ${cause.message}` : '';
      throw new Error(`${what} did not come within ${withinMs / 1000} s${reason}`, { cause });
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}
