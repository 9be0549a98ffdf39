import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery, IdempotentAnswer, PaymentIntent, StripeEvent } from '../objects.ts';
import {
  clientOf,
  openReceiver,
  openSandbox,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from '../test/sandbox.ts';
import { openJournal, readJournal } from './journal.ts';
import { worthKeeping } from './store.ts';

describe('journal', () => {
  let folder: string;

  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    path = join(folder, 'journal.jsonl');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const read = async () => {
    const lines = [];
    for await (const line of readJournal(path)) lines.push(line);
    return lines;
  };

  const open = (snapshot: string[] = []) => openJournal(path, snapshot);

  test('a line is durable when its promise resolves', async () => {
    const journal = await open();
    await journal.append('{"a":1}');
    expect(await read()).toEqual([{ a: 1 }]);
    await Promise.all([journal.append('2'), journal.append('3'), journal.settled()]);
    expect(await read()).toEqual([{ a: 1 }, 2, 3]);
    await journal.close();
  });

  test('opening replaces the lines by the snapshot', async () => {
    await writeFile(path, '1\n2\n3\n');
    const journal = await open(['6']);
    await journal.append('7');
    await journal.close();
    expect(await read()).toEqual([6, 7]);
  });

  test('only the last line may be incomplete', async () => {
    await writeFile(path, '1\n{"to');
    expect(await read()).toEqual([1]);
    await appendFile(path, '\n2\n');
    await expect(read()).rejects.toThrow(/damaged/);
  });

  test('a closed journal rejects lines', async () => {
    const journal = await open();
    await journal.close();
    await expect(journal.append('1')).rejects.toThrow(/closed/);
  });

  test('while the disk is full lines fail and nothing settles, and then they are written whole, in order', async () => {
    let room = 10;
    const journal = await openJournal(path, [], async (file, text) => {
      await file.appendFile(text.slice(0, room));
      if (text.length > room) throw new Error('ENOSPC');
      room -= text.length;
    });
    const durable: string[] = [];
    const append = (line: string) => journal.append(line, () => void durable.push(line));
    await append('1');
    await expect(append('"a long line"')).rejects.toThrow('ENOSPC');
    await expect(append('3')).rejects.toThrow('ENOSPC');
    await expect(journal.settled()).rejects.toThrow('ENOSPC');
    expect(durable).toEqual(['1']);
    room = 100;
    await journal.settled();
    await append('4');
    expect(durable).toEqual(['1', '"a long line"', '3', '4']);
    expect(await read()).toEqual([1, 'a long line', 3, 4]);
    await journal.close();
  });

  test('a line that arrives when another one is done is written too', async () => {
    const journal = await open();
    for (let count = 0; count < 50; count++) {
      await journal.append(String(count));
      await Promise.resolve().then(() => journal.settled());
    }
    expect(await read()).toHaveLength(50);
    await journal.close();
  });
});

describe('restart', () => {
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

  test('after kill -9 every answered payment is kept, and every webhook arrives', async () => {
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

  test('an incomplete line after a crash is skipped, and everything before it is kept', async () => {
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

  test('an idempotency key survives a restart', async () => {
    const first = await openSandbox();
    const create = (sandbox: { stripe: typeof first.stripe }) =>
      sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' }, { idempotencyKey: 'quote-1' });
    const before = await create(first);
    await first.close();
    const second = await openSandbox({ dataDir: first.dataDir });
    expect((await create(second)).id).toBe(before.id);
    await second.remove();
  });

  test('refuses to start in production, with a reason', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    });
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
});

const DAY_S = 24 * 60 * 60;

const nowMs = 100 * DAY_S * 1000;

const ids = (kept: Array<{ id: string }>) => kept.map(({ id }) => id);

test('idempotency keys expire after a day', () => {
  const keys = [
    { id: 'old', created: 98 * DAY_S },
    { id: 'new', created: 99.5 * DAY_S },
  ] as IdempotentAnswer[];
  expect(ids(worthKeeping('idempotency', keys, nowMs))).toEqual(['new']);
});

test('events expire after thirty days, but not before they are delivered', () => {
  const events = [
    { id: 'old', created: 60 * DAY_S, pending_webhooks: 0 },
    { id: 'old and waiting', created: 60 * DAY_S, pending_webhooks: 1 },
    { id: 'new', created: 90 * DAY_S, pending_webhooks: 0 },
  ] as StripeEvent[];
  expect(ids(worthKeeping('events', events, nowMs))).toEqual(['old and waiting', 'new']);
});

test('keeps the last of very many deliveries, and all undelivered ones', () => {
  const deliveries = Array.from({ length: 20_010 }, (_, index) => ({
    id: String(index),
    state: index === 3 ? 'held' : 'delivered',
  })) as Delivery[];
  const kept = ids(worthKeeping('deliveries', deliveries, nowMs));
  expect(kept[0]).toBe('3');
  expect(kept).toHaveLength(20_001);
});

test('keeps payments for ever', () => {
  const intents = [{ id: 'pi_1', created: 0 }] as PaymentIntent[];
  expect(worthKeeping('payment_intents', intents, nowMs)).toHaveLength(1);
});
