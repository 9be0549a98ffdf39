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
import { type Asked, type Profile, record, RECORDING_ENV, whyTables } from './why.ts';

type Meter = 'statements' | 'productMs' | 'othersMs';
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
  const [orders, restSeconds] = quick ? [10, 1] : [200, 30];
  await using product = await openProduct({
    RATE_LIMIT_SCALE: '100000',
    RECEIPT_MAIL_DELAY_SECONDS: '0',
    ...(why && RECORDING_ENV),
  });
  await using database = await openDatabase(product.databaseUrl);
  await putPerson(product, 'worker', 'rosa@bench.test', 'QU-001');
  const driver = openDriver(product);
  const log = join(product.dataDir, 'logs', 'postgres.log');

  const visits = refusedStrangers(product);

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

  const setLog = async (setting: string, value: string) => {
    await database.query(`alter system set ${setting} = '${value}'`);
    await database.query('select pg_reload_conf()');
  };
  /** Logging takes time of the processor itself, so that is measured without. */
  const withLog = async (statements: 'all' | 'none') => {
    await setLog('log_statement', statements);
    const atRest = await during(() => sleep(restSeconds * 1000));
    const each = async (count: number, work: () => Promise<unknown>) => {
      const spent = await during(async () => {
        for (let at = 0; at < count; at++) await work();
        await untilSettled();
      });
      const less = (kind: Meter) => (spent[kind] - (atRest[kind] / atRest.seconds) * spent.seconds) / count;
      return { statements: less('statements'), productMs: less('productMs'), othersMs: less('othersMs') };
    };
    const order = await each(orders, () => buy(1));
    const strangers: (typeof order)[] = [];
    for (const comes of visits.values()) strangers.push(await each(orders, comes));
    return { order, strangers, idle: (kind: Meter) => atRest[kind] / atRest.seconds };
  };

  await buy(5);
  for (const comes of visits.values()) await comes();
  await untilSettled();
  const quiet = await withLog('none');
  const logged = await withLog('all');
  const processorOf = ({ productMs, othersMs }: typeof quiet.order) => productMs + othersMs;
  let reasons: Table[] = [];
  if (why) {
    await setLog('log_statement', 'none');
    await setLog('log_min_duration_statement', '0');
    const from = (await readFile(log, 'utf8')).length;
    const again = async () => {
      await buy(orders);
      await untilSettled();
    };
    const statements = await record<Asked[]>(product.pid, again);
    const said = (await readFile(log, 'utf8')).slice(from);
    const profile = await record<Profile>(product.pid, again);
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
          ['SQL statements', logged.order.statements, logged.idle('statements')],
          [
            'processor, ms: services, gateway and the Stripe sandbox',
            quiet.order.productMs,
            quiet.idle('productMs'),
          ],
          ['processor, ms: PostgreSQL and other processes', quiet.order.othersMs, quiet.idle('othersMs')],
        ],
      },
      {
        title: 'Strangers who are refused',
        columns: ['who', 'SQL statements', 'processor, ms', 'processor of an order'],
        rows: [...visits.keys()].map((who, at) => {
          const ms = processorOf(quiet.strangers[at]!);
          const share = (100 * ms) / processorOf(quiet.order);
          return [who, logged.strangers[at]!.statements, ms, `${share.toFixed(0)} %`];
        }),
      },
      ...reasons,
    ],
  };
}

/** Visits that bring no order, named after the visitor. */
function refusedStrangers(product: Product): ReadonlyMap<string, () => Promise<void>> {
  const { call, start } = openDriver(product);
  const expectRefusal = (asking: Promise<unknown>) =>
    asking.then(
      () => {
        throw new Error('a stranger was not refused');
      },
      () => undefined,
    );
  return new Map(
    Object.entries({
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
    }),
  );
}

const BUYER = { customerEmail: 'stranger@bench.test', customerName: 'A Stranger', locale: 'en' };
