import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { repeat, type Repeated } from '../../../repeat.ts';
import { inTransaction } from '../sql/pool.ts';
import { buryAll, type Burial } from './dead-letters.ts';
import { ALIVE_LOCK, idHash } from './presence.ts';

export interface JanitorTimes {
  everyMs: number;
  /** Jobs taken later are left: their runner may just be starting. */
  youngMs: number;
}

const TIMES: JanitorTimes = { everyMs: 3_000, youngMs: 2_000 };

/** Looks after what killed processes left, at the start and every few seconds. */
export const openJanitor = (pool: pg.Pool, logger: Logger, { everyMs, youngMs } = TIMES): Repeated =>
  repeat(
    everyMs,
    async () => {
      await releaseDead(pool, logger, youngMs);
      await buryCrashers(pool, logger);
    },
    logger,
    'looking after the queue',
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

/** A job that was in hand at every death of its process is not tried for ever. */
async function buryCrashers(pool: pg.Pool, logger: Logger): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Burial & { key: string | null; payload: { key?: string } }>(
      `with spent as (
         select j.id, j.task_identifier, j.queue_name from graphile_worker.jobs j
         where j.attempts >= j.max_attempts and j.locked_at is null)
       select s.task_identifier as task, s.queue_name as queue, c.key, c.payload,
         coalesce(c.last_error, 'its process died each time') as error
       from graphile_worker.complete_jobs(array(select id from spent)) c join spent s on s.id = c.id`,
    );
    // Without the key it was added with, a newer one has taken its place.
    const lost = rows.filter((row) => row.key !== null || row.payload.key === undefined);
    if (lost.length > 0)
      logger.error({ jobs: lost.length }, 'jobs that killed their process became dead letters');
    await buryAll(client, lost);
  });
}
