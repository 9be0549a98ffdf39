import { setTimeout as sleep } from 'node:timers/promises';

/** Polling takes at most a fifth of the time. */
const PAUSES_A_TURN = 4;

/** Does it again and again, with a pause after each time. `stop` does it once more. @throws what it threw, at stop */
export function repeatUntilStopped(pauseMs: number, act: () => Promise<void>): { stop(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const began = Date.now();
      await act();
      if (!isStopped) await sleep(Math.max(pauseMs, PAUSES_A_TURN * (Date.now() - began)));
    }
    await act();
  })();
  // stop() reports it.
  running.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
