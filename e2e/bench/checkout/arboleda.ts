import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Pool } from 'undici';
import { intentIdOf, openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../../harness/database.ts';
import { openProvider } from '../../driver/provider.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import { type Addresses, openProduct } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { signWebhook } from '../../harness/webhook.ts';
import { CORES, pin, ROOT, startServer } from '../processes.ts';
import { openDistributed } from '../visible/tiers.ts';
import { byClients, type Competitor } from './competitor.ts';

/** Each client has one call under way. */
const CONNECTIONS = 64;
/** Planned once: whoever is measured shares a core with whoever is asked. */
const STORED_ORDERS = { name: 'stored', text: 'select count(*)::int as n from orders.orders' };

interface Intent {
  id: string;
  status: string;
}

/** A running copy of Arboleda. */
interface Copy {
  name: string;
  product: Addresses;
  database: pg.Client;
  lookEveryMs: number;
  /** Whether nothing is left to do for so many orders. */
  isDone(orders: number): Promise<boolean>;
}

/**
 * Orders by three calls: payment intent at prices that were seen, as a browser has; card confirmed at the Stripe sandbox;
 * webhook of what that answered, signed as Stripe does, while the sandbox holds its own back. Whoever takes orders is
 * measured, so whoever gives them is to do little.
 * @param closing ends the copy, with what is opened here
 */
async function openCompetitor(
  { name, product, database, lookEveryMs, isDone }: Copy,
  closing: AsyncDisposableStack,
): Promise<Competitor> {
  await openProvider(product).webhooks('hold');
  const { call } = openDriver(product);
  const shop = closing.adopt(new Pool(product.url, { connections: CONNECTIONS }), (pool) => pool.close());
  const stripe = closing.adopt(new Pool(product.stripeApiUrl, { connections: CONNECTIONS }), (pool) =>
    pool.close(),
  );
  let confirmingMs = 0;

  async function buy(quote: string): Promise<void> {
    const payment = await post<StartedPayment>(shop, '/api/pricing/create-payment-intent', {
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({
        trees: 5,
        packageType: 'grove',
        currency: 'USD',
        locale: 'en',
        customerEmail: 'checkout@bench.test',
        customerName: 'Bench Buyer',
        quote,
      }),
    });
    const askedAt = performance.now();
    const intent = await post<Intent>(
      stripe,
      `/v1/payment_intents/${intentIdOf(payment.client_secret)}/confirm`,
      {
        headers: {
          authorization: `Bearer ${product.stripeSecretKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'payment_method=pm_card_visa&return_url=http://127.0.0.1/',
      },
    );
    confirmingMs += performance.now() - askedAt;
    if (intent.status !== 'succeeded') throw new Error(`an intent was confirmed and is ${intent.status}`);
    const webhook = signWebhook(succeeded(intent), product.stripeWebhookSecret);
    await post(shop, '/api/payments/stripe-webhook', webhook);
  }

  const stored = async () => (await database.query<{ n: number }>(STORED_ORDERS)).rows[0]!.n;
  let expected = 0;
  const kept = closing.move();
  return {
    name,
    share: 1,
    async take(orders, clients) {
      const { quote } = await call('GET /api/pricing/packages', { query: { currency: 'USD' } });
      expected += orders;
      confirmingMs = 0;
      const startedAt = performance.now();
      const secondsSoFar = () => (performance.now() - startedAt) / 1000;
      await byClients(orders, clients, () => buy(quote));
      while ((await stored()) < expected) await sleep(lookEveryMs);
      const storedSeconds = secondsSoFar();
      await waitFor('the mails of all orders', () => isDone(expected));
      const done = secondsSoFar();
      // One of several clients confirms while others are served.
      return clients === 1
        ? { stored: storedSeconds - confirmingMs / 1000, confirmed: storedSeconds, done }
        : { stored: storedSeconds, done };
    },
    stop: () => kept.disposeAsync(),
  };
}

const succeeded = (intent: Intent) => ({
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: intent },
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  pending_webhooks: 1,
  request: null,
});

/** @throws with what was answered, unless that is a success */
async function post<Answer>(
  pool: Pool,
  path: string,
  what: { headers: Record<string, string>; body: string },
): Promise<Answer> {
  const { statusCode, body } = await pool.request({ method: 'POST', path, ...what });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${path} was answered ${statusCode}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** The embedded tier. Sandbox and mail server run beside it, so their work is not measured. */
export async function startArboleda(databaseUrl: string): Promise<Competitor> {
  await using closing = new AsyncDisposableStack();
  const key = () => randomBytes(16).toString('hex');
  const keys = {
    STRIPE_PUBLISHABLE_KEY: `pk_test_${key()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${key()}`,
  };
  const secretKey = `sk_test_${key()}`;
  // In memory, where the system has such a folder: the sandbox is not to slow down the measured process.
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const sandboxFolder = await mkdtemp(join(memory, 'arboleda-stripe-'));
  closing.defer(() => rm(sandboxFolder, { recursive: true, force: true }));
  const sandbox = closing.use(
    await startServer('the Stripe sandbox', '/', (port) => ({
      args: ['infra/stripe-sandbox/main.ts'],
      cwd: ROOT,
      core: CORES.others,
      env: {
        ...keys,
        STRIPE_SANDBOX_PORT: String(port),
        STRIPE_SANDBOX_SECRET_KEY: secretKey,
        STRIPE_SANDBOX_DATA_DIR: sandboxFolder,
      },
    })),
  );
  const mails = closing.adopt(await startMailSink(), (sink) => sink.close());
  const product = closing.use(
    await openProduct({
      ...keys,
      SMTP_URL: mails.smtpUrl,
      DATABASE_URL: databaseUrl,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_URL: sandbox.url,
      STRIPE_SCRIPT_URL: `${sandbox.url}/endive/stripe.js`,
      RATE_LIMIT_SCALE: '1000000',
    }),
  );
  pin(product.pid, CORES.measured);
  const database = closing.use(await openDatabase(databaseUrl));
  await answerAtOnce(database);
  const isDone = async () => (await unfinished(database)) === 0;
  const copy = { name: 'Arboleda', product, database, lookEveryMs: 1, isDone };
  return await openCompetitor(copy, closing);
}

/** Niceness. */
const BEFORE_OTHERS = -10;

/** Else an order is seen to be stored when those who share the core have a pause. */
async function answerAtOnce(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    setPriority(rows[0]!.pid, BEFORE_OTHERS);
  } catch {
    // Only root may.
  }
}

/** Work left after an order is stored. The next competitor must not pay for it. */
async function unfinished(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select ((select count(*) from graphile_worker.jobs where run_at <= now())
       + (select count(*) from chassis.deliveries)
       + (select count(*) from notifications.mails where sent_at is null and dropped_at is null)
       + (select count(*) from payments._outbox) + (select count(*) from orders._outbox)
       + (select count(*) from assignments._outbox) + (select count(*) from notifications._outbox))::int as n`,
  );
  return rows[0]!.n;
}

/** A process for each service on Kafka, MinIO and PostgreSQL, all of them on this machine and on all its cores. */
export async function startArboledaDistributed(): Promise<Competitor> {
  await using closing = new AsyncDisposableStack();
  const tier = await openDistributed({ RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'error' });
  closing.defer(() => tier.close());
  const database = closing.use(await openDatabase(tier.databaseUrl));
  // A donor's receipt, for each; what workers are told comes as soon as they have work.
  const isDone = async (orders: number) => {
    const { rows } = await database.query<{ n: number }>(
      'select count(*)::int as n from notifications.mails where sent_at is not null and order_id is not null',
    );
    return rows[0]!.n >= orders;
  };
  const name = 'Arboleda on Kafka (all cores)';
  const copy = { name, product: tier.product, database, lookEveryMs: 3, isDone };
  return { ...(await openCompetitor(copy, closing)), warmsUpBy: 1_000 };
}
