import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { TYPED_TEXT } from '@arboleda/contracts/typed-text.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type pg from 'pg';
import { emailOf } from '../api/people.ts';
import { eventually } from '../api/filling.ts';
import { aGift } from '../api/gift.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../harness/database.ts';
import { openInbox } from '../harness/inbox.ts';
import { findEverywhere } from '../safety/everything.ts';
import { erase, livePerson, MARK, sendTransfer, TYPED, WORDS } from '../safety/person.ts';
import { useTarget } from './target.ts';

/**
 * Places outside our reach: received mails, and the card provider's own records. docs/operations.md says the same of
 * the real ones.
 */
const ELSEWHERE = /^(mail|stripe-sandbox)\//;

const OPERATOR = fileURLToPath(new URL('../../services/auth/operator/main.ts', import.meta.url));

const { product, call, tokens } = useTarget();

const kept = async (words: readonly string[]) =>
  (await findEverywhere(product, words)).filter((find) => !ELSEWHERE.test(find));

/** @throws with the places that still know them */
const forgotten = (words: readonly string[]) =>
  eventually('nothing of them', async () => (await kept(words)).length === 0).catch(async () =>
    expect(await kept(words)).toEqual([]),
  );

test('a donor who leaves is nowhere any more: no table, object, file or log knows them', async () => {
  const person = await livePerson(product, {
    admin: tokens.admin,
    worker: { email: emailOf('worker', 'owner'), token: tokens.worker },
  });
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
  const unseen: string[] = [];
  for (const [field, text] of Object.entries(TYPED))
    if ((await kept([text])).length === 0) unseen.push(field);
  expect(unseen).toEqual([]);
  await erase(person);
  await forgotten(WORDS);
  // The payment stays, without the person.
  for (const id of person.orders) {
    const { order } = await call('GET /api/admin/orders/{id}', { token: tokens.admin, params: { id } });
    expect(order).toMatchObject({ customerName: '—', customerEmail: 'erased@arboleda.invalid' });
  }
  expect(await kept([emailOf('customer', 'owner')])).not.toEqual([]);
}, 180_000);

test('that donor filled everything that is to be erased with a donor', () => {
  // Which is a mail server's.
  const { 'POST /api/mail/bounces': _bounces, ...calls } = TYPED_TEXT;
  const fields = Object.values(calls).flatMap((call) =>
    Object.entries<string>(call).flatMap(([field, whose]) => (whose === 'donor' ? [field] : [])),
  );
  expect(Object.keys(TYPED).sort()).toEqual([...new Set(fields)].sort());
});

test('a guest is forgotten by an operator, with orders, transfer and payments that were begun', async () => {
  const email = `${MARK}.guest@person.test`;
  const driver = openDriver(product);
  await driver.buy(email, { trees: 5 });
  await driver.start(email, { trees: 7 });
  await sendTransfer(driver, email);
  await eventually('mails to them', async () =>
    (await kept([email])).some((find) => find.startsWith('notifications.mails')),
  );
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [OPERATOR, 'erase', '--email', email], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: product.databaseUrl },
  });
  expect(stdout).toContain('There was no account');
  await forgotten([email, ...WORDS]);
}, 180_000);

describe('on the bus', () => {
  let database: pg.Client;
  beforeAll(async () => {
    database = await openDatabase(product.databaseUrl);
    // A consumer that handles nothing: what is published from now on stays here.
    await database.query(
      `insert into chassis.subscriptions (group_name, type) select 'eavesdropper', unnest($1::text[])`,
      [Object.keys(EVENTS)],
    );
  });
  afterAll(async () => {
    await database?.query(`delete from chassis.subscriptions where group_name = 'eavesdropper'`);
    await database?.query(`delete from chassis.deliveries where group_name = 'eavesdropper'`);
    await database?.end();
  });

  async function mailedToken(address: string, page: string): Promise<string> {
    const link = new RegExp(`${page}#(?:role=\\w+&)?token=([\\w-]{43})`);
    return link.exec((await openInbox(product.inboxUrl).mail(address, link)).text)![1]!;
  }

  async function everythingHeard(): Promise<string> {
    const { rows } = await database.query<{ event: unknown }>(
      `select event from chassis.deliveries where group_name = 'eavesdropper'`,
    );
    return JSON.stringify(rows);
  }

  test('links that open accounts are mailed, and no event on the bus says one', async () => {
    const email = `${randomUUID().slice(0, 8)}@example.org`;
    const invited = `${randomUUID().slice(0, 8)}@example.org`;
    const body = { name: 'Lucía Peña', email, password: 'el roble y la ceiba' };
    await call('POST /api/auth/customer/register', { body });
    await call('POST /api/auth/{role}/forgot-password', {
      params: { role: 'customer' },
      body: { email },
    });
    await call('POST /api/admin/workers', {
      token: tokens.admin,
      body: { name: 'Mateo Ríos', email: invited, region: 'Quindío', capacityTrees: 40, language: 'es' },
    });
    const secrets = await Promise.all([
      mailedToken(email, '/verify-email'),
      mailedToken(email, '/reset-password'),
      mailedToken(invited, '/reset-password'),
    ]);
    const received = await everythingHeard();
    for (const type of ['email.verification_requested', 'password.reset_requested', 'worker.invited'])
      expect(received).toContain(type);
    for (const secret of secrets) expect(received).not.toContain(secret);
  });

  test('the links of orders are mailed, and no event on the bus says one', async () => {
    const driver = openDriver(product);
    const [email, other] = [randomUUID(), randomUUID()].map((id) => `${id.slice(0, 8)}@example.org`);
    const paid = await driver.buy(email!, { trees: 1 });
    const announced = await driver.announce(other!);
    await driver.approve(tokens.admin, announced.orderId);
    const inbox = openInbox(product.inboxUrl);
    await inbox.mail(email!, new RegExp(`/orders/${paid.orderToken}`));
    await inbox.mail(other!, new RegExp(`/orders/${announced.orderToken}`));
    expect((await call('GET /api/track/{token}', { params: { token: paid.orderToken } }))._id).toBe(
      paid.orderId,
    );
    const received = await everythingHeard();
    for (const type of ['payment.submitted', 'payment.succeeded', 'order.created'])
      expect(received).toContain(type);
    for (const { orderId, orderToken } of [paid, announced]) {
      expect(received).toContain(orderId);
      expect(received).not.toContain(orderToken);
    }
  });

  test('the link of a gift is mailed, and no event on the bus says it', async () => {
    const [buyer, recipient] = [randomUUID(), randomUUID()].map((id) => `${id.slice(0, 8)}@example.org`);
    const gift = aGift({ recipientEmail: recipient! });
    const { orderId } = await openDriver(product).buy(buyer!, { trees: 1, gift });
    const link = /\/g\/([\w-]{22})\n/;
    const token = link.exec((await openInbox(product.inboxUrl).mail(recipient!, link)).text)![1]!;
    expect((await call('GET /api/gifts/{token}', { params: { token } })).recipientName).toBe('Olga Prueba');
    const received = await everythingHeard();
    expect(received).toContain('gift.scheduled');
    expect(received).toContain(orderId);
    expect(received).not.toContain(token);
  });
});
