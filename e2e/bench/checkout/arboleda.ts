import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startMailSink } from '../../harness/mail-sink.ts';
import { startProduct } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, start } from '../peers/processes.ts';
import { openBuying } from './buying.ts';
import { byClients, type Contestant } from './contestant.ts';
import { pin } from './pin.ts';

const SANDBOX = fileURLToPath(new URL('../../../infra/stripe-sandbox/main.ts', import.meta.url));
const LOOK_EVERY_MS = 1;
/** Planned once: whoever is measured shares a core with whoever is asked. */
const STORED_ORDERS = { name: 'stored', text: 'select count(*)::int as n from orders.orders' };
const MEMORY = '/dev/shm';
/** Niceness. */
const BEFORE_OTHERS = -10;

/** The embedded tier. Sandbox and mail server run beside it, so their work is not measured. */
export async function startArboleda(databaseUrl: string, folder: string): Promise<Contestant> {
  const [port, sandboxPort] = await freePorts(2);
  const key = () => randomBytes(16).toString('hex');
  const keys = {
    STRIPE_PUBLISHABLE_KEY: `pk_test_${key()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${key()}`,
  };
  const secretKey = `sk_test_${key()}`;
  const stripeApiUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandboxFolder = await openMemoryFolder();
  const sandbox = start({
    args: [SANDBOX],
    core: CORES.others,
    env: {
      ...keys,
      STRIPE_SANDBOX_PORT: String(sandboxPort),
      STRIPE_SANDBOX_SECRET_KEY: secretKey,
      STRIPE_SANDBOX_DATA_DIR: sandboxFolder.path,
    },
  });
  await waitFor(
    'the stand-in for Stripe',
    async () => (await fetch(stripeApiUrl).catch(() => undefined))?.ok,
  );
  const mails = await startMailSink();
  const product = await startProduct(join(folder, 'product'), {
    ...keys,
    SMTP_URL: mails.smtpUrl,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: stripeApiUrl,
    STRIPE_SCRIPT_URL: `${stripeApiUrl}/endive/stripe.js`,
    RATE_LIMIT_SCALE: '1000000',
  });
  pin(product.pid, CORES.measured);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
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
      // With several clients, one confirms while others are served.
      return clients === 1
        ? { stored: storedSeconds - confirming, confirmed: storedSeconds, done }
        : { stored: storedSeconds, done };
    },
    async stop() {
      await buying.close();
      await database.end();
      await product.stop();
      await mails.close();
      await end(sandbox);
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

/** Work left after an order is stored. The next contestant must not pay for it. */
async function unfinished(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select ((select count(*) from graphile_worker.jobs where run_at <= now())
       + (select count(*) from chassis.deliveries)
       + (select count(*) from payments._outbox) + (select count(*) from orders._outbox)
       + (select count(*) from assignments._outbox) + (select count(*) from notifications._outbox))::int as n`,
  );
  return rows[0]!.n;
}
