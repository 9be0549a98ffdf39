import { EventEmitter } from 'node:events';
import { run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { EVENTS_ANNOUNCED, hearOnly } from './announcements.ts';
import { graphileLogger } from './schema.ts';

const KNOCK_AGAIN_MS = 3;
const MAX_KNOCKS = 5;

export interface WorkersOptions {
  concurrency: number;
  pollIntervalMs: number;
  /** What its tasks are: it is woken for nothing else. Events are short, and fetched many at a time, without `skipFlags`. */
  runs: 'events' | 'jobs';
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
  hearOnly(options.runs, events);
  const areEvents = options.runs === 'events';
  if (areEvents) knockAgain(events);
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
        ...(areEvents ? { localQueue: { size: options.concurrency } } : {}),
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

/**
 * While one fetch looks for jobs it holds every free named queue, and another at the same moment sees none (SKIP
 * LOCKED). One that comes back empty although events were announced asks again, instead of waiting for the next poll.
 */
export function knockAgain(events: WorkerEvents): void {
  let knocks = 0;
  let pool: { nudge(count: number): void } | undefined;
  events.on('pool:listen:notification', ({ message, workerPool }) => {
    if (message.payload !== EVENTS_ANNOUNCED) return;
    pool = workerPool as unknown as typeof pool;
    knocks = MAX_KNOCKS;
  });
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    if (jobs.length > 0) knocks = 0;
    else if (knocks-- > 0) setTimeout(() => pool?.nudge(1), KNOCK_AGAIN_MS).unref();
  });
}
