import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../../harness/database.ts';
import { putPerson } from '../../harness/accounts.ts';
import { cpuTime, familyCpuMs } from '../../harness/proc.ts';
import { openProduct } from '../../harness/product.ts';
import { settled } from '../../harness/settled.ts';
import type { Figures } from '../figures.ts';
import type { Table } from '../../report/table.ts';
import { record, recordingEnv, whyTables } from './why.ts';

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
  const row = (what: string, kind: 'statements' | 'productMs' | 'othersMs') => {
    const idle = atRest[kind] / atRest.seconds;
    return [what, (bought[kind] - idle * bought.seconds) / orders, idle];
  };
  let reasons: Table[] = [];
  if (why) {
    await database.query(`alter system set log_statement = 'none'`);
    await database.query('alter system set log_min_duration_statement = 0');
    await database.query('select pg_reload_conf()');
    const from = (await readFile(log, 'utf8')).length;
    const recorded = await record(product.pid, recording.file, async () => {
      await buy(orders);
      await untilSettled();
    });
    await writeFile(PROFILE, JSON.stringify(recorded.profile));
    console.log(`profile: ${PROFILE}`);
    reasons = whyTables(recorded, (await readFile(log, 'utf8')).slice(from), orders);
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
      ...reasons,
    ],
  };
}
