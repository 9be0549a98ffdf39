import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Context, currentContext, withContext } from '../../../context.ts';
import { crashPoint } from '../../../crash-point.ts';
import type { Logger } from '../../../log.ts';
import { MAX_JOB_CRASHES } from '../../../poison-message-guard.ts';
import { Hopeless, type Job, type Jobs } from '../../../ports/jobs.ts';
import { retryDelayMs, type RetryPolicy } from '../../../retry.ts';
import { SPANS } from '../../../telemetry/names.ts';
import { traced } from '../../../telemetry/trace.ts';
import { deleteDeadLetter, listDead } from '../dead-letters.ts';
import { prepared } from '../sql/prepared.ts';
import type { Runner } from './runner.ts';

/** Concurrency limits per task in this process. */
interface Limits {
  set(task: string, most: number): void;
  /** @returns false when the limit is reached */
  take(task: string): boolean;
  give(task: string): void;
  /** Tasks at their limit. */
  full(): string[];
}

export function openLimits(): Limits {
  const limits = new Map<string, { most: number; running: number }>();
  const of = (task: string) => {
    const limit = limits.get(task);
    if (!limit) throw new Error(`${task} has no limit`);
    return limit;
  };
  return {
    set: (task, most) => void limits.set(task, { most, running: limits.get(task)?.running ?? 0 }),
    take(task) {
      const limit = of(task);
      if (limit.running >= limit.most) return false;
      limit.running++;
      return true;
    },
    give: (task) => void of(task).running--,
    full: () => [...limits].filter(([, limit]) => limit.running >= limit.most).map(([task]) => task),
  };
}

/** The payload as graphile-worker stores it. */
interface Payload {
  payload: Record<string, unknown>;
  /** Failed attempts. */
  attempt: number;
  key?: string | undefined;
  context: Context;
}

/** A job in the form that `addJobs` takes. */
export interface QueuedJob {
  task: string;
  payload: Payload;
  key?: string | undefined;
  runAt?: string | undefined;
  delayMs?: number;
}

const taskOf = (service: string, name: string): string => `job:${service}:${name}`;

/** Runs in the caller's context unless the job has its own. */
export const toQueued = (service: string, jobs: readonly Job[]): QueuedJob[] =>
  jobs.map(({ name, payload, key, runAt, context = currentContext() }) => {
    const task = taskOf(service, name);
    const taskKey = key === undefined ? undefined : `${task}:${key}`;
    return { task, payload: { payload, attempt: 0, key: taskKey, context }, key: taskKey, runAt };
  });

/**
 * SQL that adds a JSON array of QueuedJob, in order, as part of the transaction that decides them. A waiting job
 * with the same key is replaced: it keeps its time, or runs at once when the new job has no time.
 * @param at number of the placeholder @param where a condition
 */
export const addJobs = (at: number, where = 'true'): string => `
  select chassis.add_job(j.task, j.payload,
    coalesce(j."runAt", now()) + coalesce(j."delayMs", 0) * interval '1 millisecond' + j.n * interval '1 microsecond',
    ${MAX_JOB_CRASHES}, j.key,
    case when j."runAt" is null and j."delayMs" is null then 'replace' else 'preserve_run_at' end)
  from rows from (json_to_recordset($${at}::json) as
      (task text, payload json, key text, "runAt" timestamptz, "delayMs" int))
    with ordinality as j(task, payload, key, "runAt", "delayMs", n)
  where ${where}`;

