import { join } from 'node:path';
import type { PlatformConfig } from './config.ts';
import { openDocuments } from './adapters/postgres/documents/documents.ts';
import { openQueue, type QueueOptions } from './adapters/postgres/queue/queue.ts';
import type { Logger } from './log.ts';
import { openSmtpMailer } from './adapters/smtp/smtp.ts';
import { openFileObjects } from './adapters/files/files.ts';
import type { Mailer } from './ports/mailer.ts';
import type { Platform } from './ports/platform.ts';
import { openPool } from './adapters/postgres/sql/pool.ts';
import { openSql } from './adapters/postgres/sql/sql.ts';

/** Documents of all services of this process, and the adding of jobs and events. */
const SHARED_CONNECTIONS = 12;

/**
 * The engines that the environment chooses. This is the one place that knows which adapter stands behind a port.
 * close() stops taking work, waits for what is in hand, hands the outboxes over and ends every connection.
 */
export async function openPlatform(
  config: PlatformConfig,
  logger: Logger,
  options: QueueOptions = {},
): Promise<Platform> {
  const { databaseUrl } = config;
  const shared = openPool(databaseUrl, logger, { max: SHARED_CONNECTIONS, name: 'shared' });
  const queue = await openQueue({ databaseUrl, shared, logger, ...options }).catch(async (error: unknown) => {
    await shared.end();
    throw error;
  });
  const stores: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(store: T): T => {
    stores.push(store);
    return store;
  };
  let mailer: Mailer | undefined;
  let closing: Promise<void> | undefined;
  const to = (service: string) => ({ service, bus: queue.bus, jobs: queue.jobs(service), logger });

  return {
    bus: queue.bus,
    jobs: queue.jobs,
    documents: async (service) => keep(await openDocuments({ ...to(service), pool: shared })),
    sql: async (service, migrations) => keep(await openSql({ ...to(service), databaseUrl, migrations })),
    objects: (bucket) => openFileObjects(join(config.objectsDir, bucket)),
    waitingFor: () => [],
    mailer: () => (mailer ??= keep(openSmtpMailer(config))),
    close: () =>
      (closing ??= (async () => {
        await queue.close();
        await Promise.all(stores.map((store) => store.close()));
        await shared.end();
      })()),
  };
}
