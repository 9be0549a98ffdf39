import type { Environment } from '@arboleda/chassis/config.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { hasDocuments, type ServiceName, SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { prepareEmbedded } from '@arboleda/cli/embedded/embedded.ts';
import { serviceEnvironment, serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { chooseAddress } from '@arboleda/cli/embedded/ports.ts';
import { silentProgress } from '@arboleda/cli/terminal/progress.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDir, type Running } from '../harness/product.ts';
import type { Program } from './supervisor.ts';

/** The product before its processes are started. */
export interface Prepared {
  env: Environment;
  product: Running;
  /** A process for each service, and the gateway. */
  programs: readonly Program[];
}

/** A product whose engines run. */
export interface Tier extends Prepared {
  logDir: string;
  /** For the report. */
  engines: string;
}

/** Many processes, each with pools of its own. */
const CONNECTIONS = 400;
/** Cheap passwords and no rate limits, because all visitors come from one machine. */
const SETTINGS = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_SCALE: '0',
  AUTH_PASSWORD_MEMORY_KIB: '1024',
  AUTH_PASSWORD_PASSES: '1',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '1',
};

/** PostgreSQL for everything, files, an inbox and the sandbox of the card provider: the engines of `npm start`. */
export async function embeddedTier(
  closing: AsyncDisposableStack,
  more: Record<string, string> = {},
): Promise<Tier> {
  const dataDir = await openDataDir();
  closing.defer(dataDir.remove);
  const logDir = join(dataDir.path, 'logs');
  await mkdir(logDir);
  const postgres = await startPostgres({
    dir: join(dataDir.path, 'postgres'),
    logFile: join(logDir, 'postgres.log'),
    password: 'reliability',
    settings: [`max_connections=${CONNECTIONS}`, 'fsync=off'],
  });
  closing.defer(postgres.close);
  const given = { ...SETTINGS, ...more, DATA_DIR: join(dataDir.path, 'product'), DATABASE_URL: postgres.url };
  // No page is requested.
  const prepared = await prepare(closing, given, { devUrl: 'http://127.0.0.1:1' });
  return { ...prepared, logDir, engines: 'PostgreSQL and files' };
}

/** The one process that is the whole product, as `npm start` runs it. */
export const WHOLE = 'product';

/** The embedded tier with all services and the gateway in one process. */
export async function oneProcessTier(closing: AsyncDisposableStack): Promise<Tier> {
  const tier = await embeddedTier(closing);
  const script = 'infra/cli/embedded/product-process.ts';
  const healthUrl = `${tier.product.url}/livez`;
  return { ...tier, programs: [{ name: WHOLE, script, env: tier.env, healthUrl }] };
}

/** Events on Kafka, documents on MongoDB and objects on MinIO, each in a container of its own. @param more settings for all services */
export async function distributedTier(
  closing: AsyncDisposableStack,
  more: Record<string, string> = {},
): Promise<Tier> {
  const tier = await embeddedTier(closing, { ...(await startContainers(closing)), ...more });
  return { ...tier, engines: 'Kafka, MongoDB, MinIO and PostgreSQL' };
}

export type Container = 'Kafka' | 'MongoDB' | 'object store';

/**
 * @param through lets clients reach an engine through something else, such as a proxy
 * @returns the settings by which services find them
 */
export async function startContainers(
  closing: AsyncDisposableStack,
  through: (name: Container, url: URL) => Promise<URL> = async (_name, url) => url,
): Promise<Record<string, string>> {
  // Imported here because they look for a container engine.
  const [{ startKafka }, { startMongo }, { startMinio }] = await Promise.all([
    import('@arboleda/chassis/testing/containers/kafka.ts'),
    import('@arboleda/chassis/testing/containers/mongodb.ts'),
    import('@arboleda/chassis/testing/containers/minio.ts'),
  ]);
  const keep = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    closing.defer(async () => void (await one.stop()));
    return one;
  };
  // Kafka sends clients to its advertised address.
  const port = await freePort();
  const reachedAt = Number((await through('Kafka', new URL(`tcp://127.0.0.1:${port}`))).port);
  const starting = [
    keep(startKafka(reachedAt === port ? { port } : { port, reachedAt })),
    keep(startMongo()),
    keep(startMinio()),
  ] as const;
  // Waits for all before it reports a failure, so that each is stopped.
  await Promise.allSettled(starting);
  const [kafka, mongo, minio] = await Promise.all(starting);
  return {
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_PARTITIONS: '3',
    MONGODB_URL: (await through('MongoDB', new URL(mongo.url))).href,
    S3_ENDPOINT: (await through('object store', new URL(minio.endpoint))).href,
    S3_ACCESS_KEY: minio.accessKey,
    S3_SECRET_KEY: minio.secretKey,
  };
}

/** @param pages where the web app is served, if it is not built */
export async function prepare(
  closing: AsyncDisposableStack,
  settings: Record<string, string>,
  pages?: { devUrl: string },
): Promise<Prepared> {
  const given = { ...settings, PORT: '0' };
  const local = await prepareEmbedded(given, await chooseAddress(given), silentProgress, pages);
  closing.defer(local.close);
  const { env } = local;
  return {
    env,
    programs: [
      ...SERVICES.map((name) => ({
        name,
        script: `services/${name}/main.ts`,
        env: serviceEnvironment(withOwnEngine(env, name), name),
        healthUrl: `${urlOf(env, name)}/readyz`,
      })),
      { name: 'gateway', script: 'gateway/main.ts', env, healthUrl: `http://127.0.0.1:${env.PORT}/livez` },
    ],
    product: {
      url: local.gatewayUrl,
      inboxUrl: local.inboxUrl ?? '',
      demoPassword: local.demoPassword,
      serviceKeys: serviceKeysIn(env),
      stripeSecretKey: env.STRIPE_SECRET_KEY!,
      stripePublishableKey: env.STRIPE_PUBLISHABLE_KEY!,
      stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET!,
      stripeApiUrl: env.STRIPE_API_URL!,
      callAuth: openClient(urlOf(env, 'auth')),
    },
  };
}

/** Only documents are in MongoDB, if there is one. */
function withOwnEngine(env: Environment, name: ServiceName): Environment {
  if (!env.MONGODB_URL) return env;
  return { ...env, [hasDocuments(name) ? 'DATABASE_URL' : 'MONGODB_URL']: undefined };
}

const urlOf = (env: Environment, name: ServiceName): string => env[urlVariable(name)]!;
