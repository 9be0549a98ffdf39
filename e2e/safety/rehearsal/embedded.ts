import { backUp, restore } from '@arboleda/cli/backup/embedded.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { clearPostgres } from '@arboleda/postgres/postgres.ts';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openFilledProduct, type FilledProduct } from '../../api/filled-product.ts';
import { eventually } from '../../api/filling.ts';
import { openDriver } from '../../driver/driver.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { compare, MOVES, ofFiles, ofTables } from './fingerprint.ts';
import { canDo } from './usable.ts';

export interface Rehearsed {
  rows: [what: string, figure: string][];
  violations: string[];
}

interface Copy {
  dataDir: string;
  remove(): Promise<void>;
}

/**
 * Fills an installation, backs it up while it runs, loses it, and looks at what the back-up brings back: once while
 * nobody does anything, when all must be equal; once while people buy, when nothing may be torn.
 */
export async function rehearseEmbedded(options: { purchases: number }): Promise<Rehearsed> {
  const filled = await openFilledProduct();
  const copies: Copy[] = [];
  try {
    const still = await rehearseStill(filled, copies);
    const busy = await rehearseBusy(filled, copies, options.purchases);
    return { rows: [...still.rows, ...busy.rows], violations: [...still.violations, ...busy.violations] };
  } finally {
    await filled.close();
    for (const copy of copies) await copy.remove();
  }
}

async function rehearseStill(filled: FilledProduct, copies: Copy[]): Promise<Rehearsed> {
  const { product } = filled;
  await settled(product.databaseUrl);
  await quiet(product.databaseUrl);
  const tables = await ofTables(product.databaseUrl);
  const objects = await ofFiles(join(product.dataDir, 'objects'));
  const { backup, tookMs } = await backedUp(product, copies);
  const moved = compare(tables, await ofTables(product.databaseUrl), MOVES);
  const recorded = await countBackups(product.databaseUrl);
  const { copy, restoreMs } = await restored(backup, copies);
  const back = await cold(copy.dataDir, ofTables);
  const sameTables = compare(tables, back, MOVES);
  const sameObjects = compare(objects, await ofFiles(join(copy.dataDir, 'objects')), /\+unfinished/);
  const sent = await mailsSent(copy.dataDir);

  const again = await startProduct(copy.dataDir, ENVIRONMENT);
  const violations = [
    ...moved.differences.map((one) => `moved while nobody did anything: ${one}`),
    ...sameTables.differences.map((one) => `table ${one}`),
    ...sameObjects.differences.map((one) => `object ${one}`),
    ...(await openOnly(backup)).map((path) => `${path} can be read by others`),
    ...(recorded === 1 ? [] : [`${recorded} back-ups are recorded after the first`]),
  ];
  try {
    violations.push(...(await canDo({ before: filled, after: again })));
    await quiet(again.databaseUrl);
    violations.push(...(await sentTwice(again, sent)));
  } finally {
    await again.stop();
  }
  await backedUp(copy, copies);
  const ofStopped = await cold(copy.dataDir, countBackups);
  if (ofStopped !== 1) violations.push(`${ofStopped} back-ups are recorded after that of a stopped product`);
  return {
    rows: [
      ['tables equal, row by row', `${sameTables.same} (${sameTables.rows} rows)`],
      ['objects equal, byte by byte', String(sameObjects.same)],
      ['mails sent before, none again', String(sent.size)],
      ['back-up, restore', `${(tookMs / 1000).toFixed(1)} s, ${(restoreMs / 1000).toFixed(1)} s`],
    ],
    violations,
  };
}

