import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Logger } from '../../log.ts';
import { openPool } from './sql/pool.ts';
import { createSchema } from './schema.ts';
import { openSql } from './sql/sql.ts';

const SERVICES = join(import.meta.dirname, '..', '..', '..', '..', 'services');

/**
 * Makes the tables of a service, and those of events and jobs, as its start would.
 * @param parts.upTo the only migrations that run; all when absent
 */
export async function prepareTables(parts: {
  databaseUrl: string;
  service: string;
  logger: Logger;
  upTo?: { migrations: string[]; chassis: string[] } | undefined;
}): Promise<void> {
  const { databaseUrl, service, logger } = parts;
  const pool = openPool(databaseUrl, logger, { max: 2, name: 'restore' });
  try {
    await createSchema(pool, logger);
  } finally {
    await pool.end();
  }
  const sql = await openSql({
    service,
    databaseUrl,
    logger,
    migrations: pathToFileURL(join(SERVICES, service, 'migrations/')),
    outbox: () => ({ close: async () => undefined }) as never,
  });
  await sql.close();
}
