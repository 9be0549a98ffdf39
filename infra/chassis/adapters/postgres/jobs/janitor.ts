import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { repeat, type Repeated } from '../../../repeat.ts';
import { ALIVE_LOCK, idHash } from './runner.ts';

export interface JanitorTimes {
  everyMs: number;
  /** Younger locks are skipped: their runner may just be starting. */
  youngMs: number;
}

const TIMES: JanitorTimes = { everyMs: 5_000, youngMs: 2_000 };

/** Cleans up jobs of crashed processes, at the start and periodically. */
export const openJanitor = (pool: pg.Pool, logger: Logger, { everyMs, youngMs } = TIMES): Repeated =>
  repeat(
    everyMs,
    async () => {
      await releaseDead(pool, logger, youngMs);
      await giveUpCrashers(pool, logger);
    },
    logger,
    'looking after the jobs',
  );

/** Releases jobs of runners that no longer hold their advisory lock. */
async function releaseDead(pool: pg.Pool, logger: Logger, youngMs: number): Promise<void> {
  const { rows } = await pool.query<{ locked_by: string }>(
    `select distinct locked_by from graphile_worker.jobs
     where locked_at < now() - $2 * interval '1 millisecond' and not exists (
       select from pg_locks
       where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())
         and classid::bigint = $1 and objid::bigint = ${idHash('locked_by')})`,
    [ALIVE_LOCK, youngMs],
  );
  if (rows.length === 0) return;
  logger.warn({ runners: rows.length }, 'releasing the jobs of dead runners');
  await pool.query('select graphile_worker.force_unlock_workers($1)', [rows.map((row) => row.locked_by)]);
}

/**
 * Gives up jobs whose processes crashed at every attempt. One that a newer job with the same key has replaced is
 * dropped.
 */
async function giveUpCrashers(pool: pg.Pool, logger: Logger): Promise<void> {
  const { rowCount } = await pool.query(
    `with spent as (
       select j.id, j.task_identifier as task from graphile_worker.jobs j
       where j.attempts >= j.max_attempts and j.locked_at is null
     ), completed as (
       select s.task, c.key, c.payload::jsonb as payload, c.last_error
       from graphile_worker.complete_jobs(array(select id from spent)) c join spent s on s.id = c.id
     )
     insert into chassis.dead_letters (kind, owner, task, key, payload, error)
     select 'job', split_part(task, ':', 2), task, key, payload, coalesce(last_error, 'its process died each time')
     from completed where key is not null or payload ->> 'key' is null`,
  );
  if (rowCount) logger.error({ jobs: rowCount }, 'jobs that killed their process became dead letters');
}
