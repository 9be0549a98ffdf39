import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { repeat, type Repeated } from '../../../repeat.ts';
import { ALIVE_LOCK, idHash } from './presence.ts';

export interface JanitorTimes {
  everyMs: number;
  /** Jobs taken later are left: their runner may just be starting. */
  youngMs: number;
}

const TIMES: JanitorTimes = { everyMs: 5_000, youngMs: 2_000 };

/** Looks after jobs that killed processes left, at the start and every few seconds. */
export const openJanitor = (pool: pg.Pool, logger: Logger, { everyMs, youngMs } = TIMES): Repeated =>
  repeat(
    everyMs,
    async () => {
      await releaseDead(pool, logger, youngMs);
      await buryCrashers(pool, logger);
    },
    logger,
    'looking after the jobs',
  );

/** Jobs in the hands of a runner that no longer holds its lock are free again. */
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

/** A job that was in hand at every death of its process is not tried for ever; one whose key a newer one has taken is not missed. */
async function buryCrashers(pool: pg.Pool, logger: Logger): Promise<void> {
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