/** Jobs of one service on graphile-worker. */
export function openJobs(parts: {
  service: string;
  pool: pg.Pool;
  runner: Runner;
  limits: Limits;
  retries: RetryPolicy;
  logger: Logger;
}): Jobs {
  const { service, pool, runner, limits, retries, logger } = parts;
  const tasks = new Set<string>();

  const add = async (jobs: readonly QueuedJob[]) => {
    if (jobs.length > 0) await pool.query(prepared(addJobs(1), [JSON.stringify(jobs)]));
  };
  const again = (task: string, payload: Payload, delayMs: number) =>
    add([{ task, key: payload.key, payload, delayMs }]);

  const serve = async (task: string, concurrency: number, run: (payload: Payload) => Promise<void>) => {
    tasks.add(task);
    limits.set(task, concurrency);
    await runner.add(task, async (queued) => {
      const payload = queued as Payload;
      // The limit was reached after the job was fetched: it is queued again.
      if (!limits.take(task)) return again(task, payload, 0);
      try {
        await withContext(payload.context, () => run(payload));
        crashPoint('job-done');
      } finally {
        limits.give(task);
      }
    });
  };

  return {
    engine: 'postgres',
    enqueue: (jobs) => add(toQueued(service, jobs)),

    async handle(name, handler, options = {}) {
      const task = taskOf(service, name);
      const policy = { ...retries, maxAttempts: options.maxAttempts ?? retries.maxAttempts };
      await serve(task, options.concurrency ?? 1, async (queued) => {
        const { payload, key } = queued;
        try {
          await traced({ name: SPANS.runJob(name), kind: 'consumer', service }, () => handler(payload));
        } catch (error) {
          const attempt = queued.attempt + 1;
          const delayMs = error instanceof Hopeless ? undefined : retryDelayMs(policy, attempt);
          if (delayMs !== undefined) {
            logger.warn({ err: error, task, attempt, delayMs }, 'a job will be tried again');
            return again(task, { ...queued, attempt }, delayMs);
          }
          logger.error({ err: error, task }, 'a job became a dead letter');
          await options.onDead?.(payload);
          await pool.query(
            `insert into chassis.dead_letters (kind, owner, task, key, payload, error) values ('job', $1, $2, $3, $4, $5)`,
            [service, task, key ?? null, JSON.stringify(queued), String(error)],
          );
        }
      });
    },

    async every(name, intervalMs, run) {
      const task = taskOf(service, `every:${name}`);
      const turn: Payload = { payload: {}, attempt: 0, key: task, context: currentContext() };
      await serve(task, 1, async () => {
        await withContext({ correlationId: randomUUID() }, run).catch((error: unknown) =>
          logger.error({ err: error, task }, 'a regular job failed'),
        );
        await again(task, turn, intervalMs);
      });
      await startRegular(pool, task, turn, intervalMs);
    },

    async waiting() {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs
         where starts_with(task_identifier, $1) and not starts_with(task_identifier, $2)
           and locked_at is null and run_at <= now()`,
        [taskOf(service, ''), taskOf(service, 'every:')],
      );
      return rows[0]!.n;
    },

    async deadJobs() {
      const letters = await listDead(pool, 'job', service);
      return letters.map(({ id, owner, task, payload, error, failed_at }) => ({
        id,
        service: owner,
        name: task.slice(taskOf(service, '').length),
        payload: (payload as Payload).payload,
        error,
        failedAt: failed_at.toISOString(),
      }));
    },

    async replay(deadJobId) {
      const { rowCount } = await pool.query(
        `with again as (delete from chassis.dead_letters where kind = 'job' and id::text = $1 returning *)
         select chassis.add_job(task, (payload || '{"attempt": 0}')::json, now(), ${MAX_JOB_CRASHES}, key, 'replace')
         from again`,
        [deadJobId],
      );
      return rowCount === 1;
    },
    discard: (deadJobId) => deleteDeadLetter(pool, 'job', deadJobId),

    check: async () => {
      runner.check();
      await pool.query('select 1');
    },
    async close() {
      for (const task of tasks) runner.remove(task);
    },
  };
}

/**
 * Adds the first run unless one is waiting or running. A longer wait from an earlier configuration is shortened to
 * the interval.
 */
async function startRegular(pool: pg.Pool, task: string, turn: Payload, intervalMs: number): Promise<void> {
  await pool.query(
    `select from graphile_worker.add_job($1, $2::json, null, now(), ${MAX_JOB_CRASHES}, $1, 0, array[$1], 'unsafe_dedupe')`,
    [task, JSON.stringify(turn)],
  );
  await pool.query(
    `select from graphile_worker.reschedule_jobs(
       array(select id from graphile_worker.jobs
             where key = $1 and locked_at is null and run_at > now() + $2 * interval '1 millisecond'),
       now() + $2 * interval '1 millisecond')`,
    [task, intervalMs],
  );
}
