import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assigned, newOrderId, planted } from './builders.ts';
import { type Desk, openDesk, wrongField } from './desk.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { submitted } from './news.ts';

let orders: OrdersFixture;
let desk: Desk;
beforeAll(async () => {
  orders = await openOrders();
  desk = openDesk(orders);
});
afterAll(() => orders.close());

const saidOf = (orderId: string) =>
  orders.probe.all('order.status_changed').filter((event) => event.key === orderId);

describe('PUT /api/admin/orders/{id}/status', () => {
  test('sets any status, with reason and name in the history, and tells the world', async () => {
    const id = await desk.paidOrder();
    const { status, body } = await desk.setStatus(id, { status: 'completed', reason: 'Seen on site' });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ _id: id, status: 'completed', revision: 1, version: 1 });
    expect(body.order.completionDate).toBe(body.order.plantingDate);
    expect(body.order.timeline.at(-1)).toMatchObject({
      ...{ type: 'status_changed', from: 'pending', to: 'completed', reason: 'Seen on site' },
      by: { role: 'admin', name: 'Test admin' },
    });
    const event = await orders.probe.next('order.status_changed', ({ key }) => key === id);
    expect(event.data).toMatchObject({
      from: 'pending',
      to: 'completed',
      statusRevision: 1,
      by: { role: 'admin' },
    });
    expect((await desk.setStatus(id, { status: 'pending' })).body.order).toMatchObject({
      status: 'pending',
      revision: 2,
    });
  });

  test('changes nothing when it is the status already', async () => {
    const id = await desk.paidOrder();
    const before = (await desk.read(id)).body;
    const { status, body } = await desk.setStatus(id, { status: 'pending' });
    expect({ status, body }).toEqual({ status: 200, body: before });
  });

  test('works with the status alone, as the product spec sends it', async () => {
    const id = await desk.paidOrder();
    expect((await desk.setStatus(id, { status: 'assigned' })).body.order.status).toBe('assigned');
  });

  test.each([
    ['an unknown status', { status: 'felled' }, ['status: unknown-value']],
    ['no status', {}, ['status: required']],
    ['an empty reason', { status: 'planted', reason: ' ' }, ['reason: required']],
    ['a reason that cannot be stored', { status: 'planted', reason: 'a\u0000b' }, ['reason: invalid']],
    ['a reason too long', { status: 'planted', reason: 'x'.repeat(1001) }, ['reason: too-long']],
  ])('refuses %s', async (_what, body, errors) => {
    const id = await desk.paidOrder();
    expect(wrongField(await desk.setStatus(id, body))).toEqual({
      status: 422,
      type: 'validation-failed',
      errors,
    });
    expect((await desk.read(id)).body.order.revision).toBe(0);
  });

  test('is refused for a transfer that nobody has approved', async () => {
    const id = newOrderId();
    await orders.publish(submitted(id));
    await orders.order(id);
    const { status, body } = await desk.setStatus(id, { status: 'planted' });
    expect({ status, type: body.type }).toEqual({ status: 409, type: 'order-unpaid' });
  });

  test('finds nothing by an id that no order has', async () => {
    expect((await desk.setStatus(newOrderId(), { status: 'planted' })).status).toBe(404);
    expect((await desk.setStatus('nonsense', { status: 'planted' })).status).toBe(404);
  });

  test('and a worker’s step at once: every revision is one step, and each begins where the last ended', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await desk.paidOrder();
      await orders.publish(assigned(id));
      await orders.order(id, (order) => order.status === 'assigned');
      const [answer] = await Promise.all([
        desk.setStatus(id, { status: round % 2 ? 'completed' : 'pending' }),
        orders.publish(planted(id)),
      ]);
      expect(answer.status).toBe(200);
      const { status, revision } = answer.body.order;
      const order = await orders.order(id, (one) => one.revision >= revision);
      await waitFor(() => saidOf(id).length === order.revision);
      const steps = saidOf(id).map(({ data }) => data as { from: string; to: string });
      expect(steps.map(({ from }) => from)).toEqual(['pending', ...steps.slice(0, -1).map(({ to }) => to)]);
      // Whoever came first, the admin's word stands: a worker's step on an older revision is stale.
      expect(order.status).toBe(status);
    }
  });
});
