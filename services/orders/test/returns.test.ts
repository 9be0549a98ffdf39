import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assigned, minute } from './builders.ts';
import { approved, LUCIA, submitted } from './event-builders.ts';
import { newOrderId } from './builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

const suspected = (orderId: string): NewEvent<'payment.return_suspected'> => ({
  type: 'payment.return_suspected',
  data: {
    orderId,
    paymentId: 'payment-1',
    debitId: 'debit-1',
    amountMinor: 8_230_000,
    currency: 'COP',
    day: '2026-11-23',
    at: minute(30),
  },
});
const settled = (orderId: string): NewEvent<'payment.return_settled'> => ({
  type: 'payment.return_settled',
  data: { orderId, debitId: 'debit-1', wasReturned: false, by: LUCIA, at: minute(80) },
});
const withoutWorker = async (): Promise<string[]> =>
  (
    await orders.call('GET /api/admin/orders/manage', {
      query: { worker: 'none', limit: '100' },
      token: orders.adminToken,
    })
  ).body.orders.map(({ _id }: { _id: string }) => _id);

test('an order whose money may be gone waits for an admin, and then for a worker', async () => {
  const orderId = newOrderId();
  await orders.publish(submitted(orderId), approved(orderId), assigned(orderId));
  await orders.order(orderId, ({ status }) => status === 'assigned');
  const event = suspected(orderId);
  await orders.publish(event, event);
  const held = await orders.order(orderId, ({ status }) => status === 'pending');
  expect(held).toMatchObject({
    flagged: true,
    suspectedReturns: [{ debitId: 'debit-1', amount: 8_230_000, currency: 'COP', day: '2026-11-23' }],
  });
  expect(await withoutWorker()).not.toContain(orderId);
  const status = await orders.call('PUT /api/admin/orders/{id}/status', {
    params: { id: orderId },
    body: { status: 'planted' },
    token: orders.adminToken,
  });
  expect([status.status, status.body.type]).toEqual([409, 'return-open']);

  await orders.publish(settled(orderId));
  const free = await orders.order(
    orderId,
    ({ suspectedReturns }) => suspectedReturns?.[0]?.settledAt !== undefined,
  );
  expect(free).not.toHaveProperty('flagged');
  expect(free.timeline.map(({ type }) => type).slice(-2)).toEqual(['return_suspected', 'return_dismissed']);
  expect(await withoutWorker()).toContain(orderId);
});

test('a decision that arrives first waits for its suspicion', async () => {
  const orderId = newOrderId();
  await orders.publish(submitted(orderId), approved(orderId), settled(orderId), suspected(orderId));
  const order = await orders.order(
    orderId,
    ({ suspectedReturns }) => suspectedReturns?.[0]?.settledAt !== undefined,
  );
  expect(order.status).toBe('pending');
  expect(await withoutWorker()).toContain(orderId);
});
