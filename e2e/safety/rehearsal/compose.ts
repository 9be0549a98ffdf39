import { backUpContainers, restoreContainers } from '@arboleda/cli/backup/containers.ts';
import { DATA } from '@arboleda/cli/backup/files.ts';
import { partOf } from '@arboleda/cli/backup/parts.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { DOCUMENT_SERVICES, OBJECT_SERVICES, SQL_SERVICES } from '@arboleda/contracts/services.ts';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, fill } from '../../api/filling.ts';
import { openPeople } from '../../api/people.ts';
import { type Composed, startCompose } from '../../harness/compose.ts';
import { waitFor } from '../../harness/wait.ts';
import { openDataDir } from '../../harness/product.ts';
import { type Ask, askNumber, compare, type Fingerprint, MOVES, ofTables } from './fingerprint.ts';
import { givenTwice, look, RECEIPTS, type Rehearsed, seconds, SENT, sentTwice } from './people.ts';

/** No rate limits, photo emails at once, no reconciling on its own. */
const SETTINGS = {
  RATE_LIMIT_SCALE: '1000',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  RECONCILE_INTERVAL_SECONDS: '86400',
  RECONCILE_AFTER_SECONDS: '86400',
};
const VOLUMES = ['postgres', 'mongodb', 'mongodb-config', 'kafka', 'minio', 'stripe-sandbox'];
const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'];
const PAUSED_MS = 10_000;
const BEFORE = 4;
/** Purchases that begin each second while the second backup is made. */
const A_SECOND = 2;

/**
 * Fills an installation of docker compose and lets people pay while orders is stopped, so that those payments are only
 * in Kafka. Backs it up, destroys its volumes, restores it and checks what came back and what happens next; then once more
 * from a backup that is made while people buy. At last each engine pauses while a backup is made.
 */
export async function rehearseCompose(options: { purchases: number }): Promise<Rehearsed> {
  await using closing = new AsyncDisposableStack();
  const product = await startCompose(SETTINGS);
  closing.defer(product.down);
  const data = await openDataDir();
  closing.defer(data.remove);
  const still = await rehearseStill(product, join(data.path, 'still'), options.purchases);
  const busy = await rehearseBusy(product, join(data.path, 'busy'));
  const paused = await rehearsePaused(product, join(data.path, 'paused'));
  const all = [still, busy, paused];
  return {
    rows: all.flatMap(({ rows }) => rows),
    violations: all.flatMap(({ violations }) => violations),
  };
}

async function rehearseStill(product: Composed, folder: string, purchases: number): Promise<Rehearsed> {
  const call = openClient(product.url, { signal: AbortSignal.timeout(1_200_000) });
  const people = openPeople(product, call);
  const objects = await fill(product, call, people);
  const driver = openDriver(product);
  for (let n = 0; n < BEFORE; n++) await driver.buy(`before-${n}@rehearsal.test`);
  const session = await people.token('customer');
  const seen = await look(product, objects, session);

  await product.compose('stop', 'orders');
  const inFlight = await Promise.all(
    Array.from({ length: purchases }, (_, n) => driver.start(`flying-${n}@rehearsal.test`)),
  );
  for (const payment of inFlight) await driver.pay(payment.client_secret);
  await eventually('everything paid and handed over', () => isQuiet(product, BEFORE + inFlight.length));
  const before = await untilStill(product);
  const notifications = askAt(product, 'notifications');
  const sent = new Set(await notifications(SENT));

  const installation = { project: product.project, envFile: product.envFile };
  const backUpAt = performance.now();
  const manifest = await backUpContainers(installation, folder);
  const backUpMs = performance.now() - backUpAt;
  const moved = compare(before, await ofContainers(product), MOVES);
  await lose(product);
  const restoreAt = performance.now();
  // Nobody did anything after the backup.
  await restoreContainers(installation, folder, { isMoved: true });
  const restoreMs = performance.now() - restoreAt;
  const back = compare(before, await ofContainers(product), MOVES);

  await startAgain(product);
  const lost = await withoutOrder(product, inFlight);
  const seenAgain = compare(seen, await look(product, objects, session));
  for (let n = 0; n < BEFORE; n++) await driver.buy(`after-${n}@rehearsal.test`);
  await eventually('receipts', () => isQuiet(product, 2 * BEFORE + inFlight.length));
  return {
    rows: [
      ['tables, collections and objects equal', `${back.same} (${back.rows} rows and documents)`],
      [
        'paid while orders was away, only in Kafka; orders now',
        `${inFlight.length - lost.length} of ${inFlight.length}`,
      ],
      ['events in the backup', String(manifest.counts['events that wait'])],
      ['mails sent before, none again', String(sent.size)],
      ['bought after the restore', String(BEFORE)],
      ['backup, restore', `${seconds(backUpMs)}, ${seconds(restoreMs)}`],
    ],
    violations: [
      ...moved.differences.map((one) => `moved while nobody did anything: ${one}`),
      ...back.differences.map((one) => `not as it was: ${one}`),
      ...lost,
      ...seenAgain.differences,
      ...(await twice(product)),
      ...(await sentTwice(product, sent)),
    ],
  };
}

