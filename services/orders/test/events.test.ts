import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANA, assigned, completed, minute, payment, photo, planted } from './builders.ts';
import { enveloped, openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

describe('events', () => {
  /** A paid order that the service has stored. */
  async function paidOrder(overrides: Parameters<typeof payment>[0] = {}): Promise<string> {
    const event = payment(overrides);
    await orders.publish(event);
    await orders.order(event.data.orderId);
    return event.data.orderId;
  }

  const statusOf = (orderId: string, status: string) =>
    orders.order(orderId, (order) => order.status === status);

  /** Events that orders published about an order, oldest first. */
  const saidOf = (orderId: string) =>
    orders.probe
      .all('order.status_changed')
      .filter((event) => event.key === orderId)
      .map(({ data }) => `${data.statusRevision}: ${data.from} → ${data.to} by ${data.by.role}`);

  /** Handled events of a type, from the metrics. */
  async function handled(type: string, outcome: string): Promise<number> {
    const text = await (await fetch(`${orders.service.url}/metrics`)).text();
    const line = text
      .split('\n')
      .find(
        (one) => one.startsWith('events_handled_total') && one.includes(`"${type}"`) && one.includes(outcome),
      );
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  /** Delivers one event several times; the bus itself would drop a repeated id while it keeps the first. */
  async function deliverAgain(event: ArboledaEvent, times: number): Promise<void> {
    const done = await handled(event.type, 'done');
    await waitFor(async () => {
      await orders.publish(event);
      return (await handled(event.type, 'done')) >= done + times;
    });
  }

  describe('payment.succeeded', () => {
    test('makes the order and publishes it under the correlation id of the payment', async () => {
      const event = enveloped(payment());
      await orders.publish(event);
      const created = await orders.probe.next('order.created', ({ key }) => key === event.key);
      expect(created).toMatchObject({
        correlationId: event.correlationId,
        causationId: event.id,
        sequence: 1,
      });
      expect(created.data).toMatchObject({
        orderId: event.key,
        status: 'pending',
        statusRevision: 0,
        trees: 5,
      });
      expect(await orders.order(event.key)).toMatchObject({ status: 'pending', revision: 0, photos: [] });
    });

    test('makes one order and one event when it is delivered or published twice', async () => {
      const event = enveloped(payment());
      await orders.publish(event);
      const before = await orders.order(event.key);
      await deliverAgain(event, 1);
      await deliverAgain(enveloped(payment({ orderId: event.key, trees: 20, packageType: 'patch' })), 1);
      expect(await orders.order(event.key)).toEqual(before);
      expect(orders.probe.all('order.created').filter(({ key }) => key === event.key)).toHaveLength(1);
    });
  });

  describe('a step of a former worker', () => {
    test('is in the history once, and in the overview until the trees are planted', async () => {
      const orderId = await paidOrder();
      await orders.publish(assigned(orderId));
      await statusOf(orderId, 'assigned');
      const late = {
        type: 'order.late_step',
        data: {
          orderId,
          assignmentId: 'assignment-1',
          worker: { workerId: 'former', name: 'Luz' },
          step: 'planted',
          notes: 'By the stream',
          coordinates: { latitude: 4.637, longitude: -75.57 },
          at: minute(15),
        },
      } as const;
      await orders.publish(late, { ...late, data: { ...late.data, at: minute(16) } });
      const reports = async () => {
        const { body } = await orders.call('GET /api/admin/overview', { token: orders.adminToken });
        return body.reports.filter((one: { orderId: string }) => one.orderId === orderId);
      };
      await waitFor(async () => (await reports()).length > 0);
      expect(await reports()).toMatchObject([{ worker: 'Luz', step: 'planted', at: minute(15) }]);
      const { timeline, status, flagged } = await orders.order(orderId);
      expect({ status, flagged }).toEqual({ status: 'assigned', flagged: true });
      expect(timeline.filter(({ type }: { type: string }) => type === 'reported')).toMatchObject([
        { to: 'planted', by: { name: 'Luz' }, note: 'By the stream · 4.637, -75.57' },
      ]);
      await orders.publish(planted(orderId));
      await statusOf(orderId, 'planted');
      await waitFor(async () => (await reports()).length === 0);
    });
  });

  describe('the steps of a worker', () => {
    test('move the order from pending to completed, one event each', async () => {
      const orderId = await paidOrder();
      await orders.publish(assigned(orderId));
      expect(await statusOf(orderId, 'assigned')).toMatchObject({
        revision: 1,
        assignedDate: minute(1),
        assignedWorker: ANA,
      });
      await orders.publish(planted(orderId, { coordinates: { latitude: 4.637, longitude: -75.57 } }));
      expect(await statusOf(orderId, 'planted')).toMatchObject({
        revision: 2,
        plantingDate: minute(20),
        location: 'Finca La Esperanza, Salento',
        coordinates: { latitude: 4.637, longitude: -75.57 },
      });
      await orders.publish(completed(orderId, { notes: 'All well' }));
      expect(await statusOf(orderId, 'completed')).toMatchObject({
        revision: 3,
        completionDate: minute(50),
        notes: 'All well',
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

    test('that arrive early are retried in turn, as metrics show', async () => {
      const event = payment();
      const { orderId } = event.data;
      const failedBefore = await handled('order.completed', 'failed');
      await orders.publish(completed(orderId));
      await waitFor(async () => (await handled('order.completed', 'failed')) > failedBefore);
      await orders.publish(planted(orderId), assigned(orderId), event);
      expect(await statusOf(orderId, 'completed')).toMatchObject({
        assignedDate: minute(1),
        plantingDate: minute(20),
        completionDate: minute(50),
        revision: 3,
      });
      expect(await orders.platform.bus.deadLetters('orders')).toEqual([]);
    });

    test('decided on the same revision are refused, except the first', async () => {
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

    test('delivered repeatedly move the order once', async () => {
      const orderId = await paidOrder();
      const step = enveloped(assigned(orderId));
      await orders.publish(step);
      const before = await statusOf(orderId, 'assigned');
      await deliverAgain(step, 3);
      expect(await orders.order(orderId)).toEqual(before);
      expect(saidOf(orderId)).toHaveLength(1);
    });
  });

  describe('photo.uploaded', () => {
    test('adds a photo before the planting, and locates the order', async () => {
      const orderId = await paidOrder();
      const coordinates = { latitude: 4.6, longitude: -75.5 };
      await orders.publish(photo(orderId, { coordinates, takenAt: minute(29) }));
      expect(await orders.order(orderId, (order) => order.photos.length > 0)).toMatchObject({
        status: 'pending',
        photoDate: minute(30),
        coordinates,
        photos: [
          {
            filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
            width: 1600,
            height: 1200,
            coordinates,
            takenAt: minute(29),
            uploadedAt: minute(30),
          },
        ],
      });
    });

    test('waits for its order', async () => {
      const event = payment();
      const failedBefore = await handled('photo.uploaded', 'failed');
      await orders.publish(photo(event.data.orderId));
      await waitFor(async () => (await handled('photo.uploaded', 'failed')) > failedBefore);
      await orders.publish(event);
      expect(
        (await orders.order(event.data.orderId, (order) => order.photos.length > 0)).photos,
      ).toHaveLength(1);
    });

    test('delivered or published twice adds one photo', async () => {
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
});
