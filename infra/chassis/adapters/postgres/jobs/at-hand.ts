import type { Courtesy } from '../../../courtesy.ts';
import type { Limits } from '../../../limits.ts';
import type { Logger } from '../../../log.ts';
import { repeat } from '../../../repeat.ts';
import type { Errand } from './errand.ts';

/**
 * Short jobs of this process that are run without a queue, as long as none of their kind that is due waits in it: else
 * those would wait for as long as others come.
 */
export interface JobsAtHand {
  add(task: string, run: (errand: Errand) => Promise<void>): void;
  remove(task: string): void;
  /** Whether jobs of this kind may be given now. */
  takes(task: string): boolean;
  /**
   * Resolves when it is done, or stored for another try. One whose key another has that has not begun takes its place, and
   * both are done when it is.
   */
  give(task: string, errand: Errand): Promise<void>;
  /** Begins nothing more, and waits for what is begun; what is not done after `withinMs` counts as failed. */
  stop(withinMs: number): Promise<void>;
}

interface Given {
  errand: Errand;
  /** Of `performance.now()`. */
  sinceMs: number;
  done: PromiseWithResolvers<void>;
  outcome: Promise<void>;
}

interface Line {
  run: (errand: Errand) => Promise<void>;
  /** Something of it may wait in the queue. */
  isBehind: boolean;
  /** Whether it was given something since the queue was last looked at. */
  wasUsed: boolean;
  waiting: Given[];
  running: Set<Promise<void>>;
}

/** More is better kept in the queue than in memory. */
const MOST_WAITING = 1_000;
const LOOK_EVERY_MS = 250;
const STOPPED = 'stopped before it was done';

/** @param parts.due the kinds of which jobs that are due wait in the queue */
export function openJobsAtHand(parts: {
  limits: Limits;
  courtesy: Courtesy;
  due(): Promise<ReadonlySet<string>>;
  logger: Logger;
}): JobsAtHand {
  const { limits, courtesy, due, logger } = parts;
  const lines = new Map<string, Line>();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  let isStopped = false;

  const begin = (task: string, line: Line) => {
    while (!isStopped && line.waiting.length > 0 && limits.take(task)) {
      const { errand, sinceMs, done } = line.waiting.shift()!;
      const running = courtesy
        .afterOthers(sinceMs, () => line.run(errand))
        .then(done.resolve, done.reject)
        .finally(() => {
          line.running.delete(running);
          limits.give(task);
        });
      line.running.add(running);
    }
  };
  limits.onFree((task) => {
    const line = lines.get(task);
    if (line) begin(task, line);
  });

  const look = async () => {
    const used = [...lines.values()].filter((line) => line.isBehind || line.wasUsed);
    if (used.length === 0) return;
    for (const line of used) line.wasUsed = false;
    const waiting = await due();
    for (const [task, line] of lines) line.isBehind = waiting.has(task);
  };
  const looking = repeat(LOOK_EVERY_MS, look, logger, 'looking for jobs that wait in the queue');
  const drop = (line: Line) => {
    for (const { done } of line.waiting.splice(0)) done.reject(new Error(STOPPED));
  };

  return {
    add: (task, run) =>
      // What the process before left may wait.
      void lines.set(task, { run, isBehind: true, wasUsed: false, waiting: [], running: new Set() }),
    remove(task) {
      const line = lines.get(task);
      lines.delete(task);
      if (line) drop(line);
    },
    takes(task) {
      const line = lines.get(task);
      return !isStopped && line !== undefined && !line.isBehind && line.waiting.length < MOST_WAITING;
    },
    give(task, errand) {
      const line = lines.get(task)!;
      line.wasUsed = true;
      const same =
        errand.key === undefined ? undefined : line.waiting.find((one) => one.errand.key === errand.key);
      if (same) {
        same.errand = errand;
        return same.outcome;
      }
      const done = Promise.withResolvers<void>();
      const outcome = Promise.race([done.promise, stopped.promise]);
      line.waiting.push({ errand, sinceMs: performance.now(), done, outcome });
      begin(task, line);
      return outcome;
    },
    async stop(withinMs) {
      isStopped = true;
      for (const line of lines.values()) drop(line);
      const timer = setTimeout(() => stopped.reject(new Error(STOPPED)), withinMs);
      const running = [...lines.values()].flatMap((line) => [...line.running]);
      await Promise.race([Promise.all(running), stopped.promise]).catch(() => undefined);
      clearTimeout(timer);
      await looking.stop();
    },
  };
}
