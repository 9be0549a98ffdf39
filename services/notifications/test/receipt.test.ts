import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ADMIN, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

/** Seconds, longer than any test: a receipt leaves when a worker is assigned. */
const NEVER = 600;

type Harness = Awaited<ReturnType<typeof openHarness>>;
let inbox: TestInbox;
let service: Harness;
let url: string;
beforeAll(async () => {
  inbox = await openTestInbox();
  service = await openHarness({ inbox, receiptMailDelaySeconds: NEVER });
  ({ url } = await service.start());
});
afterAll(async () => {
  await service.close();
  await inbox.close();
});

const waitingReceipt = (orderId: string) =>
  waitFor(async () => {
    const rows = await service.query(
      `select facts from notifications.mails where order_id = $1 and state = 'waiting'`,
      [orderId],
    );
    return rows.length > 0 && rows[0].facts;
  });

/** Waits until every published event is handled. */
const handled = () =>
  waitFor(async () => (await service.platform.bus.waiting('notifications')) === 0, 20_000);

test.each([
  ['en', 'card', /will plant your 5 trees/],
  ['es', 'card', /va a sembrar tus 5 árboles/],
  ['en', 'transfer', /will plant your 5 trees/],
] as const)('a receipt names the worker who was chosen at once: %s, %s', async (language, kind, words) => {
  const order = someOrder({
    language,
    ...(kind === 'transfer' && { method: { kind, bank: 'bancolombia' as const } }),
  });
  const ana = someWorker();
  const created = await service.publish('order.created', order.created);
  const assigned = await service.publish('order.assigned', order.step(ana));
  const [mail] = await service.someMailsTo(order.email);
  expect(mail!.subject).toMatch(/Receipt for|Recibo de|Transfer approved/);
  expect(mail!.text).toContain('Ana Ríos');
  expect(mail!.text).toMatch(words);
  expect(mail!.text).not.toMatch(/we choose a field worker|elegimos a la persona/);
  await service.someMailsTo(ana.email);
  await service.republish(created, assigned);
  await handled();
  await service.allSent();
  expect(await service.mailsTo(order.email)).toHaveLength(1);
});

test('a worker announced before the order is in its receipt', async () => {
  const order = someOrder();
  await service.publish('order.assigned', order.step());
  await service.publish('order.created', order.created);
  const [mail] = await service.someMailsTo(order.email);
  expect(mail!.text).toContain('Ana Ríos');
  await service.allSent();
  expect(await service.mailsTo(order.email)).toHaveLength(1);
});

test('a receipt that has left is followed by an email that names the worker', async () => {
  const swift = await openHarness({ inbox, receiptMailDelaySeconds: 0.2 });
  await swift.start();
  const order = someOrder();
  await swift.publish('order.created', order.created);
  const [receipt] = await swift.someMailsTo(order.email);
  expect(receipt!.text).toContain('we choose a field worker');
  await swift.allSent();
  await swift.publish('order.assigned', order.step());
  const [, assigned] = await swift.someMailsTo(order.email, 2);
  expect(assigned!.subject).toBe('Ana Ríos will plant your 5 trees');
  await swift.close();
});

test('a service that stopped while a receipt waited sends it once, with the worker', async () => {
  const own = await openHarness({ inbox, receiptMailDelaySeconds: NEVER });
  const first = await own.start();
  const order = someOrder();
  await own.publish('order.created', order.created);
  await waitFor(
    async () =>
      (await own.query(`select from notifications.mails where order_id = $1`, [order.created.orderId]))
        .length === 1,
  );
  await first.stop();
  await own.start();
  await own.publish('order.assigned', order.step());
  const [mail] = await own.someMailsTo(order.email);
  expect(mail!.text).toContain('Ana Ríos');
  await own.allSent();
  expect(await own.mailsTo(order.email)).toHaveLength(1);
  await own.close();
});

test('a receipt whose time came while the service was stopped is sent when it runs again', async () => {
  const own = await openHarness({ inbox, receiptMailDelaySeconds: 1 });
  const first = await own.start();
  const order = someOrder();
  await own.publish('order.created', order.created);
  await waitFor(async () => (await own.query('select from notifications.mails')).length === 1);
  await first.stop();
  await waitFor(
    async () => (await own.query('select from notifications.mails where send_after < now()')).length === 1,
  );
  await own.start();
  const [mail] = await own.someMailsTo(order.email);
  expect(mail!.text).toContain('we choose a field worker');
  await own.allSent();
  expect(await own.mailsTo(order.email)).toHaveLength(1);
  await own.close();
});

test.each([
  ['whose worker lost the order names nobody', undefined],
  ['whose order went to another worker names that one', 'Bruno Cano'],
])('a resent receipt %s', async (_what, another) => {
  const order = someOrder();
  const ana = someWorker();
  await service.publish('order.created', order.created);
  await service.publish('order.assigned', order.step(ana));
  const [receipt] = await service.someMailsTo(order.email);
  expect(receipt!.text).toContain('Ana Ríos');
  await service.allSent();
  if (another === undefined)
    await service.publish('order.status_changed', order.status('assigned', 'pending', 2));
  else
    await service.publish('order.assigned', {
      ...order.step(someWorker({ name: another }), 2),
      previousWorker: ana,
      by: ADMIN,
    });
  await handled();
  await service.allSent();
  const token = await service.identity.token({
    role: 'customer',
    id: order.email,
    email: order.email,
    emailVerified: true,
  });
  const { status } = await request(url, 'POST /api/customers/orders/{id}/resend-mail', {
    params: { id: order.created.orderId },
    token,
  });
  expect(status).toBe(202);
  const mails = await waitFor(async () => {
    const found = (await service.mailsTo(order.email)).filter(({ subject }) => subject.startsWith('Receipt'));
    return found.length === 2 && found;
  });
  expect(mails[1]!.text).not.toContain('Ana Ríos');
  if (another === undefined) expect(mails[1]!.text).toContain('we choose a field worker');
  else expect(mails[1]!.text).toContain(another);
});

test('a waiting receipt no longer names a worker who lost the order', async () => {
  const order = someOrder();
  await service.publish('order.created', order.created);
  expect(await waitingReceipt(order.created.orderId)).not.toHaveProperty('planter');
  await service.query(
    `update notifications.mails set facts = facts || '{"planter": {"name": "Ana Ríos", "region": "Quindío"}}'
     where order_id = $1`,
    [order.created.orderId],
  );
  await service.publish('order.status_changed', order.status('assigned', 'pending', 2));
  await waitFor(async () => !('planter' in (await waitingReceipt(order.created.orderId))));
});
