import { openClient } from '@arboleda/contracts/client.ts';
import {
  backUpContainers,
  BUCKETS,
  DATABASES,
  DOCUMENTS,
  documentsFile,
  inService,
  nodeIn,
  objectsFile,
  restoreContainers,
} from '@arboleda/cli/backup/containers.ts';
import type { Manifest } from '@arboleda/cli/backup/files.ts';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventually, fill } from '../../api/filling.ts';
import { openPeople } from '../../api/people.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { type Composed, startCompose } from '../../harness/compose.ts';
import { openDataDir } from '../../harness/product.ts';
import { type Ask, askNumber, compare, type Fingerprint, MOVES, ofTables } from './fingerprint.ts';
import { look, type Rehearsed, seconds, SENT, sentTwice } from './people.ts';

/** No rate limits, photo emails at once, no reconciling on its own. */
const SETTINGS = {
  RATE_LIMIT_SCALE: '1000',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  RECONCILE_INTERVAL_SECONDS: '86400',
  RECONCILE_AFTER_SECONDS: '86400',
};
/** Stripe's sandbox stays: Stripe would. */
const VOLUMES = ['postgres', 'mongodb', 'mongodb-config', 'kafka', 'minio'];
const BEFORE = 4;
/** Between one piece of a dump and the next. */
const SLOW_MS = 5;

/**
 * Fills an installation of docker compose and lets people pay while orders is stopped, so that those payments are only
 * in Kafka. Then backs it up, destroys its volumes, restores it and checks what came back and what happens next.
 */
export async function rehearseCompose(options: { purchases: number }): Promise<Rehearsed> {
  await using closing = new AsyncDisposableStack();
  const product = await startCompose(SETTINGS);
  closing.defer(product.down);
  const data = await openDataDir();
  closing.defer(data.remove);
  const call = openClient(product.url, { signal: AbortSignal.timeout(1_200_000) });
  const people = openPeople(product, call);
  const objects = await fill(product, call, people);
  const driver = openDriver(product);
  for (let n = 0; n < BEFORE; n++) await driver.buy(`before-${n}@rehearsal.test`);
  const session = await people.token('customer');
  const seen = await look(product, objects, session);

  await product.compose('stop', 'orders');
  const inFlight = await Promise.all(
    Array.from({ length: options.purchases }, (_, n) => driver.start(`flying-${n}@rehearsal.test`)),
  );
  for (const payment of inFlight) await driver.pay(payment.client_secret);
  await eventually('everything paid and handed over', () => isQuiet(product, BEFORE + inFlight.length));
  await runIn(product, 'media', BULK_OF_DOCUMENTS);
  await runIn(product, 'media', BULK_OF_OBJECTS);
  const before = await still(product);
  const notifications = askAt(product, 'notifications');
  const sent = new Set(await notifications(SENT));

  const folder = join(data.path, 'backup');
  const installation = { project: product.project, envFile: product.envFile };
  const backUpAt = performance.now();
  const manifest = await backUpContainers(installation, folder);
  const backUpMs = performance.now() - backUpAt;
  const moved = compare(before, await ofContainers(product), MOVES);
  const cut = await cutShort(product, manifest);

  await product.compose('down', '--timeout', '20');
  await product.docker('volume', 'rm', ...VOLUMES.map((name) => `${product.project}_${name}`));
  const restoreAt = performance.now();
  await restoreContainers(installation, folder);
  const restoreMs = performance.now() - restoreAt;
  const back = compare(before, await ofContainers(product), MOVES);

  await product.compose('up', '--detach', '--wait');
  await eventually('every service behind the gateway', async () => (await fetch(`${product.url}/readyz`)).ok);
  const lost = await Promise.all(
    inFlight.map(({ orderToken, orderId }) =>
      eventually(`order ${orderId}`, () => driver.isVisible(orderToken)).then(
        () => [],
        () => [`paid, on its way when the backup was made, and no order: ${orderId}`],
      ),
    ),
  );
  const seenAgain = compare(seen, await look(product, objects, session));
  for (let n = 0; n < BEFORE; n++) await driver.buy(`after-${n}@rehearsal.test`);
  await eventually('receipts', () => isQuiet(product, 2 * BEFORE + inFlight.length));
  const receipts = await askNumber(notifications, RECEIPTS_TWICE);
  return {
    rows: [
      ['tables, collections and objects equal', `${back.same} (${back.rows} rows and documents)`],
      [
        'paid while orders was away, only in Kafka; orders now',
        `${inFlight.length - lost.flat().length} of ${inFlight.length}`,
      ],
      ['messages in the backup', String(manifest.counts!['events on their way'])],
      ['mails sent before, none again', String(sent.size)],
      ['bought after the restore', String(BEFORE)],
      ['backup, restore', `${seconds(backUpMs)}, ${seconds(restoreMs)}`],
    ],
    violations: [
      ...cut.map((part) => `read slowly, another one than in the backup: ${part}`),
      ...moved.differences.map((one) => `moved while nobody did anything: ${one}`),
      ...back.differences.map((one) => `not as it was: ${one}`),
      ...lost.flat(),
      ...seenAgain.differences,
      ...(receipts > 0 ? [`${receipts} orders have more than one receipt`] : []),
      ...(await sentTwice(product, sent)),
    ],
  };
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
  const said = await product.compose(...nodeIn(service, '--input-type=module', '--eval', code));
  return said.split('\n').filter(Boolean);
}