/** A backup while people buy holds a moment: what it has of one service agrees with what it has of the others. */
async function rehearseBusy(product: Composed, folder: string): Promise<Rehearsed> {
  const driver = openDriver(product);
  const buying: Promise<void>[] = [];
  const bought: { orderId: string; orderToken: string }[] = [];
  let isDone = false;
  const begin = async () => {
    for (let n = 0; !isDone; n++) {
      const buy = driver.buy(`busy-${n}@rehearsal.test`).then((one) => void bought.push(one));
      buying.push(buy.catch(() => undefined));
      await sleep(1_000 / A_SECOND);
    }
  };
  const selling = begin();
  await eventually('purchases', async () => bought.length >= 2 * BEFORE);
  const installation = { project: product.project, envFile: product.envFile };
  const manifest = await backUpContainers(installation, folder);
  isDone = true;
  await selling;
  await Promise.all(buying);
  const given = await askAt(product, 'orders')(RECEIPTS);
  await lose(product);
  // Refuses where services contradict each other.
  await restoreContainers(installation, folder);
  const sent = new Set(await askAt(product, 'notifications')(SENT));
  const paid = await askAt(
    product,
    'payments',
  )(`select order_id || '|' || order_token from payments.payments where status = 'succeeded'`);
  await startAgain(product);
  const lost = await withoutOrder(
    product,
    paid.map((line) => ({ orderId: line.split('|')[0]!, orderToken: line.split('|')[1]! })),
  );
  for (let n = 0; n < BEFORE; n++) await driver.buy(`later-${n}@rehearsal.test`);
  await eventually('receipts', () => isQuiet(product, paid.length + BEFORE));
  const numbers = await askAt(product, 'orders')(RECEIPTS);
  return {
    rows: [
      ['bought amid the second backup, paid in it', `${bought.length}, ${paid.length} with all before`],
      ['events on their way in it', String(manifest.counts['events that wait'] ?? 0)],
    ],
    violations: [
      ...lost,
      ...(await twice(product)),
      ...(await sentTwice(product, sent)),
      ...givenTwice(given, numbers),
    ],
  };
}

/** An engine that pauses for ten seconds, before the moment of a backup or while its rows are copied, is waited for. */
async function rehearsePaused(product: Composed, folder: string): Promise<Rehearsed> {
  const installation = { project: product.project, envFile: product.envFile };
  const rows: Rehearsed['rows'] = [];
  const violations: string[] = [];
  const plan = ENGINES.flatMap((engine) => [
    { name: `${engine} before the moment`, engine, isTime: async () => true },
    {
      name: `${engine} while rows are copied`,
      engine,
      isTime: async () => existsSync(join(folder, DATA, partOf('auth'))),
    },
  ]);
  for (const { name, engine, isTime } of plan) {
    const startedAt = performance.now();
    const backingUp = backUpContainers(installation, folder).catch((error: Error) => error);
    await Promise.race([waitFor(`the time to pause ${engine}`, isTime), backingUp]);
    await product.compose('pause', engine);
    await sleep(PAUSED_MS);
    await product.compose('unpause', engine);
    const made = await backingUp;
    if (made instanceof Error) violations.push(`${name} paused: ${made.message}`);
    rows.push([`${name} paused for ${PAUSED_MS / 1_000} s, backup`, seconds(performance.now() - startedAt)]);
    await rm(folder, { recursive: true, force: true });
  }
  return { rows, violations };
}

async function lose(product: Composed): Promise<void> {
  await product.compose('down', '--timeout', '20');
  await product.docker('volume', 'rm', ...VOLUMES.map((name) => `${product.project}_${name}`));
}

async function startAgain(product: Composed): Promise<void> {
  await product.compose('up', '--detach', '--wait');
  await eventually('every service behind the gateway', async () => (await fetch(`${product.url}/readyz`)).ok);
}

async function withoutOrder(
  product: Composed,
  paid: readonly { orderId: string; orderToken: string }[],
): Promise<string[]> {
  const driver = openDriver(product);
  const found = await Promise.all(
    paid.map(({ orderToken, orderId }) =>
      eventually(`order ${orderId}`, () => driver.isVisible(orderToken)).then(
        () => [],
        () => [`paid, and no order: ${orderId}`],
      ),
    ),
  );
  return found.flat();
}

/** Receipts that somebody has twice, and numbers that two people have. */
async function twice(product: Composed): Promise<string[]> {
  const receipts = await askNumber(askAt(product, 'notifications'), RECEIPTS_TWICE);
  const numbers = await askNumber(askAt(product, 'orders'), NUMBERS_TWICE);
  return [
    ...(receipts > 0 ? [`${receipts} orders have more than one receipt`] : []),
    ...(numbers > 0 ? [`${numbers} receipt numbers were given twice`] : []),
  ];
}

