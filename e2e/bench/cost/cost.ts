import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Driver, openDriver, type StartedPayment } from '../../driver/driver.ts';
import { openProvider } from '../../driver/provider.ts';
import { makeTirelessWorker } from '../../harness/accounts.ts';
import type { Product } from '../../harness/product.ts';
import { cpuTime, familyCpuMs } from '../../harness/proc.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';
import { signWebhook } from '../../harness/webhook.ts';
import type { Figures } from '../bench.ts';
import { openDatabase, openPostgres, openProduct } from '../processes.ts';
import { openRelay, type Relay } from './relay.ts';

/** Work that was done, by kind, in the units of WORK_UNITS. */
export interface Work {
  queries: number;
  roundTrips: number;
  bytesSent: number;
  bytesReceived: number;
  /** Events, one for each group that listens. */
  deliveries: number;
  jobs: number;
  productMs: number;
  postgresMs: number;
}

const WORK_UNITS: Record<keyof Work, string> = {
  queries: 'SQL statements',
  roundTrips: 'round trips to PostgreSQL',
  bytesSent: 'bytes to PostgreSQL',
  bytesReceived: 'bytes from PostgreSQL',
  deliveries: 'deliveries of events',
  jobs: 'jobs',
  productMs: 'CPU of the product’s process, ms (with the sandbox in it)',
  postgresMs: 'CPU of PostgreSQL, ms',
};

const WORK_KINDS = Object.keys(WORK_UNITS) as (keyof Work)[];

export interface Measured extends Work {
  seconds: number;
  statements: ReadonlyMap<string, number>;
}

/** Reads all that counts work, before and behind what is done. */
function openMeter(parts: { relay: Relay; database: pg.Client; productPid: number; postgresPid: number }) {
  const { relay, database, productPid, postgresPid } = parts;

  /** Sequences count what was ever put into a table, also what left it again. */
  const sequences = async (names: string): Promise<number> => {
    const { rows } = await database.query<{ sum: string }>(
      `select coalesce(sum(last_value), 0) as sum from pg_sequences where schemaname || '.' || sequencename like $1`,
      [names],
    );
    return Number(rows[0]!.sum);
  };
  const read = async (): Promise<Measured> => ({
    ...relay.traffic(),
    deliveries: await sequences('chassis.deliveries\\_seq\\_seq'),
    jobs: await sequences('graphile\\_worker.%jobs\\_id\\_seq%'),
    productMs: cpuTime(productPid).all,
    postgresMs: familyCpuMs(postgresPid),
    seconds: performance.now() / 1000,
    statements: relay.statements(),
  });

  return {
    async during(work: () => Promise<unknown>): Promise<Measured> {
      const before = await read();
      await work();
      return difference(await read(), before);
    },
  };
}

function difference(after: Measured, before: Measured): Measured {
  const statements = [...after.statements].map(
    ([text, times]) => [text, times - (before.statements.get(text) ?? 0)] as const,
  );
  return {
    ...(Object.fromEntries(WORK_KINDS.map((kind) => [kind, after[kind] - before[kind]])) as unknown as Work),
    seconds: after.seconds - before.seconds,
    statements: new Map(statements),
  };
}

const BUYER = 'cost@bench.test';
/** Slow enough that nothing is done for several at once that one alone would need. */
const WEBHOOK_EVERY_MS = 100;
const STATEMENTS_SHOWN = 25;
const STATEMENT_LENGTH = 110;

/** Measurements by stage of the order. */
type Parts = Record<'intent' | 'confirmed' | 'settled', Measured>;

/** Measures the cost of one order in the embedded tier, from payment intent to emails sent. */
export async function cost({ quick }: { quick: boolean }): Promise<Figures> {
  const orders = quick ? 5 : 200;
  const idleSeconds = quick ? 1 : 15;
  await using closing = new AsyncDisposableStack();
  const postgres = closing.use(await openPostgres());
  const relay = await openRelay(postgres.url);
  closing.defer(() => relay.close());
  const database = closing.use(await openDatabase(postgres.url));
  const product = closing.use(await openProduct({ DATABASE_URL: relay.url, RATE_LIMIT_SCALE: '100000' }));
  await makeTirelessWorker(product);
  const meter = openMeter({ relay, database, productPid: product.pid, postgresPid: postgres.pid });
  const run = { product, driver: openDriver(product), database };
  await measureParts(run, 5, meter.during);
  const idle = await meter.during(() => sleep(idleSeconds * 1000));
  const parts = await measureParts(run, orders, meter.during);
  const atRest = await statementsAtRest(quick ? 1 : 60);
  return figuresOf(parts, { idle, atRest }, orders);
}

interface Run {
  product: Product;
  driver: Driver;
  database: pg.Client;
}