/** The servers sum what they hold, or the services' drivers read it: no code of the backup has a part in it. */
async function ofContainers(product: Composed): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const name of DATABASES) {
    for (const [table, sum] of await ofTables(askAt(product, name))) found.set(`${name}.${table}`, sum);
  }
  const read = async (service: string, code: string) => {
    for (const line of await runIn(product, service, code)) {
      const [name, sum] = JSON.parse(line) as [string, string];
      found.set(`${service}.${name}`, sum);
    }
  };
  for (const service of DOCUMENTS) await read(service, READ_DOCUMENTS);
  for (const service of BUCKETS) await read(service, READ_OBJECTS);
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
    const rows = (await db.collection(name).find().toArray()).map((one) => BSON.EJSON.stringify(one, { relaxed: false }));
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

/** Documents of some MB, more than a pipe buffers. */
const BULK_OF_DOCUMENTS = `
  import { MongoClient } from 'mongodb';
  const client = new MongoClient(process.env.MONGODB_URL);
  const bulk = Array.from({ length: 4_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
  await client.db('media').collection('bulk').insertMany(bulk);
  await client.close();`;

/** An object of some MB. */
const BULK_OF_OBJECTS = `
  import { openMinioObjects } from '/app/infra/chassis/adapters/minio/minio.ts';
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = process.env;
  const store = await openMinioObjects({ endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'arboleda-media' });
  await store.put('bulk', Buffer.alloc(4_000_000, 'x'), 'text/plain');
  process.exit(0);`;

/** @returns the parts that are not the same as in the backup when the reader is slow */
async function cutShort(product: Composed, manifest: Manifest): Promise<string[]> {
  const parts = [
    [documentsFile('media'), inService('media', 'documents', 'dump')],
    [objectsFile('media'), inService('media', 'objects', 'dump')],
  ] as const;
  const cut: string[] = [];
  for (const [path, args] of parts) {
    const sum = await readSlowly(['compose', '-p', product.project, '--env-file', product.envFile, ...args]);
    if (sum !== manifest.files.find((file) => file.path === path)!.sha256) cut.push(path);
  }
  return cut;
}

async function readSlowly(command: readonly string[]): Promise<string> {
  const { stdout } = spawn('docker', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const hash = createHash('sha256');
  for await (const part of stdout) {
    hash.update(part as Buffer);
    await setTimeout(SLOW_MS);
  }
  return hash.digest('hex');
}

const RECEIPTS_TWICE = `select count(*) from (select order_id from notifications.mails where kind = 'receipt'
  group by order_id having count(*) > 1) as twice`;

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
async function still(product: Composed): Promise<Fingerprint> {
  let last = await ofContainers(product);
  return eventually('nothing to move', async () => {
    const next = await ofContainers(product);
    const { differences } = compare(last, next, MOVES);
    last = next;
    return differences.length === 0 && next;
  });
}
