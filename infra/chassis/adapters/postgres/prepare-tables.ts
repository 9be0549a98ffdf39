import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../../log.ts';
import { createSchema } from './schema.ts';
import { migrate } from './sql/migrate.ts';
import { setsOfService } from './sql/migration-files.ts';
import { openPool } from './sql/pool.ts';

const SERVICES = join(import.meta.dirname, '..', '..', '..', '..', 'services');

/**
 * Makes the tables of a service, and those of events and jobs, as its start would.
 * @param parts.upTo the only migrations that run in the service's schema; all when absent
 */
export async function prepareTables(parts: {
  databaseUrl: string;
  service: string;
  logger: Logger;
  upTo?: { migrations: string[]; chassis: string[] } | undefined;
}): Promise<void> {
  const { databaseUrl, service, logger, upTo } = parts;
  const pool = openPool(databaseUrl, logger, { max: 2, name: 'restore' });
  const [own, ofChassis] = setsOfService(service, pathToFileURL(join(SERVICES, service, 'migrations/')));
  try {
    await createSchema(pool, logger);
    await migrate(pool, own!, upTo && { upTo: upTo.migrations });
    await migrate(pool, ofChassis!, upTo && { upTo: upTo.chassis });
  } finally {
    await pool.end();
  }
}
