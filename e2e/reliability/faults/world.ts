import { startKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import { startMinio } from '@arboleda/chassis/testing/containers/minio.ts';
import { startMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { chooseAddress, prepareEmbedded } from '@arboleda/cli/embedded/embedded.ts';
import { DEMO_PRICES, serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { buildWeb } from '@arboleda/cli/embedded/web-build.ts';
import { silentProgress } from '@arboleda/cli/terminal/progress.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startMailSink } from '../../harness/mail-sink.ts';
import { openDataDir, type Running, startProduct } from '../../harness/product.ts';
import { supervise } from '../crash/processes/supervisor.ts';
import { programsOf, urlOf } from '../crash/processes/tier.ts';
import { type FaultyWay, openFaultyWay } from './proxy.ts';

export type Dependency =
  | 'PostgreSQL'
  | 'MongoDB'
  | 'Kafka'
  | 'object store'
  | 'card provider'
  | 'mail server';
export type Tier = 'embedded' | 'distributed';

/** A running product whose engines are reached by ways that can break. */
export interface World {
  tier: Tier;
  product: Running;
  ways: Partial<Record<Dependency, FaultyWay>>;
  /** Whether the mail server has taken a mail to this address. */
  wasMailed(address: string): boolean;
  close(): Promise<void>;
}

/** Lays a way before an engine of this machine: its port is the way's in what is given back. */
export type LayWay = (engine: URL) => Promise<{ way: FaultyWay; url: string }>;

const KEYS = {
  secretKey: 'sk_test_0123456789abcdef0123456789abcdef',
  publishableKey: 'pk_test_0123456789abcdef0123456789abcdef',
  webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
};
/** Often enough that what was lost comes soon after the fault. */
const WEBHOOK_DELAYS_MS = [500, 1_000, 2_000];

export async function openWorld(tier: Tier): Promise<World> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  try {
    const data = await openDataDir();
    closers.push(data.remove);
    const at = async (name: string) => {
      await mkdir(join(data.path, name), { mode: 0o755 });
      return join(data.path, name);
    };
    const postgres = await startPostgres({
      dir: join(data.path, 'postgres'),
      logFile: join(data.path, 'postgres.log'),
      password: 'reliability',
    });
    closers.push(postgres.close);
    const mailed = new Set<string>();
    const mails = await startMailSink((address) => mailed.add(address));
    closers.push(mails.close);
    const sandbox = await startStripeSandbox({
      ...KEYS,
      port: 0,
      dataDir: await at('sandbox'),
      webhookRetryDelaysMs: WEBHOOK_DELAYS_MS,
    });
    closers.push(sandbox.close);
    const lay: LayWay = async (engine) => {
      const way = await openFaultyWay({ host: '127.0.0.1', port: Number(engine.port) });
      closers.push(way.close);
      return {
        way,
        url: Object.assign(new URL(engine), { hostname: '127.0.0.1', port: String(way.port) }).href,
      };
    };
    const database = await lay(new URL(postgres.url));
    const provider = await lay(new URL(sandbox.apiUrl));
    const mail = await lay(new URL(mails.smtpUrl));
    const env = {
      ...DEMO_PRICES,
      DATABASE_URL: database.url,
      SMTP_URL: mail.url,
      STRIPE_API_URL: provider.url,
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
      STRIPE_SCRIPT_URL: sandbox.scriptUrl,
      TRANSFERS_OF_EMAIL_A_DAY: '100000',
      EVIDENCE_MAX_MB_OF_NETWORK: '100000',
      RATE_LIMIT_SCALE: '0',
      RECONCILE_INTERVAL_SECONDS: '5',
      RECONCILE_AFTER_SECONDS: '5',
      AUTH_PASSWORD_MEMORY_KIB: '64',
      AUTH_PASSWORD_PASSES: '1',
      LOG_LEVEL: 'error',
    };
    const ways = { PostgreSQL: database.way, 'card provider': provider.way, 'mail server': mail.way };
    const start = tier === 'embedded' ? startEmbedded : startDistributed;
    const { product, ...started } = await start({ dataDir: await at('product'), env, lay, closers });
    sandbox.setWebhookUrl(`${product.url}/api/payments/stripe-webhook`);
    return {
      tier,
      // The buyer's browser reaches it whatever happens to ours.
      product: { ...product, stripeApiUrl: sandbox.apiUrl },
      wasMailed: (address) => mailed.has(address),
      ways: { ...ways, ...started.ways },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Options of a tier. */
export interface Start {
  dataDir: string;
  env: Record<string, string>;
  lay: LayWay;
  /** Takes what ends it again. */
  closers: (() => Promise<unknown>)[];
}

export type Started = Pick<World, 'product' | 'ways'>;

async function startEmbedded({ dataDir, env, closers }: Start): Promise<Started> {
  const product = await startProduct(dataDir, env);
  closers.push(product.stop);
  return { product, ways: {} };
}

/** Services as processes of their own, as containers run them, on Kafka, MongoDB and MinIO. Loaded only where containers are wanted. */
async function startDistributed({ dataDir, env, lay, closers }: Start): Promise<Started> {
  const keep = <T extends { stop(): Promise<unknown> }>(one: T): T => {
    closers.push(() => one.stop());
    return one;
  };
  await buildWeb();
  // A broker sends its clients to the address it was given: that of the way.
  const port = await freePort();
  const toKafka = await lay(new URL(`tcp://127.0.0.1:${port}`));
  const { brokers } = keep(await startKafka({ port, reachedAt: toKafka.way.port }));
  const mongo = keep(await startMongo());
  const minio = keep(await startMinio());
  const toMongo = await lay(new URL(mongo.url));
  const toMinio = await lay(new URL(minio.endpoint));
  const given = {
    ...env,
    PORT: '0',
    DATA_DIR: dataDir,
    MONGODB_URL: toMongo.url,
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_PARTITIONS: '3',
    S3_ENDPOINT: toMinio.url,
    S3_ACCESS_KEY: minio.accessKey,
    S3_SECRET_KEY: minio.secretKey,
  };
  const local = await prepareEmbedded(given, await chooseAddress(given), silentProgress);
  closers.push(local.close);
  keep(await supervise(programsOf(local.env), dataDir));
  return {
    product: {
      url: local.gatewayUrl,
      inboxUrl: '',
      demoPassword: local.demoPassword,
      serviceKeys: serviceKeysIn(local.env),
      stripeSecretKey: env.STRIPE_SECRET_KEY!,
      stripePublishableKey: env.STRIPE_PUBLISHABLE_KEY!,
      stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET!,
      stripeApiUrl: env.STRIPE_API_URL!,
      callAuth: openClient(urlOf(local.env, 'auth')),
    },
    ways: { Kafka: toKafka.way, MongoDB: toMongo.way, 'object store': toMinio.way },
  };
}
