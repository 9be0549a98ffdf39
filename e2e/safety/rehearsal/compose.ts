import { openClient } from '@arboleda/contracts/client.ts';
import {
  backUpContainers,
  documentsFile,
  dump,
  objectsFile,
  restoreContainers,
} from '@arboleda/cli/backup/containers.ts';
import type { Manifest } from '@arboleda/cli/backup/files.ts';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventually, fill } from '../../api/filling.ts';
import type { Objects } from '../../api/objects.ts';
import { emailOf, openPeople } from '../../api/people.ts';
import { openDriver } from '../../driver/driver.ts';
import { type Composed, startCompose } from '../../harness/compose.ts';
import { openDataDir } from '../../harness/product.ts';
import { ask, CONTAINERS_MOVE, ofContainers } from './compose-prints.ts';
import type { Rehearsed } from './embedded.ts';
import { compare, type Fingerprint } from './fingerprint.ts';

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
 * Fills an installation of docker compose, lets people pay while orders is away, so that what they paid for is nowhere
 * but in Kafka, backs it up, destroys its volumes, restores it and looks at what came back and at what happens next.
 */
export async function rehearseCompose(options: { purchases: number }): Promise<Rehearsed> {
  const product = await startCompose(SETTINGS);
  const data = await openDataDir();
  try {
    const call = openClient(product.url, { signal: AbortSignal.timeout(1_200_000) });
    const people = openPeople(product, call);
    const objects = await fill(product, call, people);
    const driver = openDriver(product);
    for (let n = 0; n < BEFORE; n++) await driver.buy(`before-${n}@rehearsal.test`);
    const seen = await look(product, objects, await people.token('admin'), await people.token('customer'));

    await product.compose('stop', 'orders');
    const inFlight = await Promise.all(
      Array.from({ length: options.purchases }, (_, n) => driver.start(`flying-${n}@rehearsal.test`)),
    );
    for (const payment of inFlight) await driver.pay(payment.client_secret);
    await eventually('everything paid and handed over', () => isQuiet(product, BEFORE + inFlight.length));
    await addBulk(product);
    const before = await still(product);
    const sent = new Set(await ask(product, 'notifications', SENT));

    const folder = join(data.path, 'backup');
    const installation = { project: product.project, envFile: product.envFile };
    const backUpAt = performance.now();
    const manifest = await backUpContainers(installation, folder);
    const backUpMs = performance.now() - backUpAt;
    const moved = compare(before, await ofContainers(product), CONTAINERS_MOVE);
    const cut = await cutShort(product, manifest);

    await product.compose('down', '--timeout', '20');
    await product.docker('volume', 'rm', ...VOLUMES.map((name) => `${product.project}_${name}`));
    const restoreAt = performance.now();
    await restoreContainers(installation, folder);
    const restoreMs = performance.now() - restoreAt;
    const back = compare(before, await ofContainers(product), CONTAINERS_MOVE);

    await product.compose('up', '--detach', '--wait');
    await eventually(
      'every service behind the gateway',
      async () => (await fetch(`${product.url}/readyz`)).ok,
    );
    const violations = [
      ...cut.map((part) => `read slowly, another one than in the back-up: ${part}`),
      ...moved.differences.map((one) => `moved while nobody did anything: ${one}`),
      ...back.differences.map((one) => `not as it was: ${one}`),
    ];
    const delivered = await Promise.all(
      inFlight.map(({ orderToken, orderId }) =>
        eventually(`order ${orderId}`, () => driver.isVisible(orderToken)).then(
          () => [],
          () => [`paid, on its way when the back-up was made, and no order: ${orderId}`],
        ),
      ),
    );
    violations.push(...delivered.flat());
    const after = await look(product, objects, await people.token('admin'), seen.token);
    for (const [what, one] of Object.entries(seen.saw))
      if (after.saw[what] !== one) violations.push(`${what}: ${one} became ${after.saw[what]}`);
    for (let n = 0; n < BEFORE; n++) await driver.buy(`after-${n}@rehearsal.test`);
    await eventually('receipts', () => isQuiet(product, 2 * BEFORE + inFlight.length));
    const receipts = Number((await ask(product, 'notifications', RECEIPTS_TWICE))[0]);
    if (receipts > 0) violations.push(`${receipts} orders have more than one receipt`);
    violations.push(...(await sentTwice(product, sent)));
    return {
      rows: [
        ['tables, collections and objects equal', `${back.same} (${back.rows} rows and documents)`],
        [
          'paid while orders was away, only in Kafka; orders now',
          `${delivered.flat().length === 0 ? inFlight.length : 0} of ${inFlight.length}`,
        ],
        ['messages in the back-up', String(manifest.counts!['events on their way'])],
        ['mails sent before, none again', String(sent.size)],
        ['bought after the restore', String(BEFORE)],
        ['back-up, restore', `${(backUpMs / 1000).toFixed(1)} s, ${(restoreMs / 1000).toFixed(1)} s`],
      ],
      violations,
    };
  } finally {
    await product.down();
    await data.remove();
  }
}

