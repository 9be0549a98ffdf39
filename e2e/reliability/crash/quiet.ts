import { setTimeout as sleep } from 'node:timers/promises';
import { concerns, type Kill } from './kills.ts';

/** Polling takes at most a fifth of the time. */
const PAUSES_A_TURN = 4;

/** Does it again and again, with a pause after each time. `stop` does it once more. @throws what it threw, at stop */
function repeatUntilStopped(pauseMs: number, act: () => Promise<void>): { stop(): Promise<void> } {
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

/** Notes of each kill when nothing from before it waits for its process any more. */
export const watchCatchingUp = (
  kills: readonly Kill[],
  oldestWaiting: () => Promise<ReadonlyMap<string, number>>,
): { stop(): Promise<void> } =>
  repeatUntilStopped(LOOK_EVERY_MS, async () => {
    const behind = kills.filter(
      (kill) => !kill.isSuperseded && kill.servedAt !== undefined && kill.caughtUpAt === undefined,
    );
    if (behind.length === 0) return;
    const oldest = await oldestWaiting();
    for (const kill of behind) {
      const waiting = [...oldest].filter(([service]) => concerns(kill, service)).map(([, since]) => since);
      if (Math.min(...waiting) > kill.at) kill.caughtUpAt = Math.max(Date.now(), kill.servedAt!);
    }
  });

const LOOK_EVERY_MS = 250;

interface Patience {
  /** Gives up when for so long there has not been less to do than ever before. */
  withoutProgressMs: number;
  /** Pause between two looks; more where a look takes long. */
  pauseMs: number;
}

const PATIENCE: Patience = { withoutProgressMs: 180_000, pauseMs: 500 };
/** Polling must not keep the product busy. */
const PAUSES_A_LOOK = 4;

/** Until nothing is left to do, or what is left does not become less any more: that the checker tells. */
export async function becomeQuiet(
  leftovers: () => Promise<readonly { count: number }[]>,
  { withoutProgressMs, pauseMs }: Patience = PATIENCE,
): Promise<void> {
  let least = Infinity;
  let lessSince = Date.now();
  for (;;) {
    const began = Date.now();
    const left = (await leftovers()).reduce((sum, { count }) => sum + count, 0);
    if (left === 0) return;
    if (left < least) [least, lessSince] = [left, Date.now()];
    if (Date.now() - lessSince > withoutProgressMs) return;
    await sleep(Math.max(pauseMs, PAUSES_A_LOOK * (Date.now() - began)));
  }
}
