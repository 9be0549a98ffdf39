import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANA, assigned, completed, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { type AdminClient, openAdminClient } from './admin-client.ts';
import { enveloped, openOrders, type OrdersFixture } from './fixture.ts';
import * as eventBuilders from './event-builders.ts';

let orders: OrdersFixture;
let adminClient: AdminClient;
beforeAll(async () => {
  orders = await openOrders();
  adminClient = openAdminClient(orders);
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

describe('other events', () => {
  const follow = async (token: string) =>
    (await orders.call('GET /api/track/{token}', { params: { token } })).body;

  const created = (orderId: string) => orders.probe.all('order.created').filter(({ key }) => key === orderId);

  describe('a transfer', () => {
    test('is visible to its buyer only until it is approved; then it is like any order', async () => {
      const orderId = newOrderId();
      await orders.publish(eventBuilders.submitted(orderId, { referenceNumber: `R${orderId}` }));
      const { token, manualPayment } = await orders.order(orderId);
      expect(manualPayment).toEqual({
        verificationStatus: 'pending',
        referenceNumber: `R${orderId}`,
        submittedAt: minute(-60),
        evidenceCount: 1,
        evidenceFiles: [{ filename: 'evidence-1.jpg', originalName: 'recibo María.jpg', fileSize: 1234 }],
      });
      expect(await follow(token)).toMatchObject({
        status: 'pending',
        manualPayment: { verificationStatus: 'pending' },
        timeline: [{ type: 'submitted' }],
      });
      expect(JSON.stringify(await follow(token))).not.toMatch(/recibo|evidence(?!Count)/);
      const listed = async () => (await adminClient.list({ q: `r${orderId}` })).body;
      expect(await listed()).toMatchObject({ orders: [], counts: { all: 0 } });
      expect(created(orderId)).toEqual([]);

      await orders.publish(eventBuilders.approved(orderId, { referenceNumber: `R${orderId}` }));
      await orders.probe.next('order.created', ({ key }) => key === orderId);
      expect(await listed()).toMatchObject({ orders: [{ _id: orderId }], counts: { all: 1, pending: 1 } });
      expect((await orders.order(orderId)).manualPayment).toMatchObject({
        verificationStatus: 'approved',
        decidedBy: eventBuilders.LUCIA,
        decidedAt: minute(0),
      });
    });

    test('that is rejected shows it, and is in no list', async () => {
      const orderId = newOrderId();
      await orders.publish(eventBuilders.rejected(orderId), eventBuilders.submitted(orderId));
      const { token } = await orders.order(
        orderId,
        (order) => order.manualPayment?.verificationStatus === 'rejected',
      );
      expect(await follow(token)).toMatchObject({ manualPayment: { verificationStatus: 'rejected' } });
      expect((await adminClient.list({ q: orderId })).body.orders).toEqual([]);
    });
  });

  describe('a refund', () => {
    test('withdraws an order that nobody has planted, and publishes it', async () => {
      const orderId = await adminClient.paidOrder();
      await orders.publish(eventBuilders.refunded(orderId));
      const order = await orders.order(orderId, (one) => one.withdrawn === true);
      expect(order).toMatchObject({
        status: 'pending',
        revision: 1,
        refundedAmount: 8_230_000,
        refunds: [
          {
            refundId: 'refund-1',
            amount: 8_230_000,
            currency: 'COP',
            reason: 'Bought twice',
            by: eventBuilders.LUCIA,
          },
        ],
      });
      const { data } = await orders.probe.next('order.status_changed', ({ key }) => key === orderId);
      expect(data).toMatchObject({ from: 'pending', to: 'pending', withdrawn: true, statusRevision: 1 });
      expect(await follow(order.token)).toMatchObject({ withdrawn: true, refundedAmount: 8_230_000 });
    });

    test('and a dispute are visible to admins only', async () => {
      const orderId = await adminClient.paidOrder();
      await orders.publish(eventBuilders.disputed(orderId));
      const order = await orders.order(orderId, ({ disputes }) => disputes.length > 0);
      expect(order.disputes).toMatchObject([
        { disputeId: 'dispute-1', status: 'needs_response', amount: 8_230_000 },
      ]);
      expect(order.timeline.at(-1)).toMatchObject({ type: 'disputed', dispute: 'needs_response' });
      expect(JSON.stringify(await follow(order.token))).not.toMatch(/disput|fraud/);
    });
  });

  test('growth updates are shown with their dates, and with photos once completed', async () => {
    const orderId = await adminClient.paidOrder();
    await orders.publish(
      eventBuilders.growthVisited(orderId, 1),
      photo(orderId, { growthVisitId: 'visit-1' }),
      eventBuilders.growthScheduled(orderId),
      eventBuilders.growthBought(orderId),
    );
    const order = await orders.order(
      orderId,
      ({ growth }) => growth?.[0]?.visits[0]?.completedAt !== undefined,
    );
    expect(order.growthPurchases).toMatchObject([
      { purchaseId: 'purchase-1', amount: 1500, currency: 'USD' },
    ]);
    const shown = await follow(order.token);
    expect(shown.growth).toMatchObject([
      { photoPackageType: 'first_year', visits: [{ number: 1, of: 3 }, {}, {}] },
    ]);
    expect(shown.photos).toMatchObject([{ growthUpdate: 1 }]);
  });

  test('a hidden photo is visible to admins only, with actor and reason, until it is shown again', async () => {
    const orderId = await adminClient.paidOrder();
    await orders.publish(eventBuilders.hidden(orderId), photo(orderId, { flags: ['used-elsewhere'] }));
    const order = await orders.order(orderId, ({ photos }) => photos[0]?.hidden !== undefined);
    expect(order.photos).toMatchObject([
      {
        flags: ['used-elsewhere'],
        hidden: { by: eventBuilders.LUCIA, reason: 'A face is on it', at: minute(60) },
      },
    ]);
    const before = await follow(order.token);
    expect(before.photos).toEqual([]);
    expect(before).not.toHaveProperty('photoDate');
    expect(JSON.stringify(before)).not.toMatch(/face|used-elsewhere/);
    await orders.publish(eventBuilders.restored(orderId));
    await waitFor(async () => (await follow(order.token)).photos.length === 1);
  });

  describe('a customer', () => {
    const account = { accountId: 'account-1', at: minute(500) };
    const ofAddress = async (email: string, count: number) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n++)
        ids.push(await adminClient.paidOrder({ customer: { email, name: 'Rosa Luna' } }));
      return ids;
    };

    test('who is erased disappears from all orders of the address, and copies are told to follow', async () => {
      const ids = await ofAddress('Rosa@luna.test', 3);
      const erased = enveloped({
        type: 'customer.erased',
        data: { ...account, email: 'rosa@luna.test', ordersToo: true },
      });
      await orders.publish(erased, erased);
      for (const id of ids) {
        const order = await orders.order(id, ({ customerName }) => customerName === ERASED_CUSTOMER.name);
        expect(JSON.stringify(order)).not.toMatch(/rosa|luna|300 1234567/i);
        const { data } = await orders.probe.next('order.updated', ({ key }) => key === id);
        expect(data).toMatchObject({ customer: ERASED_CUSTOMER, by: { role: 'customer', id: 'account-1' } });
      }
      expect((await adminClient.list({ q: 'rosa' })).body.orders).toEqual([]);
    });

    test('with an unverified address leaves its orders unchanged', async () => {
      const [id] = await ofAddress('unsure@luna.test', 1);
      const marker = await adminClient.paidOrder({ customer: { email: 'marker@luna.test' } });
      await orders.publish(
        { type: 'customer.erased', data: { ...account, email: 'unsure@luna.test', ordersToo: false } },
        { type: 'customer.erased', data: { ...account, email: 'marker@luna.test', ordersToo: true } },
      );
      await orders.order(marker, ({ customerName }) => customerName === ERASED_CUSTOMER.name);
      expect((await orders.order(id!)).customerName).toBe('Rosa Luna');
    });

    test('who changes a verified address finds the orders under the new one', async () => {
      const ids = await ofAddress('old@luna.test', 2);
      const [unproven] = await ofAddress('unproven@luna.test', 1);
      const moved = {
        ...account,
        accountId: 'account-2',
        role: 'customer',
        name: 'Rosa Luna',
        language: 'es',
      } as const;
      await orders.publish(
        {
          type: 'email.changed',
          data: { ...moved, from: 'unproven@luna.test', to: 'new@luna.test', fromVerified: false },
        },
        {
          type: 'email.changed',
          data: { ...moved, from: 'old@luna.test', to: 'new@luna.test', fromVerified: true },
        },
      );
      for (const id of ids) {
        await orders.order(id, ({ customerEmail }) => customerEmail === 'new@luna.test');
        const { data } = await orders.probe.next('order.updated', ({ key }) => key === id);
        expect(data.changed).toEqual(['customer.email']);
      }
      expect((await orders.order(unproven!)).customerEmail).toBe('unproven@luna.test');
    });

    test('who changed the address and was erased stays erased, whichever event comes first', async () => {
      const [id] = await ofAddress('former@luna.test', 1);
      const own = { accountId: 'account-9' };
      await orders.publish({
        type: 'customer.erased',
        data: { ...own, email: 'later@luna.test', ordersToo: true, at: minute(502) },
      });
      await waitFor(async () => (await orders.platform.bus.waiting('orders')) === 0);
      await orders.publish({
        type: 'email.changed',
        data: {
          ...own,
          role: 'customer',
          name: 'Rosa Luna',
          language: 'es',
          fromVerified: true,
          at: minute(501),
          from: 'former@luna.test',
          to: 'later@luna.test',
        },
      });
      const order = await orders.order(id!, ({ customerName }) => customerName === ERASED_CUSTOMER.name);
      expect(JSON.stringify(order)).not.toMatch(/rosa|luna/i);
    });

    test('is erased even while the purchase is on its way', async () => {
      const own = { accountId: 'account-10', email: 'slow@luna.test', ordersToo: true };
      await orders.publish({ type: 'customer.erased', data: { ...own, at: minute(500) } });
      await waitFor(async () => (await orders.platform.bus.waiting('orders')) === 0);
      const [before] = await ofAddress('slow@luna.test', 1);
      await orders.order(before!, ({ customerName }) => customerName === ERASED_CUSTOMER.name);
      const after = payment({
        customer: { email: 'slow@luna.test', name: 'Rosa Luna' },
        paidAt: minute(501),
      });
      await orders.publish(after);
      expect((await orders.order(after.data.orderId)).customerName).toBe('Rosa Luna');
    });
  });
});
