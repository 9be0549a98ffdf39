import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Notified when a server stops by itself. */
export interface RestartListener {
  /** It is being restarted. */
  died(): void;
  revived(): void;
  /** The disk is full, so it is not started. Called each minute. */
  waits(): void;
  /** It cannot be restarted, or keeps crashing. Called once, with the reason. */
  gaveUp(fault: Error): void;
}

/** Delay before each attempt. */
const PAUSES_MS = [200, 1_000, 2_000, 4_000];
/** A process that ran this long did not crash for the same reason as the one before. */
const SETTLED_AFTER_MS = 60_000;

const LOOK_FOR_ROOM_EVERY_MS = 2_000;
const WAITS_EVERY_MS = 60_000;

/**
 * Restarts a process when it exits. Without a watcher it stays down. While the disk is full it waits, however long: somebody
 * has to make room, and then it goes on by itself.
 * @param hasRoom whether the disk has room for it
 */
export function keepRunning(
  first: ChildProcess,
  startAgain: () => Promise<ChildProcess>,
  watcher: RestartListener | undefined,
  hasRoom: () => Promise<boolean>,
) {
  let child = first;
  let isStopping = false;
  let tries = 0;
  const watching = watcher && watch(watcher).catch((error: unknown) => watcher.gaveUp(error as Error));

  async function watch({ died, revived, waits }: RestartListener): Promise<void> {
    for (;;) {
      const since = Date.now();
      await ended(child);
      if (isStopping) return;
      if (Date.now() - since > SETTLED_AFTER_MS) tries = 0;
      died();
      await revive(waits);
      if (isStopping) return;
      revived();
    }
  }

  /** @returns whether there was no room at first */
  async function untilRoom(waits: () => void): Promise<boolean> {
    let hasWaited = false;
    for (let toldAt = -Infinity; !isStopping && !(await hasRoom()); hasWaited = true) {
      if (Date.now() - toldAt >= WAITS_EVERY_MS) {
        waits();
        toldAt = Date.now();
      }
      await sleep(LOOK_FOR_ROOM_EVERY_MS);
    }
    return hasWaited;
  }

  /** @throws the error of the last attempt */
  async function revive(waits: () => void): Promise<void> {
    for (let fault: unknown; !isStopping;) {
      // Attempts that failed for lack of room do not count.
      if (await untilRoom(waits)) tries = 0;
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
