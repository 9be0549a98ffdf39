import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who hears of a server that ended though nobody stopped it. */
export interface Watcher {
  /** It is being started once more. */
  died(): void;
  revived(): void;
  /** It cannot be started, or ends again and again. Said once, with why. */
  gaveUp(fault: Error): void;
}

/** Before each try. */
const PAUSES_MS = [200, 1_000, 2_000, 4_000];
/** One that ran for so long has not ended for the reason for which the one before did. */
const SETTLED_AFTER_MS = 60_000;

/** A process that is started once more when it ends; nobody is told where nobody watches, and it stays ended. */
export function keepRunning(
  first: ChildProcess,
  startAgain: () => Promise<ChildProcess>,
  watcher: Watcher | undefined,
) {
  let child = first;
  let isStopping = false;
  let tries = 0;
  const watching = watcher && watch(watcher).catch((error: unknown) => watcher.gaveUp(error as Error));

  async function watch({ died, revived }: Watcher): Promise<void> {
    for (;;) {
      const since = Date.now();
      await ended(child);
      if (isStopping) return;
      if (Date.now() - since > SETTLED_AFTER_MS) tries = 0;
      died();
      await revive();
      if (isStopping) return;
      revived();
    }
  }

  /** @throws what the last try failed with */
  async function revive(): Promise<void> {
    for (let fault: unknown; !isStopping;) {
      const pauseMs = PAUSES_MS[tries++];
      if (pauseMs === undefined) throw fault ?? new Error('it ends again and again');
      await sleep(pauseMs);
      try {
        if (!isStopping) child = await startAgain();
        return;
      } catch (error) {
        fault = error;
      }
    }
  }

  return {
    child: () => child,
    /** Nothing is started any more. Resolves when what was on its way is there, or is not. */
    async stop(): Promise<ChildProcess> {
      isStopping = true;
      // Who watches a running one waits for its end, which comes afterwards.
      if (hasEnded(child)) await watching;
      return child;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit');
}
