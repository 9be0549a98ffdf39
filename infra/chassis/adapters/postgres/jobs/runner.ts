import { EventEmitter } from 'node:events';
import { run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { graphileLogger } from '../schema.ts';
import type { Presence } from './presence.ts';

/** Runs the jobs of the tasks it is given, whatever happens to connections. */
export interface Runner {
  /** From now on this process takes jobs of this task. */
  add(task: string, run: (payload: unknown) => Promise<void>): Promise<void>;
  remove(task: string): void;
  /** Other workers take over; those of now finish what they have in hand. */
  renew(): void;
  /** @throws when there are no workers although there should be */
  check(): void;
  /** Takes nothing more; waits for what is in hand. */
  stop(): Promise<void>;
}

export interface RunnerOptions {
  concurrency: number;
  pollIntervalMs: number;
  /** Jobs with one of these flags are left to others for the moment. */
  skipFlags: () => string[] | null;
  /** What is still in hand after so long a stop is given back and run again. */
  stopWithinMs: number;
  presence: Presence;
}

/** One pool of graphile-worker. */
interface Workers {
  /** Under which jobs are locked while they are in hand. */
  id: string;
  /** Resolves when it has ended, asked to or not. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const RESTART_AFTER_MS = 1_000;
/** Many connections are lost at once. */
const RENEW_AFTER_MS = 50;

/** @param pool its own; must not close idle connections, as one of them shows that this process lives. */
export function openRunner(pool: pg.Pool, logger: Logger, options: RunnerOptions): Runner {
  const { presence } = options;
  const tasks: TaskList = {};
  /** All that have not ended; the last takes jobs. */
  const alive = new Set<Workers>();
  let starting: Promise<void> | undefined;
  let failure: unknown;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const start = async () => {
    const workers = await startWorkers(pool, tasks, logger, options);
    failure = undefined;
    presence.announce(workers.id);
    alive.add(workers);
    void workers.ended.then(() => {
      alive.delete(workers);
      // What it could not give back is free as soon as nobody answers for it.
      presence.retire(workers.id);
      if (alive.size === 0) replace(RESTART_AFTER_MS);
    });
  };
  const replace = (afterMs: number) => {
    if (stopped || starting === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const former = [...alive];
      starting = start();
      starting.then(
        () => former.forEach((workers) => void workers.stop()),
        (error: unknown) => {
          failure = error;
          logger.error({ err: error }, 'workers cannot start');
          replace(RESTART_AFTER_MS);
        },
      );
    }, afterMs);
  };

  return {
    async add(task, perform) {
      tasks[task] = async (payload) => perform(payload);
      await (starting ??= start());
    },
    remove: (task) => void delete tasks[task],
    renew: () => replace(RENEW_AFTER_MS),
    check() {
      if (failure !== undefined) throw new Error('there are no workers', { cause: failure });
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await starting?.catch(() => undefined);
      await Promise.all([...alive].map((workers) => workers.stop()));
    },
  };
}

/** @param tasks is read anew at every fetch: what is added later is taken too. */
async function startWorkers(
  pool: pg.Pool,
  tasks: TaskList,
  logger: Logger,
  options: RunnerOptions,
): Promise<Workers> {
  const events: WorkerEvents = new EventEmitter();
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
    // A job that is done while its connection is lost is then told to be done once more.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  const ended = runner.promise.catch((error: unknown) => {
    logger.warn({ err: error }, 'workers ended with an error');
  });
  return {
    id: workers.id,
    ended,
    async stop() {
      const cut = setTimeout(() => {
        logger.warn('jobs in hand are taking too long; they will be run again');
        // runner.kill() does nothing once a graceful stop has begun.
        void Promise.resolve(workers.forcefulShutdown('stopped while it ran')).catch(() => undefined);
      }, options.stopWithinMs);
      await runner.stop().catch(() => undefined);
      await ended;
      clearTimeout(cut);
    },
  };
}