async function measureParts(
  { product, driver, database }: Run,
  orders: number,
  during: (work: () => Promise<unknown>) => Promise<Measured>,
): Promise<Parts> {
  const provider = openProvider(product);
  await provider.webhooks('hold');
  const payments: StartedPayment[] = [];
  const webhooks: { headers: Record<string, string>; body: string }[] = [];
  const intent = await during(async () => {
    for (let at = 0; at < orders; at++) payments.push(await driver.start(BUYER));
  });
  const confirmed = await during(async () => {
    for (const payment of payments) {
      const object = await driver.pay(payment.client_secret);
      const { events } = await provider.events({ type: 'payment_intent.succeeded', object });
      webhooks.push(signWebhook(await provider.event(events[0]!.id), product.stripeWebhookSecret));
    }
  });
  const settled = await during(async () => {
    for (const webhook of webhooks) {
      const sent = { method: 'POST', ...webhook };
      await (await fetch(`${product.url}/api/payments/stripe-webhook`, sent)).arrayBuffer();
      await sleep(WEBHOOK_EVERY_MS);
    }
    await waitFor('nothing more to be done', () => isDone(database));
  });
  await provider.webhooks('deliver');
  return { intent, confirmed, settled };
}

/** Every paid order has its worker, every mail was handed over, and no job waits. */
async function isDone(database: pg.Client): Promise<boolean> {
  const { rows } = await database.query<{ open: boolean }>(
    `select exists (select from orders.orders where status = 'pending')
       or exists (select from notifications.mails where sent_at is null and dropped_at is null)
       or exists (select from chassis.deliveries)
       or exists (select from graphile_worker.jobs where run_at <= now()) as open`,
  );
  return !rows[0]!.open;
}

/** A line of PostgreSQL's log for each statement, simple or prepared. */
const STATEMENT = /LOG: {2}(statement|execute [^:]*):/g;

/**
 * Statements a second of `npm start` when nobody asks for anything. It runs its own PostgreSQL, whose log counts them: with a
 * database that several processes share, the product looks for events of the others more often.
 */
async function statementsAtRest(seconds: number): Promise<number> {
  await using product = await openProduct();
  await using client = await openDatabase(product.databaseUrl);
  const log = join(product.dataDir, 'logs', 'postgres.log');
  const counted = async (): Promise<number> => (await readFile(log, 'utf8')).match(STATEMENT)?.length ?? 0;
  await settled(async (text, values) => (await client.query(text, values as unknown[])).rows);
  await client.query(`alter system set log_statement = 'all'`);
  await client.query('select pg_reload_conf()');
  const before = await counted();
  await sleep(seconds * 1000);
  return ((await counted()) - before) / seconds;
}

function figuresOf(
  parts: Parts,
  { idle, atRest }: { idle: Measured; atRest: number },
  orders: number,
): Figures {
  const each = (part: Measured, kind: keyof Work): number =>
    round((part[kind] - (idle[kind] / idle.seconds) * part.seconds) / orders);
  const inAll = (kind: keyof Work) =>
    round(Object.values(parts).reduce((sum, part) => sum + each(part, kind), 0));
  return {
    bench: 'cost',
    work:
      `${orders} orders of one card buyer each, one after another, a webhook every ${WEBHOOK_EVERY_MS} ms; divided by the orders, ` +
      'less what the product does in the same time when nobody asks for anything. At rest: counted in PostgreSQL’s log for a minute. Counted on the wire between the product ' +
      'and its PostgreSQL; sessions are open. An order ends as assigned, with its mails handed over.',
    tables: [
      {
        title: 'Work for each order',
        columns: [
          'what',
          'intent',
          'card confirmed',
          'webhook to assigned and mailed',
          'in all',
          'idle, a second, in a database that others may use',
        ],
        rows: WORK_KINDS.map((kind) => {
          const [intent, confirmed, settled] = [parts.intent, parts.confirmed, parts.settled].map((part) =>
            each(part, kind),
          );
          return [
            WORK_UNITS[kind],
            intent!,
            confirmed!,
            settled!,
            inAll(kind),
            round(idle[kind] / idle.seconds),
          ];
        }),
      },
      {
        title: 'At rest',
        columns: ['what', 'a second'],
        rows: [['SQL statements of npm start, with a database of its own', round(atRest)]],
      },
      {
        title: 'Statements for each order',
        columns: ['times', 'statement'],
        rows: statementsOf(parts, idle, orders),
        isDetail: true,
      },
    ],
  };
}

function statementsOf(parts: Parts, idle: Measured, orders: number): [number, string][] {
  const times = new Map<string, number>();
  for (const { statements, seconds } of Object.values(parts)) {
    for (const [text, seen] of statements) {
      const idly = ((idle.statements.get(text) ?? 0) / idle.seconds) * seconds;
      times.set(text, (times.get(text) ?? 0) + (seen - idly) / orders);
    }
  }
  return [...times]
    .map(([text, each]): [number, string] => [
      round(each),
      text.replace(/\s+/g, ' ').trim().slice(0, STATEMENT_LENGTH),
    ])
    .filter(([each]) => each >= 0.5)
    .sort(([one], [other]) => other - one)
    .slice(0, STATEMENTS_SHOWN);
}

const round = (value: number): number => Math.round(value * 100) / 100;