const askAt =
  (product: Composed, database: string): Ask =>
  async (sql) => {
    const psql = ['psql', '--username', 'postgres', '--tuples-only', '--no-align', '--dbname', database];
    const said = await product.exec('postgres', [...psql, '--command', sql]);
    return said.split('\n').filter(Boolean);
  };

/** Runs a script in a container of a service. @returns the lines that it printed */
async function runIn(product: Composed, service: string, code: string): Promise<string[]> {
  const node = [
    'run',
    '--rm',
    '--no-deps',
    '--no-TTY',
    service,
    'node',
    '--input-type=module',
    '--eval',
    code,
  ];
  return (await product.compose(...node)).split('\n').filter(Boolean);
}

/** The servers sum what they hold, or the services' drivers read it: no code of the backup has a part in it. */
async function ofContainers(product: Composed): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const name of SQL_SERVICES)
    for (const [table, sum] of await ofTables(askAt(product, name))) found.set(`${name}.${table}`, sum);
  const read = async (service: string, code: string) => {
    for (const line of await runIn(product, service, code)) {
      const [name, sum] = JSON.parse(line) as [string, string];
      found.set(`${service}.${name}`, sum);
    }
  };
  for (const service of DOCUMENT_SERVICES) await read(service, READ_DOCUMENTS);
  for (const service of OBJECT_SERVICES) await read(service, READ_OBJECTS);
  return found;
}

/** Each document as the server tells it, with the type of its id; and the indexes that are not the services' own. */
const READ_DOCUMENTS = `
  import { createHash } from 'node:crypto';
  import { BSON, MongoClient } from 'mongodb';
  const client = new MongoClient(process.env.MONGODB_URL);
  const db = client.db(process.env.SERVICE.split('/').at(-1));
  const tell = (name, of) => console.log(JSON.stringify([name, of]));
  for (const { name } of await db.listCollections().toArray()) {
    // An outbox that was emptied is as good as none.
    const plain = ({ outbox, ...one }) => (outbox?.length > 0 ? { outbox, ...one } : one);
    const rows = (await db.collection(name).find().toArray()).map((one) => BSON.EJSON.stringify(plain(one), { relaxed: false }));
    tell(name, rows.length + ' rows ' + createHash('md5').update(rows.sort().join('')).digest('hex'));
    const indexes = (await db.collection(name).indexes()).map(({ name, key, unique, sparse }) => JSON.stringify([name, key, unique, sparse]));
    tell(name + ' indexes', indexes.sort().join(' '));
  }
  await client.close();`;

/** Each object by what the store itself says of it: its size and the sum of its bytes. */
const READ_OBJECTS = `
  import { Client } from 'minio';
  const { hostname, port } = new URL(process.env.S3_ENDPOINT);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false,
    accessKey: process.env.S3_ACCESS_KEY, secretKey: process.env.S3_SECRET_KEY });
  const bucket = 'arboleda-' + process.env.SERVICE.split('/').at(-1);
  for await (const { name, size } of client.listObjectsV2(bucket, '', true)) {
    const { etag, metaData } = await client.statObject(bucket, name);
    console.log(JSON.stringify(['object ' + name, 'sum ' + etag + ', ' + size + ' bytes, ' + metaData['content-type']]));
  }`;

const RECEIPTS_TWICE = `select count(*) from (select order_id from notifications.mails where kind = 'receipt'
  group by order_id having count(*) > 1) as twice`;

const NUMBERS_TWICE = `select count(*) - count(distinct receipt_number) from orders.orders where receipt_number is not null`;

/** All paid orders are published and all outboxes are empty. Kafka may still hold events. */
async function isQuiet(product: Composed, paid: number): Promise<boolean> {
  const payments = askAt(product, 'payments');
  const succeeded = `select count(*) from payments.payments where status = 'succeeded'`;
  const waiting = `select count(*) from notifications.mails where state = 'waiting'`;
  // Beside these, what was filled in brought payments of its own.
  return (
    (await askNumber(payments, succeeded)) >= paid &&
    (await askNumber(payments, 'select count(*) from payments._outbox')) === 0 &&
    (await askNumber(payments, 'select count(*) from payments.payments where charge_due_at <= now()')) ===
      0 &&
    (await askNumber(askAt(product, 'notifications'), waiting)) === 0
  );
}

/** Asked until two answers are alike. */
async function untilStill(product: Composed): Promise<Fingerprint> {
  let last = await ofContainers(product);
  return eventually('nothing to move', async () => {
    const next = await ofContainers(product);
    const { differences } = compare(last, next, MOVES);
    last = next;
    return differences.length === 0 && next;
  });
}
