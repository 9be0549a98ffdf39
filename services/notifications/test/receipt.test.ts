import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

/** So long that a receipt only leaves when something sends it. */
const NEVER = 600;

type Harness = Awaited<ReturnType<typeof openHarness>>;
let inbox: TestInbox;
let service: Harness;
beforeAll(async () => {
  inbox = await openTestInbox();
  service = await openHarness({ inbox, receiptMailDelaySeconds: NEVER });
  await service.start();
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
