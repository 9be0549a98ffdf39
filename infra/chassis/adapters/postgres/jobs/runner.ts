import { run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { graphileLogger } from '../schema.ts';

/** First key of the advisory locks of live runners; `idHash` makes the second. */
export const ALIVE_LOCK = 0x61726264;
/** SQL for the second key. @param id an SQL expression */
export const idHash = (id: string) => `hashtext(${id}) & 2147483647`;

const RECONNECT_MS = 500;

/** Shows which runners are alive, by advisory locks on one connection. The locks vanish with the process. */
interface Presence {
  announce(runnerId: string): void;
  /** Releases the runner's lock, so that its jobs are released too. */
  retire(runnerId: string): void;
  close(): Promise<void>;
}

export function openPresence(pool: pg.Pool, logger: Logger): Presence {
  const ids = new Set<string>();
  let closed = false;
  let client: Promise<pg.PoolClient> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();

  const connect = async (): Promise<pg.PoolClient> => {
    const connection = await pool.connect();
    connection.once('error', () => {
      // close() has released it already.
      if (closed) return;
      connection.release(true);
      reconnect();
    });
    return connection;
  };
  const lock = async (runnerIds: readonly string[]) => {
    const connection = await (client ??= connect());
    for (const id of runnerIds)
      await connection.query(`select pg_advisory_lock($1, ${idHash('$2')})`, [ALIVE_LOCK, id]);
  };
  const hold = (runnerIds: readonly string[]) => {
    work = work
      .then(() => lock(runnerIds))
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the runners cannot announce themselves');
        reconnect();
      });
  };
  const reconnect = () => {
    client = undefined;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => hold([...ids]), RECONNECT_MS);
  };

  return {
    announce(runnerId) {
      ids.add(runnerId);
      hold([runnerId]);
    },
    retire(runnerId) {
      ids.delete(runnerId);
      if (closed) return;
      work = work
        .then(async () => {
          const connection = await client;
          await connection?.query(`select pg_advisory_unlock($1, ${idHash('$2')})`, [ALIVE_LOCK, runnerId]);
        })
        .catch((error: unknown) => logger.warn({ err: error }, 'a runner cannot take its leave'));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await work;
      const connection = await client?.catch(() => undefined);
      // Closes the connection, which releases its locks.
      connection?.release(true);
    },
  };
}

/** Runs jobs of the added tasks, and replaces its workers when connections break. */
export interface Runner {
  /** Starts taking jobs of this task. */
  add(task: string, run: (payload: unknown) => Promise<void>): Promise<void>;
  remove(task: string): void;
  /** Starts new workers; the old ones finish their jobs and stop. */
  renew(): void;
  /** @throws when no workers could be started */
  check(): void;
  /** Takes no more jobs, and waits for those in progress. */
  stop(): Promise<void>;
}

interface RunnerOptions {
  concurrency: number;
  pollIntervalMs: number;
  /** Skips jobs with one of these flags. */
  skipFlags: () => string[] | null;
  /** Jobs that run longer than this after a stop are released and run again. */
  stopWithinMs: number;
  presence: Presence;
}

/** One graphile-worker pool. */
interface Workers {
  /** Holder of the locks of its jobs. */
  id: string;
  /** Resolves when it has ended, even by itself. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const RESTART_AFTER_MS = 1_000;
/** Connections usually break in groups. */
const RENEW_AFTER_MS = 50;

/** @param pool its own; must keep idle connections, because one of them shows that this process is alive */
export function openRunner(pool: pg.Pool, logger: Logger, options: RunnerOptions): Runner {
  const { presence } = options;
  const tasks: TaskList = {};
  /** All that have not ended; only the last one takes jobs. */
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
      // Without its lock, jobs that it could not release are free.
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

/** @param tasks read at every fetch, so tasks may be added later */
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
    // Completions are not batched: a batch that is lost with its connection would run its jobs again.
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
