import { repeatUntilStopped } from './repeat.ts';
import { concerns, type Kill } from './kills.ts';

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
