import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openReceiptNumbers, type ReceiptNumbers } from '../documents/numbers.ts';
import { MIGRATIONS } from '../order/store.ts';
import { newOrderId, payment } from './builders.ts';
import { approved, rejected, submitted } from './event-builders.ts';
import { enveloped, openOrders, type OrdersFixture, TEMPLATE } from './fixture.ts';

describe('numbers of receipts', () => {
  let platform: TestPlatform;
  let numbers: ReceiptNumbers;
  let sql: Awaited<ReturnType<TestPlatform['sql']>>;
  beforeAll(async () => {
    platform = await openTestPlatform({ template: TEMPLATE });
    sql = await platform.sql('orders', MIGRATIONS);
    numbers = openReceiptNumbers(sql);
  });
  afterAll(async () => {
    await sql.close();
    await platform.close();
  });

  test('are given without gaps and never twice, to many at once, each order keeping its own', async () => {
    const orders = Array.from({ length: 40 }, newOrderId);
    const given = await Promise.all(
      [...orders, ...orders, ...orders].map(async (id) => [id, await numbers.of(id, '2026-06-01T12:00:00Z')]),
    );
    const ofOrder = new Map(given as [string, string][]);
    for (const [id, number] of given) expect(ofOrder.get(id!)).toBe(number);
    expect([...ofOrder.values()].sort()).toEqual(
      orders.map((_, at) => `2026-${String(at + 1).padStart(6, '0')}`),
    );
  });

  test('begin again each year of Colombia’s time', async () => {
    expect(await numbers.of(newOrderId(), '2028-01-01T04:59:59Z')).toBe('2027-000001');
    expect(await numbers.of(newOrderId(), '2028-01-01T05:00:00Z')).toBe('2028-000001');
    expect(await numbers.of(newOrderId(), '2028-02-01T12:00:00Z')).toBe('2028-000002');
  });
});

describe('a paid order', () => {
  let orders: OrdersFixture;
  beforeAll(async () => {
    orders = await openOrders();
  });
  afterAll(() => orders.close());

  test('has one number however often its payment is delivered, which its event carries', async () => {
    const first = enveloped(payment());
    await orders.publish(first, first, enveloped(payment({ orderId: first.key })));
    const { receiptNumber } = await orders.order(first.key);
    expect(receiptNumber).toMatch(/^2026-\d{6}$/);
    await orders.publish(first);
    const next = newOrderId();
    await orders.publish(payment({ orderId: next }));
    const after = await orders.order(next);
    expect(Number(after.receiptNumber!.slice(5))).toBe(Number(receiptNumber!.slice(5)) + 1);
    const created = await orders.probe.next('order.created', ({ key }) => key === first.key);
    expect(created.data).toMatchObject({ receiptNumber });
    expect((await orders.order(first.key)).receiptNumber).toBe(receiptNumber);
  });

  test('by transfer has one from its approval on, and a rejected transfer has none', async () => {
    const [found, refused] = [newOrderId(), newOrderId()];
    await orders.publish(submitted(found), submitted(refused));
    expect((await orders.order(found)).receiptNumber).toBeUndefined();
    await orders.publish(rejected(refused), approved(found));
    expect((await orders.order(found, (one) => one.receiptNumber !== undefined)).receiptNumber).toMatch(
      /^2026-/,
    );
    const done = await orders.order(refused, (one) => one.manualPayment?.verificationStatus === 'rejected');
    expect(done.receiptNumber).toBeUndefined();
  });
});
