import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { intentIdOf, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../../harness/database.ts';
import { putPerson } from '../../harness/accounts.ts';
import { cpuTime, familyCpuMs } from '../../harness/proc.ts';
import { openProduct, type Product } from '../../harness/product.ts';
import { settled } from '../../harness/settled.ts';
import type { Figures } from '../figures.ts';
import type { Table } from '../../report/table.ts';
import { type Asked, type Profile, record, recordingEnv, whyTables } from './why.ts';

/** A line of PostgreSQL's log for each statement, simple or prepared. */
const STATEMENT = /LOG: {2}(statement|execute [^:]*):/g;
/** Slow enough that nothing is done for several orders at once that one alone would need. */
const ORDER_EVERY_MS = 100;

/** Where `--why` leaves the profile: browsers' developer tools and speedscope.app draw it as a flame graph. */
const PROFILE = join(tmpdir(), 'arboleda-cost.cpuprofile');

/**
 * The work of `npm start` for one order, and when nobody asks for anything. PostgreSQL's log counts statements.
 * @param why also says what an order is dear by; recording itself takes time, so it is done after the measuring
 */
export async function cost({ quick, why }: { quick: boolean; why: boolean }): Promise<Figures> {
  const [orders, restSeconds] = quick ? [30, 5] : [200, 60];
  const recording = recordingEnv();
  await using product = await openProduct({
    RATE_LIMIT_SCALE: '100000',
    RECEIPT_MAIL_DELAY_SECONDS: '0',
    ...(why && recording.env),
  });
  await using database = await openDatabase(product.databaseUrl);
  await putPerson(product, 'worker', 'rosa@bench.test', 'QU-001');
  const driver = openDriver(product);
  const log = join(product.dataDir, 'logs', 'postgres.log');

  const readMeters = async () => {
    const productMs = cpuTime(product.pid).all;
    return {
      statements: (await readFile(log, 'utf8')).match(STATEMENT)?.length ?? 0,
      productMs,
      othersMs: familyCpuMs(product.pid) - productMs,
      seconds: performance.now() / 1000,
    };
  };
  const during = async (work: () => Promise<unknown>) => {
    const before = await readMeters();
    await work();
    const after = await readMeters();
    return {
      statements: after.statements - before.statements,
      productMs: after.productMs - before.productMs,
      othersMs: after.othersMs - before.othersMs,
      seconds: after.seconds - before.seconds,
    };
  };
  const untilSettled = () =>
    settled(async (text, values) => (await database.query(text, values as unknown[])).rows);
  const buy = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const payment = await driver.start('cost@bench.test');
      await driver.pay(payment.client_secret);
      await sleep(ORDER_EVERY_MS);
    }
  };

  await buy(5);
  await untilSettled();
  await database.query(`alter system set log_statement = 'all'`);
  await database.query('select pg_reload_conf()');
  const atRest = await during(() => sleep(restSeconds * 1000));
  const bought = await during(async () => {
    await buy(orders);
    await untilSettled();
  });
  type Meter = 'statements' | 'productMs' | 'othersMs';
  const idle = (kind: Meter) => atRest[kind] / atRest.seconds;
  const each = (spent: typeof bought, kind: Meter, count: number) =>
    (spent[kind] - idle(kind) * spent.seconds) / count;
  const row = (what: string, kind: Meter) => [what, each(bought, kind, orders), idle(kind)];
  const processorOf = (spent: typeof bought, count: number) =>
    each(spent, 'productMs', count) + each(spent, 'othersMs', count);
  const strangers: [string, number, number, string][] = [];
  for (const [who, comes] of Object.entries(refusedStrangers(product))) {
    await comes();
    await untilSettled();
    const spent = await during(async () => {
      for (let at = 0; at < orders; at++) await comes();
      await untilSettled();
    });
    const ms = processorOf(spent, orders);
    const share = `${((100 * ms) / processorOf(bought, orders)).toFixed(0)} %`;
    strangers.push([who, each(spent, 'statements', orders), ms, share]);
  }
  let reasons: Table[] = [];
  if (why) {
    await database.query(`alter system set log_statement = 'none'`);
    await database.query('alter system set log_min_duration_statement = 0');
    await database.query('select pg_reload_conf()');
    const from = (await readFile(log, 'utf8')).length;
    const again = async () => {
      await buy(orders);
      await untilSettled();
    };
    const statements = await record<Asked[]>(product.pid, recording.file, again);
    const said = (await readFile(log, 'utf8')).slice(from);
    const profile = await record<Profile>(product.pid, recording.file, again);
    await writeFile(PROFILE, JSON.stringify(profile));
    console.log(`profile: ${PROFILE}`);
    reasons = whyTables({ statements, log: said, profile }, orders);
  }
  return {
    bench: 'cost',
    work:
      `${orders} orders of one card buyer each, one every ${ORDER_EVERY_MS} ms, until they are assigned and their mails handed over; ` +
      `divided by the orders, less what the product does in the same time at rest. At rest: ${restSeconds} s in which nobody asks for anything.`,
    tables: [
      {
        title: 'Work',
        columns: ['what', 'an order', 'at rest, a second'],
        rows: [
          row('SQL statements', 'statements'),
          row('processor, ms: services, gateway and the Stripe sandbox', 'productMs'),
          row('processor, ms: PostgreSQL and other processes', 'othersMs'),
        ],
      },
      {
        title: 'Strangers who are refused',
        columns: ['who', 'SQL statements', 'processor, ms', 'processor of an order'],
        rows: strangers,
      },
      ...reasons,
    ],
  };
}

/** Visits that bring no order, by who makes them. */
function refusedStrangers(product: Product): Record<string, () => Promise<void>> {
  const { call, start } = openDriver(product);
  const expectRefusal = (asking: Promise<unknown>) =>
    asking.then(
      () => {
        throw new Error('a stranger was not refused');
      },
      () => undefined,
    );
  return {
    'a bot without JavaScript that reads the checkout': async () => {
      await (await fetch(`${product.url}/checkout`)).text();
    },
    'a quote that is not ours': () =>
      expectRefusal(
        call('POST /api/pricing/create-payment-intent', {
          body: { ...BUYER, trees: 5, packageType: 'grove', currency: 'USD', quote: 'not.a.quote' },
        }),
      ),
    'a card that is declined': async () => {
      const { client_secret: secret } = await start(BUYER.customerEmail);
      const response = await fetch(
        `${product.stripeApiUrl}/v1/payment_intents/${intentIdOf(secret)}/confirm`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${product.stripePublishableKey}` },
          body: new URLSearchParams({ client_secret: secret, payment_method: 'pm_card_chargeDeclined' }),
        },
      );
      if (response.ok) throw new Error('a declined card paid');
      await response.text();
    },
  };
}

const BUYER = { customerEmail: 'stranger@bench.test', customerName: 'A Stranger', locale: 'en' };
