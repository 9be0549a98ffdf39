import type { Db } from 'mongodb';
import { join } from 'node:path';
import type pg from 'pg';
import type { KafkaBus } from './adapters/kafka/bus.ts';
import { openFileObjects } from './adapters/files/files.ts';
import { type EngineOptions, openPostgresEngine } from './adapters/postgres/engine.ts';
import { openOutbox } from './adapters/postgres/outbox.ts';
import { openPool } from './adapters/postgres/sql/pool.ts';
import { openSql } from './adapters/postgres/sql/sql.ts';
import { openSmtpMailer } from './adapters/smtp/smtp.ts';
import { ConfigError } from './environment.ts';
import type { Logger } from './log.ts';
import { type ConnectRetry, failFast } from './connect-retry.ts';
import type { KafkaConfig, PlatformConfig, S3Config } from './platform-config.ts';
import type { Mailer } from './ports/mailer.ts';
import type { ObjectStore } from './ports/object-store.ts';
import type { Platform } from './ports/platform.ts';
import { tracedObjects, tracedSql } from './telemetry/engines.ts';
import { EVENT_RETRIES } from './retry.ts';

/**
 * Shared by all services of the process for short statements on events and jobs. A connection costs PostgreSQL 5 MB.
 */
const SHARED_CONNECTIONS = 8;

export interface PlatformOptions extends EngineOptions {
  /** How to wait for unavailable engines; opening fails at once when absent. */
  connectRetry?: ConnectRetry;
}

/**
 * Opens the engines that the environment chooses, and loads only their adapters. No other module knows which adapter
 * implements a port. close() stops taking work, waits for work in progress, publishes the outboxes and closes every
 * connection.
 */
export async function openPlatform(
  config: PlatformConfig,
  logger: Logger,
  options: PlatformOptions = {},
): Promise<Platform> {
  const { connectRetry = failFast } = options;
  const { databaseUrl, mongodbUrl, s3 } = config;
  const kafka = config.kafka && (await openKafka(config.kafka, logger, connectRetry, options));
  const mongodb = mongodbUrl === undefined ? undefined : await openMongodb(mongodbUrl, logger, connectRetry);
  const postgres =
    databaseUrl === undefined
      ? undefined
      : await openPostgres({
          databaseUrl,
          kafka,
          logger,
          connectRetry,
          options,
        });

  const bus = kafka ?? required(postgres).bus;
  const stores: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(store: T): T => {
    stores.push(store);
    return store;
  };
  let mailer: Mailer | undefined;
  let closing: Promise<void> | undefined;

  return {
    bus,
    jobs: (service) => required(postgres).jobs(service),
    sql: async (service, migrations) =>
      tracedSql(service, keep(await required(postgres).sql({ service, migrations }))),
    ...(mongodb && { mongodb: async (service, open) => keep(await mongodb.open(service, open)) }),
    objects: async (bucket) =>
      tracedObjects(
        bucket,
        await (s3 ? openBucket(s3, bucket, connectRetry) : openFileObjects(join(config.objectsDir, bucket))),
      ),
    mailer: () => (mailer ??= keep(openSmtpMailer(config))),
    close: () =>
      (closing ??= (async () => {
        await Promise.all([kafka?.leave(), postgres?.stop()]);
        await Promise.all(stores.map((store) => store.close()));
        await Promise.all([kafka?.close(), mongodb?.close(), postgres?.close()]);
      })()),
  };
}

/** @throws ConfigError without a PostgreSQL */
function required<T>(postgres: T | undefined): T {
  if (!postgres) throw new ConfigError(['DATABASE_URL: must be set']);
  return postgres;
}

/** Stores and jobs in both tiers, and events in the tier without Kafka. */
async function openPostgres(parts: {
  databaseUrl: string;
  kafka: KafkaBus | undefined;
  logger: Logger;
  connectRetry: ConnectRetry;
  options: PlatformOptions;
}) {
  const { databaseUrl, kafka, logger, connectRetry, options } = parts;
  const shared = openPool(databaseUrl, logger, { max: SHARED_CONNECTIONS, name: 'shared' });
  const opened = async () => {
    const engine = await openPostgresEngine({ databaseUrl, shared, logger, ...options });
    return { engine, own: kafka ? undefined : await engine.bus() };
  };
  const { engine, own } = await connectRetry.open('postgres', opened).catch(async (error: unknown) => {
    await shared.end();
    throw error;
  });
  return {
    bus: (kafka ?? own)!,
    jobs: engine.jobs,
    sql: ({ service, migrations }: { service: string; migrations: URL }) => {
      const outbox = (pool: pg.Pool) =>
        own ? own.outbox : openOutbox({ pool, service, bus: kafka!, logger });
      return connectRetry.open('postgres', () =>
        openSql({ service, migrations, databaseUrl, logger, outbox }),
      );
    },
    stop: () => engine.close(),
    close: () => shared.end(),
  };
}

async function openKafka(
  config: KafkaConfig,
  logger: Logger,
  connectRetry: ConnectRetry,
  options: PlatformOptions,
): Promise<KafkaBus> {
  const { openKafkaBus } = await import('./adapters/kafka/bus.ts');
  const { eventRetries: retries = EVENT_RETRIES, stopWithinMs } = options;
  const bus = await connectRetry.open('kafka', () =>
    openKafkaBus({ ...config, logger, retries, ...(stopWithinMs !== undefined && { stopWithinMs }) }),
  );
  return {
    ...bus,
    subscribe: (group, handlers) => connectRetry.open('kafka', () => bus.subscribe(group, handlers)),
  };
}

async function openMongodb(url: string, logger: Logger, connectRetry: ConnectRetry) {
  const { openMongo } = await import('./adapters/mongodb/client.ts');
  const mongo = openMongo(url, logger);
  return {
    open: <T>(service: string, open: (db: Db) => Promise<T>): Promise<T> =>
      connectRetry.open('mongodb', async () => {
        await mongo.connect();
        return open(mongo.database(service));
      }),
    close: () => mongo.close(),
  };
}

async function openBucket(
  config: S3Config,
  bucket: string,
  connectRetry: ConnectRetry,
): Promise<ObjectStore> {
  const { openMinioObjects } = await import('./adapters/minio/minio.ts');
  return connectRetry.open('minio', () =>
    openMinioObjects({ ...config, bucket: `${config.bucketPrefix}${bucket}` }),
  );
}
