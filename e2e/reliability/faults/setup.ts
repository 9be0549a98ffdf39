import { startKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import { startMinio } from '@arboleda/chassis/testing/containers/minio.ts';
import { startMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { prepareEmbedded } from '@arboleda/cli/embedded/embedded.ts';
import { chooseAddress } from '@arboleda/cli/embedded/ports.ts';
import { buildWeb } from '@arboleda/cli/embedded/web-build.ts';
import { silentProgress } from '@arboleda/cli/terminal/progress.ts';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Running, startProduct } from '../../harness/product.ts';
import { supervise } from '../crash/supervisor.ts';
import { programsOf, runningAt } from '../crash/tiers.ts';
import { type Closers, openWithClosers, startOutside } from '../outside.ts';

/**
 * `down`: nobody answers; `slow`: each piece comes a second later; `reset`: connections break as the answer begins;
 * `black hole`: bytes vanish, and connections that were open then are never heard of again; `trickle`: a byte a second.
 */
export const FAULTS = ['down', 'slow', 'reset', 'black hole', 'trickle'] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_MS = 1_000;
const TRICKLE_MS = 1_000;

/** A proxy to something that stands elsewhere, which can break. */
interface FaultyProxy {
  port: number;
  /** From now on, until `mend`. */
  break(fault: Fault): void;
  mend(): void;
  /** Connections that are open through it. */
  open(): number;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  isLost: boolean;
}

async function openFaultyProxy(to: { host: string; port: number }): Promise<FaultyProxy> {
  let fault: Fault | undefined;
  const pairs = new Set<Pair>();
  const server = createServer((near) => {
    if (fault === 'down') return void near.resetAndDestroy();
    const pair: Pair = { near, far: connect(to), isLost: fault === 'black hole' };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      pair.far.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, pair.far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => !pair.isLost && end());
    }
    void carry(pair, near, pair.far, false);
    void carry(pair, pair.far, near, true);
  });

  /** Hands on what comes, as the fault of the moment has it. */
  async function carry(pair: Pair, from: Socket, to: Socket, isAnswer: boolean): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        await carryOne(pair, chunk as Buffer, to, isAnswer);
      }
      if (!pair.isLost) to.end();
    } catch {
      // The other end went: closing is seen to by the sockets themselves.
    }
  }

  async function carryOne(pair: Pair, chunk: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    if (pair.isLost) return;
    if (fault === 'slow') await pause(SLOW_MS);
    if (fault === 'reset' && isAnswer) return void pair.near.resetAndDestroy();
    let rest = chunk;
    while (fault === 'trickle' && rest.length > 0 && to.writable) {
      to.write(rest.subarray(0, 1));
      rest = rest.subarray(1);
      await pause(TRICKLE_MS);
    }
    if (rest.length > 0 && to.writable && !pair.isLost) to.write(rest);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    break(next) {
      fault = next;
      for (const pair of pairs) {
        if (next === 'down') pair.near.resetAndDestroy();
        if (next === 'black hole') pair.isLost = true;
      }
    },
    mend() {
      fault = undefined;
      // The engine misses us by its own keepalive (a minute at most, which is not waited for here); we are told nothing.
      for (const pair of pairs) if (pair.isLost) pair.far.destroy();
    },
    open: () => pairs.size,
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export type Dependency =
  | 'PostgreSQL'
  | 'MongoDB'
  | 'Kafka'
  | 'object store'
  | 'card provider'
  | 'mail server';
export type Tier = 'embedded' | 'distributed';

/** A running product whose engines are reached by proxies that can break. */
export interface Setup {
  tier: Tier;
  product: Running;
  proxies: Partial<Record<Dependency, FaultyProxy>>;
  /** Whether the mail server has taken a mail to this address. */
  wasMailed(address: string): boolean;
  close(): Promise<void>;
}

/** Puts a proxy before an engine of this machine. @returns the engine's URL with the proxy's port */
type AddProxy = (engine: URL) => Promise<{ proxy: FaultyProxy; url: string }>;

/** Often enough that what was lost comes soon after the fault. */
const WEBHOOK_DELAYS_MS = [500, 1_000, 2_000];

export const openSetup = (tier: Tier): Promise<Setup> =>
  openWithClosers<Omit<Setup, 'close'>>(async (closers) => {
    const mailed = new Set<string>();
    const { folder, postgres, mails, sandbox, env } = await startOutside(closers, {
      onMail: (address) => void mailed.add(address),
      webhookRetryDelaysMs: WEBHOOK_DELAYS_MS,
    });
    const addProxy: AddProxy = async (engine) => {
      const proxy = await openFaultyProxy({ host: '127.0.0.1', port: Number(engine.port) });
      closers.push(proxy.close);
      return {
        proxy,
        url: Object.assign(new URL(engine), { hostname: '127.0.0.1', port: String(proxy.port) }).href,
      };
    };
    const database = await addProxy(new URL(postgres.url));
    const provider = await addProxy(new URL(sandbox.apiUrl));
    const mail = await addProxy(new URL(mails.smtpUrl));
    const start = tier === 'embedded' ? startEmbedded : startDistributed;
    const { product, ...started } = await start({
      dataDir: await folder('product'),
      env: {
        ...env,
        DATABASE_URL: database.url,
        SMTP_URL: mail.url,
        STRIPE_API_URL: provider.url,
        RATE_LIMIT_SCALE: '0',
        RECONCILE_INTERVAL_SECONDS: '5',
        RECONCILE_AFTER_SECONDS: '5',
        AUTH_PASSWORD_MEMORY_KIB: '64',
        AUTH_PASSWORD_PASSES: '1',
      },
      addProxy,
      closers,
    });
    sandbox.setWebhookUrl(`${product.url}/api/payments/stripe-webhook`);
    return {
      tier,
      // The buyer's browser reaches it whatever happens to ours.
      product: { ...product, stripeApiUrl: sandbox.apiUrl },
      wasMailed: (address) => mailed.has(address),
      proxies: {
        PostgreSQL: database.proxy,
        'card provider': provider.proxy,
        'mail server': mail.proxy,
        ...started.proxies,
      },
    };
  });

/** Options of a tier. */
interface Start {
  dataDir: string;
  env: Record<string, string>;
  addProxy: AddProxy;
  closers: Closers;
}

type Started = Pick<Setup, 'product' | 'proxies'>;

async function startEmbedded({ dataDir, env, closers }: Start): Promise<Started> {
  const product = await startProduct(dataDir, env);
  closers.push(product.stop);
  return { product, proxies: {} };
}

/** Services as processes of their own, as containers run them, on Kafka, MongoDB and MinIO. Loaded only where containers are wanted. */
async function startDistributed({ dataDir, env, addProxy, closers }: Start): Promise<Started> {
  const keep = <T extends { stop(): Promise<unknown> }>(one: T): T => {
    closers.push(() => one.stop());
    return one;
  };
  await buildWeb();
  // A broker sends its clients to the address it was given: that of the proxy.
  const port = await freePort();
  const toKafka = await addProxy(new URL(`tcp://127.0.0.1:${port}`));
  const { brokers } = keep(await startKafka({ port, reachedAt: toKafka.proxy.port }));
  const mongo = keep(await startMongo());
  const minio = keep(await startMinio());
  const toMongo = await addProxy(new URL(mongo.url));
  const toMinio = await addProxy(new URL(minio.endpoint));
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
    product: runningAt({ ...local.env, ...env }, local.gatewayUrl, local.demoPassword),
    proxies: { Kafka: toKafka.proxy, MongoDB: toMongo.proxy, 'object store': toMinio.proxy },
  };
}
