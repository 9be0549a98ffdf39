import type { Environment } from '@arboleda/chassis/config.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { prepareEmbedded } from '@arboleda/cli/embedded/embedded.ts';
import { chooseAddress } from '@arboleda/cli/embedded/ports.ts';
import { serviceEnvironment, serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { silentProgress } from '@arboleda/cli/terminal/progress.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDir, type Running } from '../../harness/product.ts';
import { WHOLE } from './kills.ts';
import { embeddedStores, type Stores } from './stores.ts';
import type { Program } from './supervisor.ts';

/** Engines that nobody kills, and where the services find them. */
export interface Tier {
  env: Environment;
  url: string;
  inboxUrl: string;
  /** Password of the demo's accounts. */
  demoPassword: string;
  logDir: string;
  programs: readonly Program[];
  /** The engines in words. */
  engines: string;
  openStores(): Promise<Stores>;
  close(): Promise<void>;
}

const ENGINES = 'PostgreSQL and files';
/** Many processes, each with pools of its own. */
const CONNECTIONS = 400;
/** Cheap passwords and wide limits, because one machine plays all visitors. */
const SETTINGS = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_SCALE: '0',
  AUTH_PASSWORD_MEMORY_KIB: '1024',
  AUTH_PASSWORD_PASSES: '1',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '1',
};

/** PostgreSQL for everything, files, an inbox and the sandbox of the card provider: the engines of `npm start`. */
export const embeddedTier = (): Promise<Tier> => openTier({ engines: ENGINES, given: {} });

/** The same with all services and the gateway in one process, as `npm start` runs them. */
export async function oneProcessTier(): Promise<Tier> {
  const tier = await openTier({ engines: ENGINES, given: {} });
  const script = 'infra/cli/embedded/product-process.ts';
  return { ...tier, programs: [{ name: WHOLE, script, env: tier.env, healthUrl: `${tier.url}/livez` }] };
}

/**
 * The same with events on Kafka, documents on MongoDB and objects on MinIO, each in a container of its own.
 * @param more settings for all services
 */
export async function distributedTier(more: Record<string, string> = {}): Promise<Tier> {
  // Loaded only here: they look for a container engine.
  const [{ startKafka }, { startMongo }, { startMinio }] = await Promise.all([
    import('@arboleda/chassis/testing/containers/kafka.ts'),
    import('@arboleda/chassis/testing/containers/mongodb.ts'),
    import('@arboleda/chassis/testing/containers/minio.ts'),
  ]);
  const stopping: (() => Promise<unknown>)[] = [];
  const keep = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    stopping.push(() => one.stop());
    return one;
  };
  const stop = async () => {
    for (const one of stopping) await one();
  };
  try {
    const starting = [keep(startKafka()), keep(startMongo()), keep(startMinio())] as const;
    // All have ended before the first failure is reported, so that what started is stopped.
    await Promise.allSettled(starting);
    const [kafka, mongo, minio] = await Promise.all(starting);
    const tier = await openTier({
      engines: 'Kafka, MongoDB, MinIO and PostgreSQL',
      given: {
        KAFKA_BROKERS: kafka.brokers.join(','),
        KAFKA_PARTITIONS: '3',
        MONGODB_URL: mongo.url,
        S3_ENDPOINT: minio.endpoint,
        S3_ACCESS_KEY: minio.accessKey,
        S3_SECRET_KEY: minio.secretKey,
        ...more,
      },
      openStores: async (databaseUrl) =>
        (await import('./distributed-stores.ts')).distributedStores({
          databaseUrl,
          mongodbUrl: mongo.url,
          brokers: kafka.brokers,
          s3: { ...minio, bucketPrefix: 'arboleda-' },
        }),
    });
    return {
      ...tier,
      async close() {
        await tier.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openTier({
  engines,
  given: more,
  openStores,
}: {
  engines: string;
  given: Record<string, string>;
  openStores?: (databaseUrl: string) => Promise<Stores>;
}): Promise<Tier> {
  const dataDir = await openDataDir();
  const logDir = join(dataDir.path, 'logs');
  await mkdir(logDir);
  const postgres = await startPostgres({
    dir: join(dataDir.path, 'postgres'),
    logFile: join(logDir, 'postgres.log'),
    password: 'reliability',
    settings: [`max_connections=${CONNECTIONS}`, 'fsync=off'],
  });
  const given = {
    ...SETTINGS,
    ...more,
    PORT: '0',
    DATA_DIR: join(dataDir.path, 'product'),
    DATABASE_URL: postgres.url,
  };
  // Pages are nobody's business here: what answers in their place is never asked.
  const pages = { devUrl: 'http://127.0.0.1:1' };
  const local = await prepareEmbedded(given, await chooseAddress(given), silentProgress, pages).catch(
    async (error: unknown) => {
      await postgres.close();
      await dataDir.remove();
      throw error;
    },
  );
  return {
    env: local.env,
    url: local.gatewayUrl,
    inboxUrl: local.inboxUrl!,
    demoPassword: local.demoPassword,
    logDir,
    programs: programsOf(local.env),
    engines,
    openStores: async () =>
      openStores ? openStores(postgres.url) : embeddedStores(postgres.url, local.env.OBJECTS_DIR!),
    async close() {
      await local.close();
      await postgres.close();
      await dataDir.remove();
    },
  };
}

/** Services on MongoDB; the others use PostgreSQL. Each gets the variables of its own engine only. */
const ON_DOCUMENTS: readonly ServiceName[] = ['media'];

function engineOf(env: Environment, name: ServiceName): Environment {
  if (!env.MONGODB_URL) return env;
  const other = ON_DOCUMENTS.includes(name) ? 'DATABASE_URL' : 'MONGODB_URL';
  return { ...env, [other]: undefined };
}

/** Each process of the product, as it is started alone. */
export const programsOf = (env: Environment): Program[] => [
  ...SERVICES.map((name) => ({
    name,
    script: `services/${name}/main.ts`,
    env: serviceEnvironment(engineOf(env, name), name),
    healthUrl: `${urlOf(env, name)}/readyz`,
  })),
  {
    name: 'gateway',
    script: 'gateway/main.ts',
    env,
    healthUrl: `http://127.0.0.1:${env.PORT}/livez`,
  },
];

export const urlOf = (env: Environment, name: ServiceName): string => env[`${name.toUpperCase()}_URL`]!;

/** Addresses and keys of a running tier whose services are processes of their own. */
export const runningAt = (env: Environment, url: string, demoPassword: string): Running => ({
  url,
  inboxUrl: '',
  demoPassword,
  serviceKeys: serviceKeysIn(env),
  stripeSecretKey: env.STRIPE_SECRET_KEY!,
  stripePublishableKey: env.STRIPE_PUBLISHABLE_KEY!,
  stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET!,
  stripeApiUrl: env.STRIPE_API_URL!,
  callAuth: openClient(urlOf(env, 'auth')),
});
