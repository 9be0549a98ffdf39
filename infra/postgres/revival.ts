import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Notified when a server stops by itself. */
export interface RestartListener {
  /** It is being restarted. */
  died(): void;
  revived(): void;
  /** It cannot be restarted, or keeps crashing. Called once, with the reason. */
  gaveUp(fault: Error): void;
}

/** Delay before each attempt. */
const PAUSES_MS = [200, 1_000, 2_000, 4_000];
/** A process that ran this long did not crash for the same reason as the one before. */
const SETTLED_AFTER_MS = 60_000;

/** Restarts a process when it exits. Without a watcher it stays down. */
export function keepRunning(
  first: ChildProcess,
  startAgain: () => Promise<ChildProcess>,
  watcher: RestartListener | undefined,
) {
  let child = first;
  let isStopping = false;
  let tries = 0;
  const watching = watcher && watch(watcher).catch((error: unknown) => watcher.gaveUp(error as Error));

  async function watch({ died, revived }: RestartListener): Promise<void> {
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

  /** @throws the error of the last attempt */
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
    /** Stops restarting. Resolves when an attempt in progress has succeeded or failed. */
    async stop(): Promise<ChildProcess> {
      isStopping = true;
      // A caller that watches a running process waits for its exit afterwards.
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
