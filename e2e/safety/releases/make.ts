/**
 * "node e2e/safety/releases/make.ts 1.0.0": makes the fixture of a release, which later releases are to restore. It has
 * something of everything, and was killed at work: events, emails and jobs wait in it.
 */

import { backUp } from '@arboleda/cli/backup/embedded.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD } from '../../harness/accounts.ts';
import { openDatabase } from '../../harness/database.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { type Mail, packed } from './compare.ts';
import { missing } from './complete.ts';
import { atGateway, calm, type Expected } from './fixture.ts';
import { ENVIRONMENT, makeInstallation } from './installation.ts';
import { type Keys, see } from './see.ts';

/** Nobody listens there. */
const NO_MAIL_SERVER = 'smtp://127.0.0.1:1';
const WAITING_MAILS = 3;

const [version = ''] = process.argv.slice(2);
const folder = join(import.meta.dirname, version);
if (!/^\d+\.\d+\.\d+$/.test(version) || existsSync(folder)) {
  console.error(
    existsSync(folder) && version
      ? `${folder} is there: a released fixture is not made again.`
      : 'Name the release: node e2e/safety/releases/make.ts 1.0.0',
  );
  process.exit(1);
}

const data = await openDataDir();
try {
  await make(data.path);
} finally {
  await data.remove();
}

async function make(dataDir: string): Promise<void> {
  const env = { DATA_DIR: dataDir };
  const keys = await running(dataDir, {}, async (product) => {
    const made = await makeInstallation(product);
    await spoilEvent(product);
    await calm(product);
    return made;
  });
  await leaveMailsWaiting(dataDir, keys);
  await leaveEventsUndelivered(dataDir);
  await mkdir(folder, { recursive: true });
  const { madeAt } = await backUp(env, join(folder, 'backup'));

  // The same data without the way through the backup.
  const seen = await running(dataDir, {}, async (product) => {
    await calm(product);
    return see(product.url, keys);
  });
  const gaps = missing(seen);
  if (gaps.length > 0) {
    await rm(folder, { recursive: true });
    throw new Error(`this fixture would promise too little:\n${gaps.join('\n')}`);
  }
  for (const mail of (seen['owner GET /api/admin/mails'] as { mails: Mail[] }).mails)
    // It will have another id.
    if (mail.queuedAt >= madeAt) delete seen[`owner GET /api/admin/mails/${mail.id}`];
  const expected: Expected = { madeAt, keys, seen: packed(seen) };
  await writeFile(join(folder, 'expected.json'), written(expected));
  console.log(`${folder} holds the backup of ${madeAt}, and ${Object.keys(seen).length} answers.`);
}

/** A line for each answer, so that two files can be compared. */
function written({ seen, ...more }: Expected): string {
  const answers = Object.entries(seen).map(
    (entry) => `${entry.map((part) => JSON.stringify(part)).join(': ')}`,
  );
  return `{\n"seen": {\n${answers.join(',\n')}\n},\n${JSON.stringify(more, null, 1).slice(2)}\n`;
}

async function running<T>(
  dataDir: string,
  env: Record<string, string>,
  work: (product: Product) => Promise<T>,
) {
  const product = atGateway(await startProduct(dataDir, { ...ENVIRONMENT, ...env }));
  try {
    return await work(product);
  } finally {
    await product.stop();
  }
}

/** An event that no version can read becomes a dead letter at once. Nothing that people do makes one. */
async function spoilEvent({ databaseUrl }: Product): Promise<void> {
  await using database = await openDatabase(databaseUrl);
  await database.query(
    `insert into chassis.deliveries (group_name, event_id, key, event)
     values ('orders', 'spoilt-1', 'spoilt', '{"id": "spoilt-1", "type": "payment.succeeded"}')`,
  );
  await waitFor('a dead letter', async () => {
    const { rowCount } = await database.query('select from chassis.dead_letters');
    return rowCount === 1;
  });
}

/** Emails that no mail server takes: they, and the jobs that send them, wait. */
async function leaveMailsWaiting(dataDir: string, keys: Keys): Promise<void> {
  await running(dataDir, { SMTP_URL: NO_MAIL_SERVER }, async (product) => {
    const driver = openDriver(product);
    await driver.call('POST /api/auth/customer/register', {
      body: { name: 'Noor Prueba', email: 'newcomer@fixture.test', password: PASSWORD },
    });
    keys.people.newcomer = { role: 'customer', email: 'newcomer@fixture.test', password: PASSWORD };
    await driver.call('POST /api/auth/{role}/forgot-password', {
      params: { role: 'customer' },
      body: { email: keys.people.donor!.email },
    });
    const order = await driver.buy('unmailed@fixture.test', { trees: 1 });
    keys.orders.push({ token: order.orderToken, email: 'unmailed@fixture.test' });
    await using database = await openDatabase(product.databaseUrl);
    await waitFor('three mails that were tried', async () => {
      const { rowCount } = await database.query(
        `select from notifications.mails where state = 'waiting' and attempts > 0`,
      );
      return rowCount! >= WAITING_MAILS;
    });
  });
}

/** A payment whose order nobody has made: orders and notifications hang at their tables when the process is killed. */
async function leaveEventsUndelivered(dataDir: string): Promise<void> {
  const product = atGateway(await startProduct(dataDir, { ...ENVIRONMENT, SMTP_URL: NO_MAIL_SERVER }));
  const driver = openDriver(product);
  const database = await openDatabase(product.databaseUrl);
  await database.query('begin; lock table orders.orders, notifications.mails in exclusive mode');
  const payment = await driver.start('unordered@fixture.test', { trees: 1 });
  await driver.pay(payment.client_secret);
  await using watcher = await openDatabase(product.databaseUrl);
  const count = async (sql: string) => (await watcher.query(sql)).rowCount ?? 0;
  await waitFor('an event that is not delivered', () =>
    count(`select from chassis.deliveries where group_name = 'orders'`).then((rows) => rows > 0),
  );
  await product.kill();
  await database.end();
  const left = await count(`select from chassis.deliveries where group_name in ('orders', 'notifications')`);
  if (left === 0 || (await count(`select from orders.orders where id = '${payment.orderId}'`)) > 0)
    throw new Error('every event was delivered: nothing waits in this fixture');
}
