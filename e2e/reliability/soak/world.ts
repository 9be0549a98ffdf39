import { request } from '@arboleda/chassis/testing/request.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { DEMO_PRICES } from '@arboleda/cli/embedded/environment.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { putAccount } from '../../harness/accounts.ts';
import { openProvider } from '../../driver/provider.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { inTurn } from '../races/race.ts';
import type { Rows } from '../settled.ts';
import type { Order } from './generator/crowd.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import type { Plan } from './plan.ts';

/** The product in a process of its own; what it calls outside runs here, so that its memory is its own. */
export interface World {
  product: Product;
  postgresPid: number;
  rows: Rows;
  /** Payment intents that the card provider has charged. */
  charged(): Promise<string[]>;
  mailsTaken(): number;
  close(): Promise<void>;
}

const KEYS = {
  secretKey: 'sk_test_0123456789abcdef0123456789abcdef',
  publishableKey: 'pk_test_0123456789abcdef0123456789abcdef',
  webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
};

const SETTINGS = {
  ...DEMO_PRICES,
  // Some hundred households stand for thousands.
  TRANSFERS_OF_EMAIL_A_DAY: '100000',
  EVIDENCE_MAX_MB_OF_NETWORK: '100000',
  RATE_LIMIT_SCALE: '100000',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'error',
};

export async function openWorld(): Promise<World> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
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
    const mails = await startMailSink();
    closers.push(mails.close);
    const sandbox = await startStripeSandbox({ ...KEYS, port: 0, dataDir: await at('sandbox') });
    closers.push(sandbox.close);
    const product = await startProduct(await at('product'), {
      ...SETTINGS,
      DATABASE_URL: postgres.url,
      SMTP_URL: mails.smtpUrl,
      STRIPE_API_URL: sandbox.apiUrl,
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
      STRIPE_SCRIPT_URL: sandbox.scriptUrl,
    });
    closers.push(product.stop);
    sandbox.setWebhookUrl(`${product.url}/api/payments/stripe-webhook`);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
    closers.push(() => pool.end());
    return {
      product,
      postgresPid: postgres.pid,
      rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
      async charged() {
        const { charges } = await openProvider({ ...product, stripeApiUrl: sandbox.apiUrl }).state();
        return charges.filter(({ status }) => status === 'succeeded').map((one) => one.payment_intent);
      },
      mailsTaken: mails.taken,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const PASSWORD = 'guadua-cedro-7310';

/** Makes everybody, logged in. */
export async function invite({ product }: World, people: Plan['people']): Promise<Order> {
  const put = async (role: Role, email: string, code?: string) => {
    const account = { role, name: 'Rosa Prueba', email, password: PASSWORD, emailVerified: true };
    const worker = { code: code ?? '', region: 'Quindío', capacityTrees: 1_000_000 };
    await putAccount(product, { ...account, ...(code && { worker }) });
    const answer = await request(product.url, `POST /api/auth/${role}/login`, {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': '10.30.0.1' },
    });
    if (answer.status !== 200) throw new Error(`log-in of ${email}: ${answer.status}`);
    return answer.body.token as string;
  };
  const customers = await inTurn(people.customers, async (at) => {
    const email = `rosa-${at}@soak.test`;
    return { email, password: PASSWORD, token: await put('customer', email) };
  });
  const workers = await inTurn(people.workers, (at) =>
    put('worker', `worker-${at}@soak.test`, `QU-${String(100 + at)}`),
  );
  return {
    url: product.url,
    stripe: { apiUrl: product.stripeApiUrl, publishableKey: KEYS.publishableKey },
    customers,
    workers,
    admin: await put('admin', 'admin@soak.test'),
    photo: await aPhoto(),
  };
}

/** A small phone photo. Grain gives it a realistic size. */
const aPhoto = (): Promise<Uint8Array> =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#3b6b3a',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
