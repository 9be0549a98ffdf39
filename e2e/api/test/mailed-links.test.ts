import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { aGift } from '../gift.ts';
import { openDriver } from '../../driver/driver.ts';
import { openInbox } from '../../harness/inbox.ts';
import { openFilledProduct, type FilledProduct } from '../filled-product.ts';

let filled: FilledProduct;
let database: pg.Client;
beforeAll(async () => {
  filled = await openFilledProduct();
  database = new pg.Client({ connectionString: filled.product.databaseUrl });
  await database.connect();
  // A consumer that handles nothing: what is published from now on stays here.
  await database.query(
    `insert into chassis.subscriptions (group_name, type) select 'eavesdropper', unnest($1::text[])`,
    [Object.keys(EVENTS)],
  );
}, 120_000);
afterAll(async () => {
  await database?.end();
  await filled?.close();
});

async function mailedToken(address: string, page: string): Promise<string> {
  const link = new RegExp(`${page}#(?:role=\\w+&)?token=([\\w-]{43})`);
  return link.exec((await openInbox(filled.product.inboxUrl).mail(address, link)).text)![1]!;
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
  await filled.call('POST /api/auth/customer/register', { body });
  await filled.call('POST /api/auth/{role}/forgot-password', {
    params: { role: 'customer' },
    body: { email },
  });
  await filled.call('POST /api/admin/workers', {
    token: await filled.token('admin'),
    body: { name: 'Mateo Ríos', email: invited, region: 'Quindío', capacityTrees: 40, language: 'es' },
  });
  const tokens = await Promise.all([
    mailedToken(email, '/verify-email'),
    mailedToken(email, '/reset-password'),
    mailedToken(invited, '/reset-password'),
  ]);
  const heard = await everythingHeard();
  for (const type of ['email.verification_requested', 'password.reset_requested', 'worker.invited'])
    expect(heard).toContain(type);
  for (const token of tokens) expect(heard).not.toContain(token);
});

test('the links of orders are mailed, and no event on the bus says one', async () => {
  const driver = openDriver(filled.product);
  const [email, other] = [randomUUID(), randomUUID()].map((id) => `${id.slice(0, 8)}@example.org`);
  const paid = await driver.buy(email!, { trees: 1 });
  const announced = await driver.announce(other!);
  await driver.approve(await filled.token('admin'), announced.orderId);
  const inbox = openInbox(filled.product.inboxUrl);
  await inbox.mail(email!, new RegExp(`/orders/${paid.orderToken}`));
  await inbox.mail(other!, new RegExp(`/orders/${announced.orderToken}`));
  expect((await filled.call('GET /api/track/{token}', { params: { token: paid.orderToken } }))._id).toBe(
    paid.orderId,
  );
  const heard = await everythingHeard();
  for (const type of ['payment.submitted', 'payment.succeeded', 'order.created'])
    expect(heard).toContain(type);
  for (const { orderId, orderToken } of [paid, announced]) {
    expect(heard).toContain(orderId);
    expect(heard).not.toContain(orderToken);
  }
});

test('the link of a gift is mailed, and no event on the bus says it', async () => {
  const [buyer, recipient] = [randomUUID(), randomUUID()].map((id) => `${id.slice(0, 8)}@example.org`);
  const gift = aGift({ recipientEmail: recipient! });
  const { orderId } = await openDriver(filled.product).buy(buyer!, { trees: 1, gift });
  const link = /\/g\/([\w-]{22})\n/;
  const token = link.exec((await openInbox(filled.product.inboxUrl).mail(recipient!, link)).text)![1]!;
  expect((await filled.call('GET /api/gifts/{token}', { params: { token } })).recipientName).toBe(
    'Olga Prueba',
  );
  const heard = await everythingHeard();
  expect(heard).toContain('gift.scheduled');
  expect(heard).toContain(orderId);
  expect(heard).not.toContain(token);
});
