import { setTimeout as sleep } from 'node:timers/promises';

/** Does it again and again, with a pause after each time. `stop` does it once more. @throws what it threw, at stop */
export function repeatUntilStopped(pauseMs: number, act: () => Promise<void>): { stop(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await act();
      if (!isStopped) await sleep(pauseMs);
    }
    await act();
  })();
  // Whoever stops it hears of it.
  running.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
