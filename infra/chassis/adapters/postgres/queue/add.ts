import type pg from 'pg';
import { MOST_DEATHS_OF_A_JOB } from '../../../caution.ts';
import { PLANNED_ONCE, prepared } from '../sql/prepared.ts';
import { announcedJobs } from './announcements.ts';

/** A job of the queue as it is added: `task` decides who runs it. */
export interface QueueJob {
  task: string;
  payload: unknown;
  /** Jobs of one queue run one after another. */
  queue?: string | undefined;
  /** A waiting job with this key is replaced (and keeps its place) instead of being added twice. */
  key?: string | undefined;
  /** ISO instant. */
  runAt?: string | undefined;
  delayMs?: number | undefined;
  /** Lets a process leave out jobs of a kind; see `Runner`. */
  flag?: string | undefined;
}

/** Of an event that is not what counts: see `caution.ts`. The most that graphile-worker can write down. */
export const MAX_TAKEN = 32_767;

const SPEC = `(
  e.task, e.payload, e.queue,
  coalesce(e."runAt", now()) + coalesce(e."delayMs", 0) * interval '1 millisecond' + n * interval '1 microsecond',
  case when starts_with(e.task, 'event:') then ${MAX_TAKEN} else ${MOST_DEATHS_OF_A_JOB} end, e.key, 0, case when e.flag is not null then array[e.flag] end
)::graphile_worker.job_spec`;

/** Adds jobs in one statement, in their order (a microsecond apart, as the queue is sorted by time). */
export async function addJobs(client: Pick<pg.Pool, 'query'>, jobs: readonly QueueJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await client.query(prepared(ADD, [JSON.stringify(lastOfEachKey(jobs)), announcementOf(jobs)]));
}

const ADD = `
  with ${PLANNED_ONCE}
  select case when $2::text is not null then pg_notify('jobs:insert', $2) end from planned_once, graphile_worker.add_jobs((
    select array_agg(${SPEC} order by n)
    from rows from (json_to_recordset($1::json) as
      (task text, payload json, queue text, "runAt" timestamptz, "delayMs" int, key text, flag text))
      with ordinality as e(task, payload, queue, "runAt", "delayMs", key, flag, n)
  ), true)`;

/** What is due only later is found by a poll. */
function announcementOf(jobs: readonly QueueJob[]): string | null {
  const now = Date.now();
  const due = jobs.filter(
    ({ task, delayMs, runAt }) =>
      task.startsWith('job:') && !delayMs && (runAt === undefined || Date.parse(runAt) <= now),
  );
  return due.length > 0 ? announcedJobs(due.length) : null;
}

/** One statement cannot touch a key twice. */
function lastOfEachKey(jobs: readonly QueueJob[]): QueueJob[] {
  const byKey = new Map<string, QueueJob>();
  jobs.forEach((job, at) => byKey.set(job.key ?? `#${at}`, job));
  return [...byKey.values()];
}
