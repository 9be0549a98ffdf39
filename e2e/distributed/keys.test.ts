import { DEMO_ADMIN, DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import { openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { fieldPhoto, PLACE } from '@arboleda/cli/demo/photos.ts';
import { publicHalfOf } from '@arboleda/chassis/keys.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { completeFile } from '../../infra/docker/env-file.ts';
import { openInbox } from '../harness/inbox.ts';
import { waitFor } from '../harness/wait.ts';
import { useCompose } from './composed.ts';
import { askDoctor } from './operator.ts';

/** Kafka, MongoDB or MinIO starts anew, and then every service that uses it. */
jest.setTimeout(600_000);

const READY_WITHIN_MS = 180_000;
const SEEN_WITHIN_MS = 120_000;
const BUYER = 'donor@keys.test';

const product = useCompose();
const driver = () => openDriver(product, { withinMs: READY_WITHIN_MS });
const logIn = (role: 'admin' | 'worker') =>
  driver().logIn(role, (role === 'admin' ? DEMO_ADMIN : DEMO_WORKERS[0]!).email, product.demoPassword);

/** An order from before all changes, with its certificate. */
let order: StartedPayment;
let assignmentId: string;
let code: string;
let taken = 0;
beforeAll(async () => {
  order = await driver().buy(BUYER);
  const worker = await logIn('worker');
  assignmentId = await driver().give(await logIn('admin'), order.orderId, DEMO_WORKERS[0]!.email, worker);
  await driver().plant(worker, assignmentId);
  const { certificate } = await waitFor('a certificate', () =>
    driver().call('POST /api/track/{token}/certificate', {
      params: { token: order.orderToken },
      body: { email: BUYER, name: 'Ana', language: 'en' },
    }),
  );
  code = certificate.code;
}, READY_WITHIN_MS);

/** Settings of this installation. */
const settings = async () => parseEnv(await readFile(product.envFile, 'utf8'));

/** Empties settings in .env, sets others, and lets "npm run env" make what is missing then. */
async function edit(emptied: readonly string[], set: Record<string, string> = {}): Promise<void> {
  const gone = [...emptied, ...Object.keys(set)];
  const kept = (await readFile(product.envFile, 'utf8'))
    .split('\n')
    .filter((line) => !gone.some((name) => line.startsWith(`${name}=`)));
  const given = Object.entries(set).map(([name, value]) => `${name}="${value}"`);
  await writeFile(product.envFile, completeFile([...kept, ...given].join('\n'), {}).text);
}

async function start(): Promise<void> {
  await product.compose('up', '--detach', '--wait');
  await waitFor('every service', async () => (await fetch(`${product.url}/readyz`)).ok, READY_WITHIN_MS);
}

/** What people could do before they can do now: look at an old order, buy, be written to, log in, send photos. */
async function expectAllToWork(): Promise<void> {
  expect(await driver().track(order.orderToken)).toMatchObject({ status: 'planted' });
  expect(await driver().call('GET /api/certificates/{code}', { params: { code } })).toMatchObject({ code });
  const email = `${crypto.randomUUID()}@keys.test`;
  await driver().buy(email);
  await openInbox(product.inboxUrl).mail(email, /Receipt/);
  const photo = await fieldPhoto('ph-leaf.jpg', PLACE, new Date(Date.UTC(2026, 4, 1, 0, taken++)));
  expect(await driver().photograph(await logIn('worker'), assignmentId, [photo])).toHaveLength(1);
  await driver().call('POST /api/auth/{role}/forgot-password', {
    params: { role: 'worker' },
    body: { email: DEMO_WORKERS[0]!.email },
  });
  await waitFor(
    'doctor to find nothing',
    async () => {
      expect(await askDoctor(product)).toEqual([]);
      return true;
    },
    SEEN_WITHIN_MS,
  );
}

describe('a key is changed as docs/operations.md says', () => {
  const ofEngine = (engine: string, users: readonly string[]) =>
    users.map((user) => `${engine}_${user}_PASSWORD`);
  const names = SERVICES.map((name) => name.toUpperCase());

  test.each<[string, string[]]>([
    ['QUOTE_SECRET', ['QUOTE_SECRET']],
    ['ORDER_TOKEN_SECRET', ['ORDER_TOKEN_SECRET']],
    ['MAIL_TOKEN_PRIVATE_KEY', ['MAIL_TOKEN_PRIVATE_KEY']],
    ['SERVICE_KEY of each service', names.map((name) => `${name}_SERVICE_KEY`)],
    [
      'passwords of PostgreSQL',
      ofEngine('POSTGRES', [...names.filter((name) => name !== 'MEDIA'), 'GATEWAY', 'MONITORING']),
    ],
    ['passwords of MongoDB', ofEngine('MONGODB', ['MEDIA', 'MONITORING'])],
    ['passwords of Kafka', ofEngine('KAFKA', ['ADMIN', 'MONITORING', ...names])],
    ['passwords of MinIO', ofEngine('MINIO', ['PAYMENTS', 'MEDIA', 'MONITORING', 'ROOT'])],
  ])('%s', async (_what, emptied) => {
    const before = await settings();
    await edit(emptied);
    const after = await settings();
    for (const name of emptied) expect(after[name]).not.toBe(before[name]);
    await start();
    await expectAllToWork();
  });

  test('AUTH_SIGNING_KEY: whoever was logged in logs in again', async () => {
    const token = await logIn('admin');
    const ask = () => driver().call('GET /api/admin/workers', { token, query: { limit: 1 } });
    await ask();
    const sql = 'delete from auth.signing_keys';
    await product.exec('postgres', ['psql', '--username=postgres', '--dbname=auth', '-c', sql]);
    await product.compose('restart', 'auth');
    await start();
    await waitFor(
      'the old session to end',
      () =>
        ask().then(
          () => false,
          ({ status }: { status?: number }) => status === 401,
        ),
      SEEN_WITHIN_MS,
    );
    await expectAllToWork();
  });

  test('STRIPE_WEBHOOK_SECRET: the new one beside the old one, and then alone', async () => {
    const { STRIPE_SANDBOX_WEBHOOK_SECRET: old } = await settings();
    const fresh = `whsec_${crypto.randomUUID().replaceAll('-', '')}`;
    await edit([], { STRIPE_WEBHOOK_SECRET: `${fresh},${old}` });
    await start();
    await expectAllToWork();
    await edit(['STRIPE_WEBHOOK_SECRET'], { STRIPE_SANDBOX_WEBHOOK_SECRET: fresh });
    await start();
    await expectAllToWork();
  });

  test('CERTIFICATE_KEY: what the old one signed is still vouched for', async () => {
    const signedBy = async () => {
      const credential = await driver().call('GET /api/certificates/{code}/credential', { params: { code } });
      return (credential.proof as { verificationMethod: string }).verificationMethod;
    };
    const former = await signedBy();
    const { CERTIFICATE_KEY: key } = await settings();
    await edit(['CERTIFICATE_KEY'], { CERTIFICATE_FORMER_KEYS: publicHalfOf(key!) });
    await start();
    await expectAllToWork();
    const now = await signedBy();
    expect(now).not.toBe(former);
    const { verificationMethod } = await driver().call('GET /.well-known/did.json');
    const known = (verificationMethod as { id: string }[]).map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining([former, now]));
  });
});

/** The status of a service's /readyz. */
async function readinessOf(service: string): Promise<number> {
  const ask = "const answer = await fetch('http://127.0.0.1:8080/readyz'); console.log(answer.status)";
  return Number(await product.exec(service, ['node', '--input-type=module', '--eval', ask]));
}

describe('doctor names the engine and the service of a wrong password', () => {
  test.each([
    ['postgres', 'orders', 'POSTGRES_ORDERS_PASSWORD'],
    ['mongodb', 'media', 'MONGODB_MEDIA_PASSWORD'],
    ['kafka', 'assignments', 'KAFKA_ASSIGNMENTS_PASSWORD'],
    ['minio', 'payments', 'MINIO_PAYMENTS_PASSWORD'],
  ])('%s', async (engine, service, name) => {
    const right = (await settings())[name]!;
    await edit([], { [name]: 'wrong-password-of-a-service' });
    await product.compose('up', '--detach', '--no-deps', service);
    const sentence = await waitFor(
      'doctor to say it',
      async () => (await askDoctor(product)).find((one) => one.includes(engine) && one.includes(service)),
      SEEN_WITHIN_MS,
    );
    expect(sentence).toMatch(/password/);
    expect(sentence).toContain(name);
    // It waits with 503, and the others go on.
    const answers = Object.fromEntries(
      await Promise.all(SERVICES.map(async (one) => [one, await readinessOf(one)] as const)),
    );
    expect(answers).toEqual(Object.fromEntries(SERVICES.map((one) => [one, one === service ? 503 : 200])));
    await edit([], { [name]: right });
    await start();
    await expectAllToWork();
  });
});
