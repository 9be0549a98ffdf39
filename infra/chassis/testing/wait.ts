import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 15;

/**
 * Retries the probe until it returns a value. A probe that throws (for example a failed expectation) is retried too.
 * @throws the probe's last error, or a timeout, after `timeoutMs`
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
