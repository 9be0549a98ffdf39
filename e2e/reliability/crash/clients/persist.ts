import { Refused } from '@arboleda/contracts/client.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const CALL_WITHIN_MS = 20_000;
/** Nothing may be stuck; how soon it comes is measured elsewhere. */
export const GIVE_UP_MS = 300_000;
const PAUSES_MS = [100, 250, 500, 1_000];

/** Not an answer to what was asked: the same again may be answered. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status >= 500 || error.status === 429 || error.status === 408;

/**
 * Asks until there is an answer, as the web app does: the same request under the same Idempotency-Key.
 * @throws Refused when the product says no; an Error when there is no answer for minutes
 */
export async function persist<T>(what: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const begunAt = Date.now();
  for (let tries = 0; ; tries++) {
    try {
      return await ask(AbortSignal.timeout(CALL_WITHIN_MS));
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (Date.now() - begunAt > GIVE_UP_MS) {
        throw new Error(`${what}: no answer in ${GIVE_UP_MS / 1000} s`, { cause: error });
      }
    }
    await sleep(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
  }
}