/** Adds documents and an object of some MB, more than a pipe buffers. */
async function addBulk(product: Composed): Promise<void> {
  const run = (service: string, code: string) =>
    product.compose(
      'run',
      '--rm',
      '--no-deps',
      '--no-TTY',
      service,
      'node',
      '--input-type=module',
      '--eval',
      code,
    );
  await run('media', BULK_OF_DOCUMENTS);
  await run('media', BULK_OF_OBJECTS);
}

const BULK_OF_DOCUMENTS = `
  import { MongoClient } from 'mongodb';
  const client = new MongoClient(process.env.MONGODB_URL);
  const bulk = Array.from({ length: 4_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
  await client.db('media').collection('bulk').insertMany(bulk);
  await client.close();`;

const BULK_OF_OBJECTS = `
  import { openMinioObjects } from '/app/infra/chassis/adapters/minio/minio.ts';
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = process.env;
  const store = await openMinioObjects({ endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'arboleda-media' });
  await store.put('bulk', Buffer.alloc(4_000_000, 'x'), 'text/plain');
  process.exit(0);`;

/** @returns the parts that are not the same as in the back-up when the reader is slow */
async function cutShort(product: Composed, manifest: Manifest): Promise<string[]> {
  const parts = [
    [documentsFile('media'), dump.documents('media')],
    [objectsFile('media'), dump.objects('media')],
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

const SENT = 'select id from notifications.mails where sent_at is not null';
const RECEIPTS_TWICE = `select count(*) from (select order_id from notifications.mails where kind = 'receipt'
  group by order_id having count(*) > 1) as twice`;

/** All paid orders are published and all outboxes are empty. Kafka may still hold events. */
async function isQuiet(product: Composed, paid: number): Promise<boolean> {
  const [succeeded] = await ask(
    product,
    'payments',
    `select count(*) from payments.payments where status = 'succeeded'`,
  );
  const [unsent] = await ask(product, 'payments', 'select count(*) from payments._outbox');
  const [mails] = await ask(
    product,
    'notifications',
    `select count(*) from notifications.mails where state = 'waiting'`,
  );
  // Beside these, what was filled in brought payments of its own.
  return Number(succeeded) >= paid && Number(unsent) === 0 && Number(mails) === 0;
}

/** Asked until two answers are alike. */
async function still(product: Composed): Promise<Fingerprint> {
  let last = await ofContainers(product);
  return eventually('nothing to move', async () => {
    const next = await ofContainers(product);
    const { differences } = compare(last, next, CONTAINERS_MOVE);
    last = next;
    return differences.length === 0 && next;
  });
}

/** Reads what people see, with a session from before. */
async function look(product: Composed, objects: Objects, admin: string, token: string) {
  const call = openClient(product.url, { signal: AbortSignal.timeout(120_000) });
  const bytes = async (path: string, as?: string) => {
    const headers = { Accept: 'image/jpeg', ...(as && { Authorization: `Bearer ${as}` }) };
    const response = await fetch(new URL(path, product.url), { headers });
    const sum = createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
    return `${response.status} ${sum}`;
  };
  const { orders } = await call('GET /api/customers/orders', { token, query: {} });
  const worker = await openPeople(product, call).token('worker');
  const { assignments } = await call('GET /api/workers/assignments', { token: worker });
  const track = await fetch(`${product.url}/api/track/${objects.orderToken}`);
  const saw: Record<string, string> = {
    'orders of a customer': orders
      .map(({ _id }) => _id)
      .sort()
      .join(' '),
    'assignment of a worker': String(assignments.some(({ _id }) => _id === objects.assignmentId)),
    'private link': String(track.status),
    photo: await bytes(`/api/photos/${objects.photoFilename}`),
    'evidence of a transfer': await bytes(
      `/api/admin/manual-payments/evidence/${objects.evidenceFilename}`,
      admin,
    ),
    'own customer': orders.length > 0 ? emailOf('customer', 'owner') : 'nothing',
  };
  await track.arrayBuffer();
  return { saw, token };
}

/** The inbox is a new one: whatever is in it was sent after the restore. */
async function sentTwice({ inboxUrl }: Composed, sent: ReadonlySet<string>): Promise<string[]> {
  const mails = (await (await fetch(new URL('/email', inboxUrl))).json()) as {
    messageId?: string;
    subject: string;
  }[];
  return mails
    .filter(({ messageId = '' }) => sent.has(messageId.replace(/^<|>$/g, '').split('@')[0]!))
    .map(({ subject }) => `a mail that was sent was sent again: ${subject}`);
}
