import { backUp, restore } from '@arboleda/cli/backup/embedded.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { clearPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFilledProduct, type FilledProduct } from '../../api/filled-product.ts';
import { eventually } from '../../api/filling.ts';
import { emailOf } from '../../api/people.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../../harness/database.ts';
import { openDataDir, startProduct } from '../../harness/product.ts';
import { type Ask, askNumber, compare, MOVES, ofFiles, ofTables } from './fingerprint.ts';
import { givenTwice, look, RECEIPTS, type Rehearsed, seconds, SENT, sentTwice } from './people.ts';

/**
 * Fills an installation, backs it up while it runs, loses it, and looks at what the backup brings back: once while
 * nobody does anything, when all must be equal; once while people buy, when nothing may be torn.
 */
export async function rehearseEmbedded(options: { purchases: number }): Promise<Rehearsed> {
  await using closing = new AsyncDisposableStack();
  const filled = await openFilledProduct();
  closing.defer(filled.close);
  const still = await rehearseStill(filled, closing);
  const busy = await rehearseBusy(filled, closing, options.purchases);
  return { rows: [...still.rows, ...busy.rows], violations: [...still.violations, ...busy.violations] };
}

async function rehearseStill(filled: FilledProduct, closing: AsyncDisposableStack): Promise<Rehearsed> {
  const { product, objects } = filled;
  const ask = askAt(product.databaseUrl);
  const session = await filled.token('customer');
  const seen = await look(product, objects, session);
  // Stripe updates a charge when it is settled.
  await eventually('every charge settled', async () => (await askNumber(ask, UNSETTLED)) <= 0);
  await quiet(ask);
  const tables = await ofTables(ask);
  const files = await ofFiles(join(product.dataDir, 'objects'));
  const { backup, tookMs } = await backedUp(product.dataDir, closing);
  const moved = compare(tables, await ofTables(ask), MOVES);
  const recorded = await askNumber(ask, BACKUPS);
  // Nobody did anything after the backup.
  const { dataDir, restoreMs } = await restored(backup, closing, { isMoved: true });
  const back = await cold(dataDir, async (copy) => ({
    tables: await ofTables(copy),
    sent: new Set(await copy(SENT)),
  }));
  const sameTables = compare(tables, back.tables, MOVES);
  const sameFiles = compare(files, await ofFiles(join(dataDir, 'objects')), /\+unfinished/);

  const violations = [
    ...moved.differences.map((one) => `moved while nobody did anything: ${one}`),
    ...sameTables.differences.map((one) => `table ${one}`),
    ...sameFiles.differences.map((one) => `object ${one}`),
    ...(await openOnly(backup)).map((path) => `${path} can be read by others`),
    ...(recorded === 1 ? [] : [`${recorded} backups are recorded after the first`]),
  ];
  const again = await startProduct(dataDir, ENVIRONMENT);
  try {
    violations.push(...compare(seen, await look(again, objects, session)).differences);
    await openDriver(again).buy(emailOf('customer', 'owner'), { trees: 5 });
    await quiet(askAt(again.databaseUrl));
    violations.push(...(await sentTwice(again, back.sent)));
  } finally {
    await again.stop();
  }
  await backedUp(dataDir, closing);
  const ofStopped = await cold(dataDir, (copy) => askNumber(copy, BACKUPS));
  // The one that it came from, and its own.
  if (ofStopped !== 2) violations.push(`${ofStopped} backups are recorded after that of a stopped product`);
  return {
    rows: [
      ['tables equal, row by row', `${sameTables.same} (${sameTables.rows} rows)`],
      ['objects equal, byte by byte', String(sameFiles.same)],
      ['mails sent before, none again', String(back.sent.size)],
      ['backup, restore', `${seconds(tookMs)}, ${seconds(restoreMs)}`],
    ],
    violations,
  };
}

