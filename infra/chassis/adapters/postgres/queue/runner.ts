import type { TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import type { Presence } from './presence.ts';
import { startWorkers, type Workers, type WorkersOptions } from './workers.ts';

/** Runs the jobs of the tasks it is given, whatever happens to connections. */
export interface Runner {
  /** From now on this process takes jobs of this task. @param run `taken`: how often it was, this time included. */
  add(task: string, run: (payload: unknown, taken: number) => Promise<void>): Promise<void>;
  remove(task: string): void;
  /** Other workers take over; those of now finish what they have in hand. */
  renew(): void;
  /** @throws when there are no workers although there should be. */
  check(): void;
  /** Takes nothing more; waits for what is in hand, at most `stopWithinMs`. */
  stop(): Promise<void>;
}

export interface RunnerOptions extends WorkersOptions {
  /** What is still in hand then is given back and run again. */
  stopWithinMs: number;
  presence: Presence;
}

const RESTART_AFTER_MS = 1_000;
/** Many connections are lost at once. */
const RENEW_AFTER_MS = 50;

/** @param pool its own; must not close idle connections, as one of them shows that this process lives. */
export function openRunner(pool: pg.Pool, logger: Logger, options: RunnerOptions): Runner {
  const { presence, stopWithinMs } = options;
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
        () => former.forEach((workers) => void workers.stop(stopWithinMs)),
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
      tasks[task] = async (payload, { job }) => perform(payload, job.attempts);
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
      await Promise.all([...alive].map((workers) => workers.stop(stopWithinMs)));
    },
  };
}