/** A back-up in the midst of purchases: what is in flight then arrives once after the restore. */
async function rehearseBusy(filled: FilledProduct, copies: Copy[], purchases: number): Promise<Rehearsed> {
  const { product } = filled;
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
  const { backup } = await backedUp(product, copies);
  isDone = true;
  await buying;
  const { copy } = await restored(backup, copies);
  const sent = await mailsSent(copy.dataDir);
  const inFlight = await cold(copy.dataDir, countInFlight);
  const again = await startProduct(copy.dataDir, ENVIRONMENT);
  try {
    await quiet(again.databaseUrl);
    const { paid, violations } = await paidAndOrdered(again.databaseUrl);
    violations.push(...(await sentTwice(again, sent)));
    return {
      rows: [
        ['paid in a back-up amid purchases, of all that were made', `${paid} of ${bought + 1}`],
        ['events, jobs and mails in flight in it, all delivered', String(inFlight)],
      ],
      violations,
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

async function backedUp(product: Pick<Product, 'dataDir'>, copies: Copy[]) {
  const data = await openDataDir();
  copies.push({ dataDir: data.path, remove: data.remove });
  const backup = join(data.path, 'backup');
  const startedAt = performance.now();
  await backUp({ DATA_DIR: product.dataDir }, backup);
  return { backup, tookMs: performance.now() - startedAt };
}

async function restored(backup: string, copies: Copy[]) {
  const data = await openDataDir();
  const dataDir = join(data.path, 'data');
  const copy = {
    dataDir,
    remove: async () => {
      await clearPostgres(join(dataDir, 'postgres'));
      await data.remove();
    },
  };
  copies.push(copy);
  const startedAt = performance.now();
  await restore({ DATA_DIR: dataDir }, backup);
  return { copy, restoreMs: performance.now() - startedAt };
}

/** Asks the database of an installation of which nothing else runs. */
async function cold<T>(dataDir: string, ask: (databaseUrl: string) => Promise<T>): Promise<T> {
  const { postgresPassword: password } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const postgres = await startPostgres({ dir: join(dataDir, 'postgres'), logFile, password });
  try {
    return await ask(postgres.url);
  } finally {
    await postgres.close();
  }
}

async function rowsOf<Row extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const IN_FLIGHT = `select (
  (select count(*) from graphile_worker._private_jobs as job
   join graphile_worker._private_tasks as task on task.id = job.task_id
   where task.identifier not like 'job:%:every:%' and run_at <= now() + interval '10 seconds')
  + (select count(*) from chassis.deliveries)
  + (select count(*) from auth._outbox) + (select count(*) from payments._outbox) + (select count(*) from orders._outbox)
  + (select count(*) from assignments._outbox) + (select count(*) from media._outbox)
  + (select count(*) from notifications._outbox)
  + (select count(*) from media.photos where step is not null)
  + (select count(*) from notifications.mails where state = 'waiting'))::int as n`;
const countInFlight = async (databaseUrl: string) =>
  (await rowsOf<{ n: number }>(databaseUrl, IN_FLIGHT))[0]!.n;

const UNSETTLED = `select (count(*) filter (where type = 'payment_intent.succeeded')
  - count(*) filter (where type = 'charge.updated'))::int as n from payments.stripe_events`;

/** Stripe updates a charge when it is settled. */
const settled = (databaseUrl: string) =>
  eventually('every charge settled', async () => {
    const [row] = await rowsOf<{ n: number }>(databaseUrl, UNSETTLED);
    return row!.n <= 0;
  });

const quiet = (databaseUrl: string) =>
  eventually('nothing in flight', async () => (await countInFlight(databaseUrl)) === 0);

const countBackups = async (databaseUrl: string) =>
  (await rowsOf<{ n: number }>(databaseUrl, 'select count(*)::int as n from chassis.backups'))[0]!.n;

const mailsSent = async (dataDir: string): Promise<Set<string>> =>
  cold(dataDir, async (url) => {
    const rows = await rowsOf<{ id: string }>(
      url,
      `select id from notifications.mails where sent_at is not null`,
    );
    return new Set(rows.map(({ id }) => id));
  });

/** The inbox of the restored installation is a new one: whatever is in it was sent after the restore. */
async function sentTwice({ inboxUrl }: Product, sent: ReadonlySet<string>): Promise<string[]> {
  const mails = (await (await fetch(new URL('/email', inboxUrl))).json()) as {
    messageId?: string;
    subject: string;
  }[];
  return mails
    .filter(({ messageId = '' }) => sent.has(messageId.replace(/^<|>$/g, '').split('@')[0]!))
    .map(({ subject }) => `a mail that was sent was sent again: ${subject}`);
}

async function paidAndOrdered(databaseUrl: string): Promise<{ paid: number; violations: string[] }> {
  const paid = await rowsOf<{ order_id: string; orders: number; receipts: number }>(
    databaseUrl,
    `select order_id, (select count(*)::int from orders.orders where id = order_id) as orders,
       (select count(*)::int from notifications.mails where mails.order_id = payments.order_id and kind = 'receipt') as receipts
     from payments.payments where status = 'succeeded'`,
  );
  const orphans = await rowsOf<{ id: string }>(
    databaseUrl,
    `select id from orders.orders where not exists (select from payments.all_payments where order_id = orders.id)`,
  );
  return {
    paid: paid.length,
    violations: [
      ...paid.filter(({ orders }) => orders !== 1).map(({ order_id: id }) => `paid without an order: ${id}`),
      ...paid
        .filter(({ receipts }) => receipts !== 1)
        .map(({ order_id: id, receipts }) => `${receipts} receipts for ${id}`),
      ...orphans.map(({ id }) => `an order of no payment: ${id}`),
    ],
  };
}

/** Files and folders of a back-up that others than their owner may open. */
async function openOnly(backup: string): Promise<string[]> {
  const names = [...(await ofFiles(backup)).keys()];
  const open: string[] = [];
  for (const name of ['.', ...names]) {
    if (((await stat(join(backup, name))).mode & 0o077) !== 0) open.push(name);
  }
  return open;
}