/** A backup in the midst of purchases: what is in flight then arrives once after the restore. */
async function rehearseBusy(
  { product }: FilledProduct,
  closing: AsyncDisposableStack,
  purchases: number,
): Promise<Rehearsed> {
  const driver = openDriver(product);
  let [begun, bought, isDone] = [0, 0, false];
  const buying = Promise.all(
    [1, 2, 3].map(async (hand) => {
      while (!isDone) {
        await driver.buy(`busy-${hand}-${begun++}@rehearsal.test`, { trees: 5 });
        bought++;
      }
    }),
  );
  await eventually('purchases', async () => bought >= purchases);
  const { backup } = await backedUp(product.dataDir, closing);
  isDone = true;
  await buying;
  await quiet(askAt(product.databaseUrl));
  const given = await askAt(product.databaseUrl)(RECEIPTS);
  const { dataDir } = await restored(backup, closing);
  const before = await cold(dataDir, async (copy) => ({
    sent: new Set(await copy(SENT)),
    inFlight: await askNumber(copy, IN_FLIGHT),
  }));
  const again = await startProduct(dataDir, ENVIRONMENT);
  try {
    const ask = askAt(again.databaseUrl);
    await openDriver(again).buy('after@rehearsal.test', { trees: 5 });
    await quiet(ask);
    const paid = await askNumber(ask, `select count(*) from payments.payments where status = 'succeeded'`);
    return {
      rows: [
        ['paid in a backup amid purchases, of all that were made', `${paid - 1} of ${bought + 1}`],
        ['events, jobs and mails in flight in it, all delivered', String(before.inFlight)],
      ],
      violations: [
        ...(await ask(TORN)),
        ...(await sentTwice(again, before.sent)),
        ...givenTwice(given, await ask(RECEIPTS)),
      ],
    };
  } finally {
    await again.stop();
  }
}

/** Photo emails at once, no rate limits. */
const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '0',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
};

async function backedUp(dataDir: string, closing: AsyncDisposableStack) {
  const data = await openDataDir();
  closing.defer(data.remove);
  const backup = join(data.path, 'backup');
  const startedAt = performance.now();
  await backUp({ DATA_DIR: dataDir }, backup);
  return { backup, tookMs: performance.now() - startedAt };
}

async function restored(backup: string, closing: AsyncDisposableStack, options?: { isMoved: boolean }) {
  const data = await openDataDir();
  const dataDir = join(data.path, 'data');
  closing.defer(async () => {
    await clearPostgres(join(dataDir, 'postgres'));
    await data.remove();
  });
  const startedAt = performance.now();
  await restore({ DATA_DIR: dataDir }, backup, options);
  return { dataDir, restoreMs: performance.now() - startedAt };
}

/** Asks the database of an installation of which nothing else runs. */
async function cold<T>(dataDir: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { postgresPassword: password } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const postgres = await startPostgres({ dir: join(dataDir, 'postgres'), logFile, password });
  try {
    return await work(askAt(postgres.url));
  } finally {
    await postgres.close();
  }
}

const askAt =
  (databaseUrl: string): Ask =>
  async (text) => {
    await using database = await openDatabase(databaseUrl);
    const { rows } = await database.query<unknown[]>({ text, rowMode: 'array' });
    return rows.map((row) => row.join('|'));
  };

const BACKUPS = 'select count(*) from chassis.backups';
const IN_FLIGHT = `select
  (select count(*) from graphile_worker._private_jobs as job
   join graphile_worker._private_tasks as task on task.id = job.task_id
   where task.identifier not like 'job:%:every:%' and run_at <= now() + interval '10 seconds')
  + (select count(*) from chassis.deliveries)
  + ${SERVICES.map((name) => `(select count(*) from ${name}._outbox)`).join(' + ')}
  + (select count(*) from payments.payments where charge_due_at <= now() + interval '10 seconds')
  + (select count(*) from media.photos where step is not null)
  + (select count(*) from notifications.mails where state = 'waiting')`;
const UNSETTLED = `select count(*) filter (where type = 'payment_intent.succeeded')
  - count(*) filter (where type = 'charge.updated') from payments.stripe_events`;
/** A payment, its order and its receipt belong together. */
const TORN = `
  select 'paid without an order: ' || order_id from payments.payments
    where status = 'succeeded' and (select count(*) from orders.orders where id = order_id) <> 1
  union all
  select receipts.n || ' receipts for ' || order_id from payments.payments, lateral
    (select count(*) as n from notifications.mails where mails.order_id = payments.order_id and kind = 'receipt') as receipts
    where status = 'succeeded' and receipts.n <> 1
  union all
  select 'an order of no payment: ' || id from orders.orders
    where not exists (select from payments.all_payments where order_id = orders.id)`;

const quiet = (ask: Ask) =>
  eventually('nothing in flight', async () => (await askNumber(ask, IN_FLIGHT)) === 0);

/** Files and folders of a backup that others than their owner may open. */
async function openOnly(backup: string): Promise<string[]> {
  const names = [...(await ofFiles(backup)).keys()];
  const open: string[] = [];
  for (const name of ['.', ...names]) {
    if (((await stat(join(backup, name))).mode & 0o077) !== 0) open.push(name);
  }
  return open;
}
