import type { Db } from 'mongodb';
import { join } from 'node:path';
import type { KafkaBus } from './adapters/kafka/bus.ts';
import { openFileObjects } from './adapters/files/files.ts';
import { openDocuments } from './adapters/postgres/documents/documents.ts';
import type { OutboxParts } from './adapters/postgres/outbox/outbox.ts';
import { openQueue, type QueueOptions } from './adapters/postgres/queue/queue.ts';
import { openPool } from './adapters/postgres/sql/pool.ts';
import { openSql } from './adapters/postgres/sql/sql.ts';
import { openSmtpMailer } from './adapters/smtp/smtp.ts';
import { type Courtesy, openCourtesy } from './courtesy.ts';
import { ConfigError } from './environment.ts';
import type { Logger } from './log.ts';
import { impatient, type Patience } from './patience.ts';
import type { KafkaConfig, PlatformConfig, S3Config } from './platform-config.ts';
import type { Mailer } from './ports/mailer.ts';
import type { ObjectStore } from './ports/object-store.ts';
import type { Platform } from './ports/platform.ts';
import { EVENT_RETRIES } from './retry.ts';

/** Documents of all services of this process, and the adding of jobs and events. Each costs PostgreSQL 5 MB. */
const SHARED_CONNECTIONS = 8;

export interface PlatformOptions extends QueueOptions {
  /** What is done about engines that are away; when absent, opening fails. */
  patience?: Patience;
}

/**
 * The engines that the environment chooses. This is the one place that knows which adapter stands behind a port; what is
 * not chosen is not loaded. close() stops taking work, waits for what is in hand, hands the outboxes over and ends every
 * connection.
 */
export async function openPlatform(
  config: PlatformConfig,
  logger: Logger,
  options: PlatformOptions = {},
): Promise<Platform> {
  const { patience = impatient } = options;
  const { databaseUrl, mongodbUrl, s3 } = config;
  const courtesy = openCourtesy();
  const kafka = config.kafka && (await openKafka(config.kafka, logger, patience, options));
  const mongodb = mongodbUrl === undefined ? undefined : await openMongodb(mongodbUrl, logger, patience);
  const postgres =
    databaseUrl === undefined
      ? undefined
      : await openPostgres({
          databaseUrl,
          keepsCauses: !kafka && !mongodb,
          logger,
          patience,
          courtesy,
          options,
        });

  const bus = kafka ?? required(postgres).bus;
  const jobs = (service: string) => required(postgres).jobs(service);
  const stores: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(store: T): T => {
    stores.push(store);
    return store;
  };
  let mailer: Mailer | undefined;
  let closing: Promise<void> | undefined;
  const to = (service: string) => ({ service, bus, jobs: jobs(service), logger });

  return {
    bus,
    courtesy,
    jobs,
    documents: async (service) => keep(await required(postgres).documents(to(service))),
    sql: async (service, migrations) => keep(await required(postgres).sql({ ...to(service), migrations })),
    ...(mongodb && { mongodb: async (service, open) => keep(await mongodb.open(service, open)) }),
    objects: (bucket) =>
      s3 ? openBucket(s3, bucket, patience) : openFileObjects(join(config.objectsDir, bucket)),
    mailer: () => (mailer ??= keep(openSmtpMailer(config))),
    close: () =>
      (closing ??= (async () => {
        await Promise.all([kafka?.leave(), postgres?.stop()]);
        await Promise.all(stores.map((store) => store.close()));
        await Promise.all([kafka?.close(), mongodb?.close(), postgres?.close()]);
      })()),
  };
}

/** @throws ConfigError when there is no PostgreSQL, and what is to be opened stands on one. */
function required<T>(postgres: T | undefined): T {
  if (!postgres) throw new ConfigError(['DATABASE_URL: must be set']);
  return postgres;
}

/** A store's way out: where its events and jobs go. */
type Outlet = Omit<OutboxParts, 'pool' | 'graceMs'>;

/** Everything of the embedded tier, and what stands on SQL in both. */
async function openPostgres(parts: {
  databaseUrl: string;
  /** All that is stored, and all events and jobs, are in it. */
  keepsCauses: boolean;
  logger: Logger;
  patience: Patience;
  courtesy: Courtesy;
  options: PlatformOptions;
}) {
  const { databaseUrl, keepsCauses, logger, patience, courtesy, options } = parts;
  const shared = openPool(databaseUrl, logger, { max: SHARED_CONNECTIONS, name: 'shared' });
  const queue = await patience
    .open('postgres', () => openQueue({ databaseUrl, shared, logger, courtesy, ...options }))
    .catch(async (error: unknown) => {
      await shared.end();
      throw error;
    });
  return {
    bus: queue.bus,
    jobs: queue.jobs,
    documents: (to: Outlet) =>
      patience.open('postgres', () => openDocuments({ ...to, pool: shared, keepsCauses })),
    sql: (parts: Outlet & { migrations: URL }) =>
      patience.open('postgres', () => openSql({ ...parts, databaseUrl, keepsCauses })),
    stop: () => queue.close(),
    close: () => shared.end(),
  };
}

async function openKafka(
  config: KafkaConfig,
  logger: Logger,
  patience: Patience,
  options: PlatformOptions,
): Promise<KafkaBus> {
  const { openKafkaBus } = await import('./adapters/kafka/bus.ts');
  const { eventRetries: retries = EVENT_RETRIES, stopWithinMs } = options;
  const bus = await patience.open('kafka', () =>
    openKafkaBus({ ...config, logger, retries, ...(stopWithinMs !== undefined && { stopWithinMs }) }),
  );
  return {
    ...bus,
    subscribe: (group, handlers) => patience.open('kafka', () => bus.subscribe(group, handlers)),
  };
}

async function openMongodb(url: string, logger: Logger, patience: Patience) {
  const { openMongo } = await import('./adapters/mongodb/client.ts');
  const mongo = openMongo(url, logger);
  return {
    open: <T>(service: string, open: (db: Db) => Promise<T>): Promise<T> =>
      patience.open('mongodb', () => open(mongo.database(service))),
    close: () => mongo.close(),
  };
}

async function openBucket(config: S3Config, bucket: string, patience: Patience): Promise<ObjectStore> {
  const { openMinioObjects } = await import('./adapters/minio/minio.ts');
  return patience.open('minio', () =>
    openMinioObjects({ ...config, bucket: `${config.bucketPrefix}${bucket}` }),
  );
}
