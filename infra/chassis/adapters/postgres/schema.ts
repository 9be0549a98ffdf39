import { Logger as GraphileLogger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../../log.ts';
import { migrate } from './sql/migrate.ts';
import { CHASSIS } from './sql/migration-files.ts';
import { withoutTimeout } from './sql/pool.ts';

/** graphile-worker logs every job; only its warnings and errors matter. */
export const graphileLogger = (logger: Logger): GraphileLogger =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') logger.error({ from: 'graphile-worker' }, message);
    else if (level === 'warning') logger.warn({ from: 'graphile-worker' }, message);
    else logger.trace({ from: 'graphile-worker' }, message);
  });

/** Creates graphile-worker's schema and `chassis`. */
export async function createSchema(pool: pg.Pool, logger: Logger): Promise<void> {
  const lock = await pool.connect();
  try {
    await lock.query('set statement_timeout = 0');
    await lock.query(
      withoutTimeout(`select pg_advisory_lock(hashtext('arboleda'), hashtext('graphile_worker'))`),
    );
    await runMigrations({ pgPool: pool, logger: graphileLogger(logger) });
    await migrate(pool, CHASSIS);
  } finally {
    // Closing the session releases the lock.
    lock.release(true);
  }
}
