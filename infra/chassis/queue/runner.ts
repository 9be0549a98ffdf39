import { EventEmitter } from 'node:events';
import {
  run,
  type Runner as GraphileRunner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { graphileLogger } from './schema.ts';

/** One graphile-worker pool of a process. Tasks may be added and removed while it runs. */
export interface Runner {
  /** From now on this process takes jobs of this task. */
  add(task: string, run: (payload: unknown) => Promise<void>): Promise<void>;
  remove(task: string): void;
  /** @throws when it has stopped although nobody asked it to. */
  check(): void;
  /** Takes nothing more; waits for what is in hand, at most `stopWithinMs`. */
  stop(): Promise<void>;
}

export interface RunnerOptions {
  concurrency: number;
  pollIntervalMs: number;
  /** Fetches many at a time, for jobs that are short. Excludes `skipFlags`. */
  batch: boolean;
  /** What is still in hand then is given back and run again. */
  stopWithinMs: number;
  /** Jobs with one of these flags are left to others for the moment. */
  skipFlags?: () => string[] | null;
  /** Is told the id under which this runner locks jobs. */
  announce: (runnerId: string) => void;
}

/** @param pool its own, with room for `concurrency` and one listener; must not close idle connections. */
export function openRunner(pool: pg.Pool, logger: Logger, options: RunnerOptions): Runner {
  const tasks: TaskList = {};
  let running: Promise<GraphileRunner> | undefined;
  let failure: unknown;
  let stopping = false;
  let workers: WorkerPool | undefined;
  const events = new EventEmitter() as WorkerEvents;
  events.on('pool:create', ({ workerPool }) => {
    workers = workerPool;
    options.announce(workerPool.id);
  });

  const start = async (): Promise<GraphileRunner> => {
    const runner = await run({
      pgPool: pool,
      concurrency: options.concurrency,
      pollInterval: options.pollIntervalMs,
      noHandleSignals: true,
      parsedCronItems: [],
      taskList: tasks,
      forbiddenFlags: options.skipFlags,
      events,
      logger: graphileLogger(logger),
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          ...(options.batch ? { localQueue: { size: options.concurrency } } : {}),
        },
      },
    });
    failure = undefined;
    runner.promise.then(
      () => restart(new Error('the runner ended by itself')),
      (error: unknown) => restart(error),
    );
    return runner;
  };
  const restart = (error: unknown) => {
    if (stopping) return;
    failure = error;
    logger.error({ err: error }, 'the runner stopped; starting another');
    running = start();
    running.catch((again: unknown) => setTimeout(() => restart(again), 1_000).unref());
  };

  return {
    async add(task, perform) {
      tasks[task] = async (payload) => perform(payload);
      // The list is read anew at every fetch, so that a running one sees it.
      await (running ??= start());
    },
    remove: (task) => void delete tasks[task],
    check() {
      if (failure !== undefined) throw new Error('the runner has stopped', { cause: failure });
    },
    async stop() {
      stopping = true;
      const runner = await running?.catch(() => undefined);
      if (!runner) return;
      const kill = setTimeout(() => {
        logger.warn('jobs in hand are taking too long; they will be run again');
        // runner.kill() does nothing once a graceful stop has begun.
        void Promise.resolve(workers?.forcefulShutdown('stopped while it ran')).catch(() => undefined);
      }, options.stopWithinMs);
      await runner.stop().catch(() => undefined);
      await runner.promise.catch(() => undefined);
      clearTimeout(kill);
    },
  };
}
