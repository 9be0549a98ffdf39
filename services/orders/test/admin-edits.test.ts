import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assigned, minute, newOrderId } from './builders.ts';
import { type Desk, openDesk, wrongField } from './desk.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
let desk: Desk;
beforeAll(async () => {
  orders = await openOrders();
  desk = openDesk(orders);
});
afterAll(() => orders.close());

const saidOf = (orderId: string) =>
  orders.probe.all('order.updated').filter((event) => event.key === orderId);

describe('PUT /api/admin/orders/{id}', () => {
  const coordinates = { latitude: 4.637, longitude: -75.57 };
  const all = {
    ...{
      trees: 7,
      amount: 3500,
      currency: 'USD',
      customerEmail: 'Maria@New.test',
      customerName: 'María Pérez',
    },
    ...{ location: 'Finca La Esperanza', coordinates, notes: 'Call first' },
  };

  test('edits every field of the form, and tells those who keep copies', async () => {
    const id = await desk.paidOrder();
    const { status, body, headers } = await desk.edit(id, all);
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ ...all, customerEmail: 'maria@new.test', version: 2, revision: 0 });
    expect(headers.get('ETag')).toBe('"2"');
    expect((await desk.read(id)).body).toEqual(body);
    const { data } = await orders.probe.next('order.updated', ({ key }) => key === id);
    expect(data).toMatchObject({
      ...{ trees: 7, amountMinor: 3500, currency: 'USD', notes: 'Call first', by: { role: 'admin' } },
      customer: { name: 'María Pérez', email: 'maria@new.test', phone: '+57 300 1234567' },
    });
    expect(body.order.timeline.at(-1).changes).toContainEqual({ field: 'trees', from: 5, to: 7 });
  });

  test('leaves what is not named, and says nothing when nothing changes', async () => {
    const id = await desk.paidOrder();
    const before = (await desk.read(id)).body;
    expect((await desk.edit(id, {})).body).toEqual(before);
    expect((await desk.edit(id, { trees: 5 })).body).toEqual(before);
    expect((await desk.edit(id, { notes: 'Steep', unknown: 1 })).body.order).toMatchObject({
      trees: 5,
      notes: 'Steep',
    });
    expect((await desk.edit(id, { notes: '' })).body.order).not.toHaveProperty('notes');
    await waitFor(() => saidOf(id).length === 2);
  });

  test('moves an order to the portal of its new address', async () => {
    const id = await desk.paidOrder({ customer: { email: 'typo@mail.test' } });
    await desk.edit(id, { customerEmail: 'right@mail.test' });
    const own = async (email: string) => {
      const token = await orders.identity.token({ role: 'customer', email, emailVerified: true });
      return (await orders.call('GET /api/customers/orders', { token })).body.orders.length;
    };
    expect([await own('typo@mail.test'), await own('right@mail.test')]).toEqual([0, 1]);
  });

  test.each([
    ['no tree', { trees: 0 }, 'trees: too-small'],
    ['half a tree', { trees: 1.5 }, 'trees: not-an-integer'],
    ['a negative amount', { amount: -1 }, 'amount: too-small'],
    ['half a cent', { amount: 0.5 }, 'amount: not-an-integer'],
    ['an unknown currency', { currency: 'XYZ' }, 'currency: unknown-value'],
    ['a wrong address', { customerEmail: 'nobody' }, 'customerEmail: invalid-email'],
    ['no name', { customerName: '' }, 'customerName: required'],
    ['a name that cannot be stored', { customerName: 'a\u0000' }, 'customerName: invalid'],
    [
      'a place outside the world',
      { coordinates: { latitude: 91, longitude: 0 } },
      'coordinates.latitude: too-big',
    ],
    ['half a place', { coordinates: { latitude: 1 } }, 'coordinates.longitude: required'],
    ['notes too long', { notes: 'x'.repeat(5001) }, 'notes: too-long'],
    ['half a letter', { location: '\ud800' }, 'location: invalid'],
  ])('refuses %s, and changes nothing', async (_what, body, error) => {
    const id = await desk.paidOrder();
    const answer = await desk.edit(id, { ...body, ...(!('trees' in body) && { trees: 9 }) });
    expect(wrongField(answer)).toEqual({ status: 422, type: 'validation-failed', errors: [error] });
    expect((await desk.read(id)).body.order).toMatchObject({ trees: 5, version: 1 });
  });

  test('of the version that was read: an edit of another is refused', async () => {
    const id = await desk.paidOrder();
    const etag = (await desk.read(id)).headers.get('ETag')!;
    expect(etag).toBe('"1"');
    const headers = { 'If-Match': etag };
    expect((await desk.edit(id, { trees: 6 }, { headers })).status).toBe(200);
    const { status, body } = await desk.edit(id, { trees: 7 }, { headers });
    expect({ status, type: body.type }).toEqual({ status: 412, type: 'precondition-failed' });
    expect((await desk.edit(id, { trees: 8 }, { headers: { 'If-Match': '"2"' } })).status).toBe(200);
    expect((await desk.edit(id, { trees: 9 }, { headers: { 'If-Match': '*' } })).status).toBe(200);
    expect((await desk.read(id)).body.order).toMatchObject({ trees: 9, version: 4 });
  });

  test('by many at once with what they read: one is taken', async () => {
    const id = await desk.paidOrder();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        desk.edit(id, { trees: 100 + n }, { headers: { 'If-Match': '"1"' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
    const won = answers.find(({ status }) => status === 200)!.body.order.trees;
    expect((await desk.read(id)).body.order).toMatchObject({ trees: won, version: 2 });
  });

  test('by many at once without: each is taken, none is lost from the history', async () => {
    const id = await desk.paidOrder();
    const edits = [{ trees: 50 }, { notes: 'Steep' }, { location: 'Salento' }, { amount: 1 }];
    const answers = await Promise.all(edits.map((body) => desk.edit(id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { order } = (await desk.read(id)).body;
    expect(order).toMatchObject({ trees: 50, notes: 'Steep', location: 'Salento', amount: 1, version: 5 });
    expect(order.timeline.filter(({ type }: { type: string }) => type === 'edited')).toHaveLength(4);
  });

  test('is not kept from being done by news that have nothing to do with it', async () => {
    const id = await desk.paidOrder();
    await orders.publish(assigned(id, { at: minute(1) }));
    await orders.order(id, (order) => order.status === 'assigned');
    expect((await desk.edit(id, { trees: 6 }, { headers: { 'If-Match': '"1"' } })).status).toBe(200);
  });

  test('finds nothing by an id that no order has', async () => {
    expect((await desk.edit(newOrderId(), { trees: 1 })).status).toBe(404);
  });
});
