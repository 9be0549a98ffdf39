import { EventEmitter } from 'node:events';
import { run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { graphileLogger } from './schema.ts';

export interface WorkersOptions {
  concurrency: number;
  pollIntervalMs: number;
  /** Fetches many at a time, for jobs that are short. Excludes `skipFlags`. */
  batch: boolean;
  /** Jobs with one of these flags are left to others for the moment. */
  skipFlags?: () => string[] | null;
}

/** One pool of graphile-worker. */
export interface Workers {
  /** Under which jobs are locked while they are in hand. */
  id: string;
  /** Resolves when it has ended, asked to or not. */
  ended: Promise<void>;
  /** Takes nothing more and waits for what is in hand; what still is after `withinMs` is given back. */
  stop(withinMs: number): Promise<void>;
}

/** @param tasks is read anew at every fetch: what is added later is taken too. */
export async function startWorkers(
  pool: pg.Pool,
  tasks: TaskList,
  logger: Logger,
  options: WorkersOptions,
): Promise<Workers> {
  const events = new EventEmitter() as WorkerEvents;
  let workers!: WorkerPool;
  events.once('pool:create', ({ workerPool }) => (workers = workerPool));
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
  const ended = runner.promise.catch((error: unknown) => {
    logger.warn({ err: error }, 'workers ended with an error');
  });
  return {
    id: workers.id,
    ended,
    async stop(withinMs) {
      const cut = setTimeout(() => {
        logger.warn('jobs in hand are taking too long; they will be run again');
        // runner.kill() does nothing once a graceful stop has begun.
        void Promise.resolve(workers.forcefulShutdown('stopped while it ran')).catch(() => undefined);
      }, withinMs);
      await runner.stop().catch(() => undefined);
      await ended;
      clearTimeout(cut);
    },
  };
}
