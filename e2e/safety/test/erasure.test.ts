import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emailOf } from '../../api/people.ts';
import { eventually } from '../../api/filling.ts';
import { openFilledProduct, type FilledProduct } from '../../api/filled-product.ts';
import { openDriver } from '../../driver/driver.ts';
import { findEverywhere } from '../everything.ts';
import { erase, livePerson, MARK, sendTransfer, WORDS } from '../person.ts';

/**
 * What is not ours to forget, or not yet: the mails as they were received, and what the card provider keeps by itself.
 * docs/operations.md says so of their real counterparts.
 */
const ELSEWHERE = /^(mail|stripe-sandbox)\//;

const OPERATOR = fileURLToPath(new URL('../../../services/auth/operator/main.ts', import.meta.url));

let filled: FilledProduct;
beforeAll(async () => {
  filled = await openFilledProduct();
}, 120_000);
afterAll(() => filled?.close());

const kept = async (words: readonly string[]) =>
  (await findEverywhere(filled.product, words)).filter((find) => !ELSEWHERE.test(find));

/** @throws with the places that still know them */
const forgotten = (words: readonly string[]) =>
  eventually('nothing of them', async () => (await kept(words)).length === 0).catch(async () =>
    expect(await kept(words)).toEqual([]),
  );

test('a donor who leaves is nowhere any more: no table, object, file or log knows them', async () => {
  const person = await livePerson(filled.product);
  const before = await kept(WORDS);
  // The eye sees: without it the test would pass by looking at nothing.
  for (const place of [
    'auth.accounts',
    'orders.orders',
    'payments.payments',
    'payments.transfers',
    'notifications.mails',
  ])
    expect(before.join()).toContain(place);
  await erase(person);
  await forgotten(WORDS);
  // The payment stays, without the person.
  const token = await filled.token('admin');
  for (const id of person.orders) {
    const { order } = await filled.call('GET /api/admin/orders/{id}', { token, params: { id } });
    expect(order).toMatchObject({ customerName: '—', customerEmail: 'erased@arboleda.invalid' });
  }
  expect(await kept([emailOf('customer', 'owner')])).not.toEqual([]);
}, 180_000);

test('a guest is forgotten by an operator, with orders, transfer and payments that were begun', async () => {
  const email = `${MARK}.guest@person.test`;
  const driver = openDriver(filled.product);
  await driver.buy(email, { trees: 5 });
  await driver.start(email, { trees: 7 });
  await sendTransfer(driver, email);
  await eventually('mails to them', async () =>
    (await kept([email])).some((find) => find.startsWith('notifications.mails')),
  );
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [OPERATOR, 'erase', '--email', email], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: filled.product.databaseUrl },
  });
  expect(stdout).toContain('There was no account');
  await forgotten([email, ...WORDS]);
}, 180_000);
