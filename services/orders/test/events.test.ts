import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANA, assigned, completed, minute, payment, photo, planted } from './builders.ts';
import { enveloped, openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

/** A paid order that the service has stored. */
async function paidOrder(overrides: Parameters<typeof payment>[0] = {}): Promise<string> {
  const event = payment(overrides);
  await orders.publish(event);
  await orders.order(event.data.orderId);
  return event.data.orderId;
}

const statusOf = (orderId: string, status: string) =>
  orders.order(orderId, (order) => order.status === status);

/** What the service said of an order, oldest first. */
const saidOf = (orderId: string) =>
  orders.probe
    .all('order.status_changed')
    .filter((event) => event.key === orderId)
    .map(({ data }) => `${data.statusRevision}: ${data.from} → ${data.to} by ${data.by.role}`);

/** How often events of a type were handled, as operators see it. */
async function handled(type: string, outcome: string): Promise<number> {
  const text = await (await fetch(`${orders.service.url}/metrics`)).text();
  const line = text
    .split('\n')
    .find(
      (one) => one.startsWith('events_handled_total') && one.includes(`"${type}"`) && one.includes(outcome),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('payment.succeeded', () => {
  test('makes the order and tells of it, under the correlation id of the payment', async () => {
    const event = enveloped(payment());
    await orders.publish(event);
    const created = await orders.probe.next('order.created', ({ key }) => key === event.key);
    expect(created).toMatchObject({ correlationId: event.correlationId, causationId: event.id, sequence: 1 });
    expect(created.data).toMatchObject({
      orderId: event.key,
      status: 'pending',
      statusRevision: 0,
      trees: 5,
    });
    expect(await orders.order(event.key)).toMatchObject({ status: 'pending', revision: 0, photos: [] });
  });

  test('delivered twice, or said twice of one order, makes one order and one event', async () => {
    const event = enveloped(payment());
    await orders.publish(event);
    const before = await orders.order(event.key);
    const done = await handled('payment.succeeded', 'done');
    await orders.publish(event, payment({ orderId: event.key, trees: 20, packageType: 'patch' }));
    await waitFor(async () => (await handled('payment.succeeded', 'done')) >= done + 2);
    expect(await orders.order(event.key)).toEqual(before);
    expect(orders.probe.all('order.created').filter(({ key }) => key === event.key)).toHaveLength(1);
  });
});

describe('the steps of the field', () => {
  test('move the order from pending to completed, one event each', async () => {
    const orderId = await paidOrder();
    await orders.publish(assigned(orderId));
    expect(await statusOf(orderId, 'assigned')).toMatchObject({
      ...{ revision: 1, assignedDate: minute(1), assignedWorker: ANA },
    });
    await orders.publish(planted(orderId, { coordinates: { latitude: 4.637, longitude: -75.57 } }));
    expect(await statusOf(orderId, 'planted')).toMatchObject({
      ...{ revision: 2, plantingDate: minute(20), location: 'Finca La Esperanza, Salento' },
      coordinates: { latitude: 4.637, longitude: -75.57 },
    });
    await orders.publish(completed(orderId, { notes: 'All well' }));
    expect(await statusOf(orderId, 'completed')).toMatchObject({
      ...{ revision: 3, completionDate: minute(50), notes: 'All well' },
    });
    await orders.probe.next(
      'order.status_changed',
      ({ key, data }) => key === orderId && data.to === 'completed',
    );
    expect(saidOf(orderId)).toEqual([
      '1: pending → assigned by system',
      '2: assigned → planted by worker',
      '3: planted → completed by worker',
    ]);
  });

  test('that overtake each other and the payment find their turn; operators see that they waited', async () => {
    const event = payment();
    const { orderId } = event.data;
    const failedBefore = await handled('order.completed', 'failed');
    await orders.publish(completed(orderId));
    await waitFor(async () => (await handled('order.completed', 'failed')) > failedBefore);
    await orders.publish(planted(orderId), assigned(orderId), event);
    expect(await statusOf(orderId, 'completed')).toMatchObject({
      ...{ assignedDate: minute(1), plantingDate: minute(20), completionDate: minute(50), revision: 3 },
    });
    expect(await orders.platform.bus.deadLetters('orders')).toEqual([]);
  });

  test('of a loser who decided on the same revision are refused', async () => {
    const orderId = await paidOrder();
    await orders.publish(assigned(orderId));
    const before = await statusOf(orderId, 'assigned');
    const done = await handled('order.assigned', 'done');
    const luis = { ...ANA, workerId: 'worker-luis', name: 'Luis Mora' };
    await orders.publish(assigned(orderId, { worker: luis, at: minute(2) }));
    await waitFor(async () => (await handled('order.assigned', 'done')) > done);
    expect(await orders.order(orderId)).toEqual(before);
    expect(saidOf(orderId)).toHaveLength(1);
  });

  test('delivered again and again move the order once', async () => {
    const orderId = await paidOrder();
    const step = enveloped(assigned(orderId));
    await orders.publish(step);
    const before = await statusOf(orderId, 'assigned');
    const done = await handled('order.assigned', 'done');
    for (const count of [1, 2, 3]) {
      await orders.publish(step);
      await waitFor(async () => (await handled('order.assigned', 'done')) >= done + count);
    }
    expect(await orders.order(orderId)).toEqual(before);
    expect(saidOf(orderId)).toHaveLength(1);
  });
});

describe('photo.uploaded', () => {
  test('adds a photo before the planting is known, and gives the order its place', async () => {
    const orderId = await paidOrder();
    const coordinates = { latitude: 4.6, longitude: -75.5 };
    await orders.publish(photo(orderId, { coordinates, takenAt: minute(29) }));
    expect(await orders.order(orderId, (order) => order.photos.length > 0)).toMatchObject({
      ...{ status: 'pending', photoDate: minute(30), coordinates },
      photos: [
        {
          ...{ filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg', width: 1600, height: 1200, coordinates },
          ...{ takenAt: minute(29), uploadedAt: minute(30) },
        },
      ],
    });
  });

  test('of an order that is not there yet waits for it', async () => {
    const event = payment();
    const failedBefore = await handled('photo.uploaded', 'failed');
    await orders.publish(photo(event.data.orderId));
    await waitFor(async () => (await handled('photo.uploaded', 'failed')) > failedBefore);
    await orders.publish(event);
    expect((await orders.order(event.data.orderId, (order) => order.photos.length > 0)).photos).toHaveLength(
      1,
    );
  });

  test('delivered twice, or said twice of one photo, adds it once', async () => {
    const orderId = await paidOrder();
    const first = enveloped(photo(orderId));
    await orders.publish(first);
    await orders.order(orderId, (order) => order.photos.length > 0);
    await orders.publish(
      first,
      photo(orderId),
      photo(orderId, { photoId: 'photo-2', uploadedAt: minute(31) }),
    );
    const { photos, timeline } = await orders.order(orderId, (order) => order.photos.length > 1);
    expect(photos).toHaveLength(2);
    expect(timeline.filter((entry) => entry.type === 'photo')).toHaveLength(2);
  });
});
