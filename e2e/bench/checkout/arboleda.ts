import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Pool } from 'undici';
import { intentIdOf, openDriver, type StartedPayment } from '../../driver/driver.ts';
import { openProvider } from '../../driver/provider.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import type { Addresses } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { signWebhook } from '../../harness/webhook.ts';
import { CORES, openDatabase, openProduct, pin, ROOT, startServer } from '../processes.ts';
import { openDistributed } from '../visible/tiers.ts';
import { byClients, type Competitor } from './competitor.ts';

/** A quote is valid for half an hour. */
const QUOTE_KEPT_MS = 600_000;
/** Each client has one call under way. */
const CONNECTIONS = 64;

interface Intent {
  id: string;
  status: string;
}

/**
 * One order after another from a running copy, by three calls: payment intent at prices that were seen, as a browser has; card confirmed at
 * the Stripe sandbox; webhook of what that answered, signed as Stripe does, while the sandbox holds its own back. Whoever takes orders
 * is measured, so whoever gives them is to do little.
 * @returns what buys one, up to the answer of the webhook, and an end
 */
async function openBuying(product: Addresses): Promise<{
  buy(): Promise<void>;
  /** Seconds that cards were being confirmed, all taken together: a call of the browser to Stripe, in which Arboleda has no part. */
  confirming(): number;
  close(): Promise<void>;
}> {
  await openProvider(product).webhooks('hold');
  const shop = new Pool(product.url, { connections: CONNECTIONS });
  const stripe = new Pool(product.stripeApiUrl, { connections: CONNECTIONS });
  const quote = quotes(product);
  let confirmingMs = 0;
  return {
    async buy() {
      const payment = await post<StartedPayment>(shop, '/api/pricing/create-payment-intent', {
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({
          trees: 5,
          packageType: 'grove',
          currency: 'USD',
          locale: 'en',
          customerEmail: 'checkout@bench.test',
          customerName: 'Bench Buyer',
          quote: await quote(),
        }),
      });
      const id = intentIdOf(payment.client_secret);
      const askedAt = performance.now();
      const intent = await post<Intent>(stripe, `/v1/payment_intents/${id}/confirm`, {
        headers: {
          authorization: `Bearer ${product.stripeSecretKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'payment_method=pm_card_visa&return_url=http://127.0.0.1/',
      });
      confirmingMs += performance.now() - askedAt;
      if (intent.status !== 'succeeded') throw new Error(`an intent was confirmed and is ${intent.status}`);
      await post(
        shop,
        '/api/payments/stripe-webhook',
        signWebhook(succeeded(intent), product.stripeWebhookSecret),
      );
    },
    confirming: () => confirmingMs / 1000,
    close: async () => void (await Promise.all([shop.close(), stripe.close()])),
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

function quotes(product: Addresses): () => Promise<string> {
  const { call } = openDriver(product);
  const quote = async () => (await call('GET /api/pricing/packages', { query: { currency: 'USD' } })).quote;
  let seen = { quote: quote(), atMs: performance.now() };
  return () => {
    if (performance.now() - seen.atMs > QUOTE_KEPT_MS) seen = { quote: quote(), atMs: performance.now() };
    return seen.quote;
  };
}

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

const LOOK_EVERY_MS = 1;
const DISTRIBUTED_LOOK_EVERY_MS = 3;
/** Planned once: whoever is measured shares a core with whoever is asked. */
const STORED_ORDERS = { name: 'stored', text: 'select count(*)::int as n from orders.orders' };
const MEMORY = '/dev/shm';
/** Niceness. */
const BEFORE_OTHERS = -10;

/** The embedded tier. Sandbox and mail server run beside it, so their work is not measured. */
export async function startArboleda(databaseUrl: string): Promise<Competitor> {
  const key = () => randomBytes(16).toString('hex');
  const keys = {
    STRIPE_PUBLISHABLE_KEY: `pk_test_${key()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${key()}`,
  };
  const secretKey = `sk_test_${key()}`;
  const sandboxFolder = await openMemoryFolder();
  const sandbox = await startServer('the Stripe sandbox', '/', (port) => ({
    args: ['infra/stripe-sandbox/main.ts'],
    cwd: ROOT,
    core: CORES.others,
    env: {
      ...keys,
      STRIPE_SANDBOX_PORT: String(port),
      STRIPE_SANDBOX_SECRET_KEY: secretKey,
      STRIPE_SANDBOX_DATA_DIR: sandboxFolder.path,
    },
  }));
  const mails = await startMailSink();
  const product = await openProduct({
    ...keys,
    SMTP_URL: mails.smtpUrl,
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.url}/endive/stripe.js`,
    RATE_LIMIT_SCALE: '1000000',
  });
  pin(product.pid, CORES.measured);
  const database = await openDatabase(databaseUrl);
  const buying = await openBuying(product);
  await answerAtOnce(database);
  const stored = async (): Promise<number> => (await database.query<{ n: number }>(STORED_ORDERS)).rows[0]!.n;
  let expected = 0;

  return {
    name: 'Arboleda',
    share: 1,
    leavesWork: true,
    async take(orders, clients) {
      const startedAt = performance.now();
      const confirmingBefore = buying.confirming();
      expected += orders;
      await byClients(orders, clients, buying.buy);
      while ((await stored()) < expected) await sleep(LOOK_EVERY_MS);
      const storedSeconds = secondsSince(startedAt);
      const confirming = buying.confirming() - confirmingBefore;
      await waitFor('the mails of all orders', async () => (await unfinished(database)) === 0);
      const done = secondsSince(startedAt);
      // One of several clients confirms while others are served.
      return clients === 1
        ? { stored: storedSeconds - confirming, confirmed: storedSeconds, done }
        : { stored: storedSeconds, done };
    },
    async stop() {
      await buying.close();
      await database.end();
      await product.stop();
      await mails.close();
      await sandbox.stop();
      await sandboxFolder.remove();
    },
  };
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;

/** In memory where the system has such a folder, so that the sandbox does not slow down the measured process. */
async function openMemoryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'arboleda-stripe-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

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
       + (select count(*) from payments._outbox) + (select count(*) from orders._outbox)
       + (select count(*) from assignments._outbox) + (select count(*) from notifications._outbox))::int as n`,
  );
  return rows[0]!.n;
}

/** A process for each service on Kafka, MinIO and PostgreSQL, all of them on this machine and on all its cores. */
export async function startArboledaDistributed(): Promise<Competitor> {
  const tier = await openDistributed({ RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'error' });
  const database = await openDatabase(tier.databaseUrl);
  const stored = async (): Promise<number> =>
    (await database.query<{ n: number }>('select count(*)::int as n from orders.orders')).rows[0]!.n;
  const buying = await openBuying(tier.product);
  let expected = 0;
  return {
    name: 'Arboleda on Kafka (all cores)',
    share: 1,
    warmsUpBy: 1_000,
    async take(count, clients) {
      const startedAt = performance.now();
      expected += count;
      await byClients(count, clients, buying.buy);
      while ((await stored()) < expected) await sleep(DISTRIBUTED_LOOK_EVERY_MS);
      const seconds = (performance.now() - startedAt) / 1000;
      await waitFor('the mails of all orders', async () => {
        const { rows } = await database.query<{ n: number }>(
          'select count(*)::int as n from notifications.mails where sent_at is not null and order_id is not null',
        );
        // A donor's receipt, for each; what workers are told comes as soon as they have work.
        return rows[0]!.n >= expected;
      });
      return { stored: seconds };
    },
    async stop() {
      await buying.close();
      await database.end();
      await tier.close();
    },
  };
}
