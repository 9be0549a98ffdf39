import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { currentContext, withContext } from '../../../context.ts';
import type { Logger } from '../../../log.ts';
import { Hopeless, type Job, type Jobs } from '../../../ports/jobs.ts';
import { MOST_DEATHS_OF_A_JOB } from '../../../caution.ts';
import { addJobs } from '../queue/add.ts';
import { prepared } from '../sql/prepared.ts';
import { buryAll, exhume, forget, listDead } from '../queue/dead-letters.ts';
import { retryDelayMs, type RetryPolicy } from '../../../retry.ts';
import type { Runner } from '../queue/runner.ts';
import type { Limits } from '../../../limits.ts';
import { traced } from '../../../telemetry/trace.ts';
import { crashPoint } from '../../../crash-point.ts';
import { handOverStored } from '../../../outbox/hand-over.ts';
import type { JobsAtHand } from './at-hand.ts';
import type { Errand } from './errand.ts';

/** A handler that has no free hand gives the job back for so long. */
const BUSY_MS = 20;

/**
 * Jobs of one service on graphile-worker.
 * @param parts.atHand gets what is handed over of short kinds; all is stored when it is absent
 */
export function openJobs(parts: {
  service: string;
  pool: pg.Pool;
  runner: Runner;
  limits: Limits;
  retries: RetryPolicy;
  logger: Logger;
  atHand: JobsAtHand | undefined;
}): Jobs {
  const { service, pool, runner, limits, retries, logger, atHand } = parts;
  const tasks = new Set<string>();
  const taskOf = (name: string) => `job:${service}:${name}`;

  const add = (task: string, errand: Errand, when: { runAt?: string | undefined; delayMs?: number }) =>
    addJobs(pool, [{ task, flag: task, key: errand.key, payload: errand, ...when }]);

  const errandOf = ({ name, payload, key, context = currentContext() }: Job): [string, Errand] => {
    const task = taskOf(name);
    return [task, { payload, attempt: 0, key: key === undefined ? undefined : `${task}:${key}`, context }];
  };
  const enqueue = (jobs: readonly Job[]) =>
    addJobs(
      pool,
      jobs.map((job) => {
        const [task, errand] = errandOf(job);
        return { task, flag: task, key: errand.key, runAt: job.runAt, payload: errand };
      }),
    );

  const give = async (atHand: JobsAtHand, jobs: readonly Job[]) => {
    const isTaken = (job: Job) => job.runAt === undefined && atHand.takes(taskOf(job.name));
    // As it would come from the queue.
    const copyOf = (errand: Errand) => JSON.parse(JSON.stringify(errand)) as Errand;
    const begin = (job: Job) => {
      const [task, errand] = errandOf(job);
      return atHand.give(task, copyOf(errand));
    };
    const given = new Map(jobs.filter(isTaken).map((job) => [job, begin(job)]));
    const left = jobs.filter((job) => !given.has(job));
    const stored = left.length > 0 ? enqueue(left) : undefined;
    await stored?.catch(() => undefined);
    return jobs.map((job) => given.get(job) ?? stored!);
  };

  const serve = async (task: string, concurrency: number, run: (errand: Errand) => Promise<void>) => {
    tasks.add(task);
    limits.set(task, concurrency);
    await runner.add(task, async (payload) => {
      const errand = payload as Errand;
      if (!limits.take(task)) return add(task, errand, { delayMs: BUSY_MS });
      try {
        await inContext(run)(errand);
      } finally {
        limits.give(task);
      }
    });
  };

  return {
    engine: 'postgres',
    enqueue,
    handOver: atHand ? (jobs) => give(atHand, jobs) : handOverStored(enqueue),

    async handle(name, handler, options = {}) {
      const task = taskOf(name);
      const policy = { ...retries, maxAttempts: options.maxAttempts ?? retries.maxAttempts };
      const run = async (errand: Errand) => {
        try {
          await traced({ name: `job ${name}`, kind: 'consumer', service }, () => handler(errand.payload));
        } catch (error) {
          const attempt = errand.attempt + 1;
          const delayMs = error instanceof Hopeless ? undefined : retryDelayMs(policy, attempt);
          if (delayMs === undefined) {
            logger.error({ err: error, task }, 'a job became a dead letter');
            await options.onDead?.(errand.payload);
            await buryAll(pool, [{ task, key: errand.key, payload: errand, error: String(error) }]);
          } else {
            logger.warn({ err: error, task, attempt, delayMs }, 'a job will be tried again');
            await add(task, { ...errand, attempt }, { delayMs });
          }
        }
      };
      await serve(task, options.concurrency ?? 1, run);
      if (options.isShort) atHand?.add(task, inContext(run));
    },

    async every(name, intervalMs, run) {
      const task = taskOf(`every:${name}`);
      const errand: Errand = { payload: {}, attempt: 0, key: task, context: currentContext() };
      await serve(task, 1, async () => {
        await withContext({ correlationId: randomUUID() }, run).catch((error: unknown) =>
          logger.error({ err: error, task }, 'a regular job failed'),
        );
        await add(task, errand, { delayMs: intervalMs });
      });
      await startRegular(pool, task, errand, intervalMs);
    },

    async waiting() {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs
         where starts_with(task_identifier, $1) and not starts_with(task_identifier, $2)
           and locked_at is null and run_at <= now()`,
        [taskOf(''), taskOf('every:')],
      );
      return rows[0]!.n;
    },

    async deadJobs() {
      const graves = await listDead(pool, 'job', service);
      return graves.map(({ id, owner, task, payload, error, failed_at }) => ({
        id,
        service: owner,
        name: task.slice(taskOf('').length),
        payload: (payload as Errand).payload,
        error,
        failedAt: failed_at.toISOString(),
      }));
    },

    replay: (deadJobId) => exhume(pool, 'job', deadJobId),
    discard: (deadJobId) => forget(pool, 'job', deadJobId),

    check: async () => {
      runner.check();
      await pool.query('select 1');
    },
    async close() {
      for (const task of tasks) {
        runner.remove(task);
        atHand?.remove(task);
      }
    },
  };
}

const inContext = (run: (errand: Errand) => Promise<void>) => async (errand: Errand) => {
  await withContext(errand.context, () => run(errand));
  crashPoint('job-done');
};

/** The tasks of which jobs that are due have not begun; those done regularly do not count. */
export async function dueTasks(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ task: string }>(
    prepared(`select distinct task_identifier as task from graphile_worker.jobs
              where starts_with(task_identifier, 'job:') and locked_at is null and run_at <= now()`),
  );
  return new Set(rows.map(({ task }) => task));
}

/** Adds the first turn unless one is waiting or running somewhere; a longer wait from before is cut to the interval. */
async function startRegular(pool: pg.Pool, task: string, errand: Errand, intervalMs: number): Promise<void> {
  await pool.query(
    `select from graphile_worker.add_job($1, $2::json, null, now(), ${MOST_DEATHS_OF_A_JOB}, $1, 0, array[$1], 'unsafe_dedupe')`,
    [task, JSON.stringify(errand)],
  );
  await pool.query(
    `select from graphile_worker.reschedule_jobs(
       array(select id from graphile_worker.jobs
             where key = $1 and locked_at is null and run_at > now() + $2 * interval '1 millisecond'),
       now() + $2 * interval '1 millisecond')`,
    [task, intervalMs],
  );
}
