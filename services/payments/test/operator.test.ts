import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Harness, openHarness } from './harness.ts';
import { webhooks } from './shop.ts';

const MAIN = join(import.meta.dirname, '..', 'operator', 'main.ts');

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** The command as a process of its own. */
async function reconcile(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, DATABASE_URL: harness.platform.databaseUrl },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}
const rowOf = (stdout: string, list: string) =>
  stdout
    .split('\n')
    .find((line) => line.startsWith(list))
    ?.trim()
    .split(/\s{2,}/)
    .slice(1)
    .map(Number);

test('an operator sees what was looked at and mended', async () => {
  await webhooks(harness, 'lose');
  const answer = await harness.checkout();
  await harness.pay(answer);
  await harness.sandbox.stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  const { code, stdout, stderr } = await reconcile('--since', '7d');
  expect([code, stderr]).toEqual([0, '']);
  expect(rowOf(stdout, 'payment intents')).toEqual([2, 1, 1, 0]);
  await harness.events.next('payment.succeeded', ({ data }) => data.orderId === answer.body.orderId);
  const again = await reconcile('--since', '7d');
  expect(rowOf(again.stdout, 'payment intents')).toEqual([2, 0, 1, 0]);
});

test('and is told when Stripe did not answer', async () => {
  harness.door.set('failing');
  const { code, stdout } = await reconcile('--since', '1h');
  harness.door.set('open');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^payment intents: An error occurred/m);
});

test('without saying since when, the usage is told', async () => {
  const { code, stderr } = await reconcile();
  expect(code).toBe(1);
  expect(stderr).toContain('npm run reconcile -- --since 7d');
});
