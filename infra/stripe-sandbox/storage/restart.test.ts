import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { openReceiver } from '../testing/receiver.ts';
import { clientOf, openSandbox, PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from '../testing/sandbox.ts';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

const MAIN = join(import.meta.dirname, '..', 'main.ts');

async function startProcess(env: Record<string, string>): Promise<{ child: ChildProcess; apiUrl: string }> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      STRIPE_SANDBOX_PORT: '0',
      STRIPE_SANDBOX_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ...env,
    },
  });
  children.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const apiUrl = /api (http\S+),/.exec(output)?.[1];
    if (apiUrl) return { child, apiUrl };
  }
  throw new Error(`The process did not start: ${output}`);
}

test('after kill −9 every answered payment is there, and every webhook arrives', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stripe-sandbox-'));
  const receiver = await openReceiver();
  const answered: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { child, apiUrl } = await startProcess({ STRIPE_SANDBOX_DATA_DIR: dataDir });
    const stripe = clientOf(apiUrl);
    const pay = () =>
      stripe.paymentIntents.create({
        amount: 2500,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_visa',
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      });
    const paying = Array.from({ length: 4 }, async () => {
      for (;;) answered.push((await pay()).id);
    });
    const stopped = Promise.allSettled(paying);
    const enough = (round + 1) * 10;
    while (answered.length < enough) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await Promise.all([stopped, once(child, 'exit')]);
  }

  const sandbox = await openSandbox({ dataDir, webhookUrl: receiver.url });
  const { payment_intents: kept } = await sandbox.control('GET', '/state');
  const paid = kept.filter((intent: { status: string }) => intent.status === 'succeeded');
  expect(paid.map((intent: { id: string }) => intent.id)).toEqual(expect.arrayContaining(answered));
  const told = await receiver.received(paid.length, 'payment_intent.succeeded');
  expect(new Set(told.map((event) => (event.data.object as { id: string }).id)).size).toBe(paid.length);
  await sandbox.remove();
  await receiver.close();
}, 30_000);

test('a line torn by a crash is left out, and everything before it is kept', async () => {
  const first = await openSandbox();
  const { id } = await first.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
  await first.close();
  await appendFile(join(first.dataDir, 'journal.jsonl'), '[["payment_intents",{"id":"pi_torn');
  const second = await openSandbox({ dataDir: first.dataDir });
  expect((await second.stripe.paymentIntents.list()).data.map((intent) => intent.id)).toEqual([id]);
  await second.close();
  expect(await readFile(join(first.dataDir, 'journal.jsonl'), 'utf8')).not.toContain('pi_torn');
  await rm(first.dataDir, { recursive: true });
});

test('an idempotency key is remembered over a restart', async () => {
  const first = await openSandbox();
  const create = (sandbox: { stripe: typeof first.stripe }) =>
    sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' }, { idempotencyKey: 'quote-1' });
  const before = await create(first);
  await first.close();
  const second = await openSandbox({ dataDir: first.dataDir });
  expect((await create(second)).id).toBe(before.id);
  await second.remove();
});

test('it does not start in production, and says why', async () => {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, NODE_ENV: 'production' } });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toMatch(/NODE_ENV is production/);
});

test('a port that is taken is an error, not a hanging process', async () => {
  const first = await openSandbox();
  const taken = { port: Number(new URL(first.url).port), dataDir: join(first.dataDir, 'other') };
  await expect(openSandbox(taken)).rejects.toThrow(/EADDRINUSE/);
  await first.remove();
});
