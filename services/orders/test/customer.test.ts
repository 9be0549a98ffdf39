import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import {
  TEST_CERTIFICATES,
  TEST_ORDER_TOKEN_SECRET,
  testOrderToken,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
// Loading it here takes none of the time of the first call that needs it.
import '../documents/page.ts';
import type { OrdersConfig } from '../config.ts';
import { startOrders } from '../service.ts';
import { assigned, completed, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { approved, growthBought, growthScheduled, refunded, rejected, submitted } from './event-builders.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

describe('customer', () => {
  const ALBA = { email: 'alba@mail.test', name: 'Alba Díaz' };

  /** Alba's: five completed with growth updates, twenty refunded, one pending transfer, one rejected transfer. */
  const done = payment({ customer: ALBA, paidAt: minute(0) }).data;

  const back = payment({ customer: ALBA, paidAt: minute(10), trees: 20, packageType: 'patch' }).data;

  const transferOf = (orderId: string, at: number) =>
    submitted(orderId, { customer: ALBA, submittedAt: minute(at) });

  const announced = transferOf(newOrderId(), 20).data as { orderId: string; orderToken: string };

  const refused = transferOf(newOrderId(), 30).data as { orderId: string; orderToken: string };

  const brunos = payment({ customer: { email: 'bruno@mail.test', name: 'Bruno Gil' } }).data;

  beforeAll(async () => {
    const { orderId } = done;
    for (const data of [done, back, brunos]) await orders.publish({ type: 'payment.succeeded', data });
    await orders.publish(
      { type: 'payment.submitted', data: announced } as never,
      { type: 'payment.submitted', data: refused } as never,
    );
    await orders.publish(
      assigned(orderId),
      planted(orderId, { coordinates: { latitude: 4.637214, longitude: -75.487031 } }),
      completed(orderId),
      photo(orderId),
      growthBought(orderId),
      growthScheduled(orderId),
      rejected(refused.orderId),
      refunded(back.orderId),
    );
    await orders.order(
      orderId,
      (one) => one.status === 'completed' && one.growth?.[0]?.visits.length === 3 && one.photos.length === 1,
    );
    await orders.order(back.orderId, ({ withdrawn }) => withdrawn === true);
    await orders.order(
      refused.orderId,
      ({ manualPayment }) => manualPayment?.verificationStatus === 'rejected',
    );
    await orders.order(announced.orderId);
    await orders.order(brunos.orderId);
  });

  const tokenOf = (email: string, emailVerified = true) =>
    orders.identity.token({ role: 'customer', email, emailVerified });

  const newestFirst = [refused.orderId, announced.orderId, back.orderId, done.orderId];

  const idsOf = (body: { orders: { _id: string }[] }) => body.orders.map(({ _id }) => _id);

  describe('GET /api/customers/orders', () => {
    const list = async (email: string, query: Record<string, string | number> = {}) =>
      orders.call('GET /api/customers/orders', { query, token: await tokenOf(email) });

    test('lists all of one’s own, with photos, growth updates and refunds', async () => {
      const { status, body } = await list('Alba@Mail.test');
      expect(status).toBe(200);
      expect(ordersEndpoints['GET /api/customers/orders'].response.parse(body)).toEqual(body);
      expect(idsOf(body)).toEqual(newestFirst);
      const [transferRefused, transferAnnounced, withdrawn, planting] = body.orders;
      expect(transferRefused.manualPayment).toMatchObject({
        verificationStatus: 'rejected',
        rejectionReason: 'No such transfer',
        referenceNumber: 'ARB-7F3A',
      });
      expect(transferAnnounced.manualPayment.verificationStatus).toBe('pending');
      expect(withdrawn).toMatchObject({ withdrawn: true, refundedAmount: 8_230_000 });
      expect(planting).toMatchObject({
        status: 'completed',
        customerName: 'Alba Díaz',
        customerEmail: 'alba@mail.test',
        growth: [
          { photoPackageType: 'first_year', visits: [{ number: 1, of: 3 }, { number: 2 }, { number: 3 }] },
        ],
      });
      expect(planting.photos).toHaveLength(1);
      expect(planting.growth[0].visits[0].dueAt).toMatch(/^\d{4}-/);
    });

    test('counts all ordered trees, and as planted only paid ones in the ground', async () => {
      expect((await list('alba@mail.test')).body.stats).toEqual({
        totalTrees: 10,
        totalOrders: 2,
        treesPlanted: 5,
        carbonOffset: 110,
      });
    });

    test('pages without a gap; tiles count all orders', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await list('alba@mail.test', { limit: 3, ...(cursor && { cursor }) });
        seen.push(...idsOf(body));
        expect(body.stats.totalOrders).toBe(2);
        cursor = body.nextCursor;
      } while (cursor && seen.length < 10);
      expect(seen).toEqual(newestFirst);
    });

    test.each([
      ['limit', { limit: 0 }, 'too-small'],
      ['limit', { limit: 101 }, 'too-big'],
      ['cursor', { cursor: 'damaged' }, 'invalid'],
    ])('refuses a wrong %s: %p', async (path, query, type) => {
      const { status, body } = await list('alba@mail.test', query);
      expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path, type }] });
    });

    test('shows and counts nothing until the address is verified', async () => {
      const token = await tokenOf('alba@mail.test', false);
      const { body } = await orders.call('GET /api/customers/orders', { token });
      expect(body).toEqual({
        orders: [],
        emailVerified: false,
        stats: { totalTrees: 0, totalOrders: 0, treesPlanted: 0, carbonOffset: 0 },
      });
    });
  });

  describe('GET /api/customers/orders/places', () => {
    const placesOf = async (email: string, emailVerified = true) =>
      orders.call('GET /api/customers/orders/places', { token: await tokenOf(email, emailVerified) });

    test('gives the places of one’s own trees, and none of orders without coordinates', async () => {
      const { status, body } = await placesOf('alba@mail.test');
      expect(status).toBe(200);
      expect(ordersEndpoints['GET /api/customers/orders/places'].response.parse(body)).toEqual(body);
      expect(body.places).toEqual([
        expect.objectContaining({ _id: done.orderId, trees: 5, coordinates: expect.anything() }),
      ]);
    });

    test('gives none until the address is verified', async () => {
      expect((await placesOf('alba@mail.test', false)).body).toEqual({ places: [] });
    });
  });

  describe('GET /api/customers/orders/export', () => {
    const exported = async (email: string, emailVerified = true) =>
      orders.call('GET /api/customers/orders/export', { token: await tokenOf(email, emailVerified) });

    test('gives all data of the customer, from their own orders only', async () => {
      const { status, body, headers } = await exported('alba@mail.test');
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(ordersEndpoints['GET /api/customers/orders/export'].response.parse(body)).toEqual(body);
      expect(idsOf(body)).toEqual(newestFirst);
      expect(body.orders[3]).toMatchObject({
        customerPhone: '+57 300 1234567',
        customerCountry: 'CO',
        growthPurchases: [{ photoPackageType: 'first_year', amount: 1500, currency: 'USD' }],
      });
      expect(body.orders[2].refunds).toMatchObject([{ amount: 8_230_000, reason: 'Bought twice' }]);
      expect(body.orders[1].evidenceFiles).toEqual([{ originalName: 'recibo María.jpg', fileSize: 1234 }]);
      expect(JSON.stringify(body)).not.toContain('Bruno');
    });

    test('is empty for a customer without orders or without a verified address', async () => {
      expect((await exported('nobody@mail.test')).body.orders).toEqual([]);
      expect((await exported('alba@mail.test', false)).body.orders).toEqual([]);
    });
  });

  describe('GET /api/customers/orders/{id}/receipt', () => {
    const receipt = async (id: string, email = 'alba@mail.test', query: Record<string, string> = {}) =>
      orders.call('GET /api/customers/orders/{id}/receipt', {
        params: { id },
        query,
        token: await tokenOf(email),
      });

    test('is a deterministic PDF', async () => {
      const [first, second] = [await receipt(done.orderId), await receipt(done.orderId)];
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe('application/pdf');
      expect(first.headers.get('content-disposition')).toMatch(
        /^attachment; filename="?arboleda-recibo-\w{6}\.pdf"?$/,
      );
      expect(first.headers.get('cache-control')).toBe('private, no-store');
      expect(first.body.subarray(0, 5).toString()).toBe('%PDF-');
      expect(first.body.equals(second.body)).toBe(true);
    });

    test('comes in the requested language', async () => {
      const english = await receipt(done.orderId, 'alba@mail.test', { language: 'en' });
      expect(english.headers.get('content-disposition')).toContain('arboleda-receipt-');
      expect((await receipt(done.orderId, 'alba@mail.test', { language: 'de' })).status).toBe(422);
    });

    test('exists for refunded orders, and for a transfer once it is approved', async () => {
      expect((await receipt(back.orderId)).status).toBe(200);
      const found = newOrderId();
      await orders.publish(submitted(found, { customer: ALBA }), approved(found, { customer: ALBA }));
      await orders.order(found, ({ manualPayment }) => manualPayment?.verificationStatus === 'approved');
      expect((await receipt(found)).status).toBe(200);
    });

    test.each([
      ['a pending transfer', announced.orderId, 'alba@mail.test'],
      ['a transfer that was refused', refused.orderId, 'alba@mail.test'],
      ['another person’s order', brunos.orderId, 'alba@mail.test'],
      ['an order that is not', newOrderId(), 'alba@mail.test'],
      ['something that is no id', 'receipt', 'alba@mail.test'],
    ])('does not exist for %s', async (_what, id, email) => {
      const { status, body } = await receipt(id, email);
      expect({ status, type: body.type }).toEqual({ status: 404, type: 'not-found' });
    });

    test('does not exist until the address is verified', async () => {
      const token = await tokenOf('alba@mail.test', false);
      const answer = await orders.call('GET /api/customers/orders/{id}/receipt', {
        params: { id: done.orderId },
        token,
      });
      expect(answer.status).toBe(404);
    });
  });

  describe('the private link of a transfer', () => {
    const track = (token: string) => orders.call('GET /api/track/{token}', { params: { token } });

    test('shows the state of its verification, but not an admin’s message to the donor', async () => {
      expect((await track(announced.orderToken)).body.manualPayment).toMatchObject({
        verificationStatus: 'pending',
        evidenceCount: 1,
      });
      const { body } = await track(refused.orderToken);
      expect(body.manualPayment.verificationStatus).toBe('rejected');
      expect(JSON.stringify(body)).not.toContain('No such transfer');
    });

    test('shows no full name, and neither card nor files nor reference of the transfer', async () => {
      const { body } = await track(refused.orderToken);
      expect(body.customerName).toBe('Alba');
      expect(JSON.stringify(body)).not.toMatch(/@|Díaz|300 1234567|evidenceFiles|recibo|ARB-7F3A|Lucía/);
    });

    test('shows the dates of growth updates', async () => {
      const { body } = await track(done.orderToken);
      expect(body.growth[0].visits).toHaveLength(3);
      expect(body.growth[0]).not.toHaveProperty('amount');
    });
  });

  test.each([
    'GET /api/customers/orders',
    'GET /api/customers/orders/places',
    'GET /api/customers/orders/export',
    'GET /api/customers/orders/{id}/receipt',
  ] as const)('%s is for customers alone', async (key) => {
    const params = { id: done.orderId };
    expect((await orders.call(key, { params })).status).toBe(401);
    for (const role of ['worker', 'admin'] as const) {
      const token = await orders.identity.token({ role, email: 'alba@mail.test' });
      expect((await orders.call(key, { params, token })).status).toBe(403);
    }
  });
});

describe('live changes', () => {
  async function paidOrder(email = 'alba@mail.test') {
    const event = payment({ customer: { email, name: 'Alba Díaz' } });
    await orders.publish(event);
    await orders.order(event.data.orderId);
    return event.data;
  }

  const tokenOf = (email: string, emailVerified = true) =>
    orders.identity.token({ role: 'customer', id: email, email, emailVerified });

  const listen = (path: string, token?: string, url = orders.service.url) =>
    listenTo(url, path, token === undefined ? {} : { token });

  const isAssigned = (orderId: string) => (message: { orderId: string; status: string }) =>
    message.orderId === orderId && message.status === 'assigned';

  /** A second process on the same engines without events: it only reads the store. */
  async function startReplica() {
    const { databaseUrl } = orders.platform;
    const platform = await openTestPlatform({ databaseUrl });
    const config: OrdersConfig = {
      ...testServiceConfig({ databaseUrl, jwksUrl: orders.identity.jwksUrl }),
      orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
      statsBaselineTrees: 0,
      statsCacheMs: 20,
      organisation: ORGANISATION,
      ...TEST_CERTIFICATES,
    };
    const silent = { ...platform, bus: { ...platform.bus, subscribe: async () => {} } };
    const service = await startOrders(config, { platform: silent });
    return {
      url: service.url,
      stop: () => service.close(),
      async close() {
        await service.close();
        await platform.close();
      },
    };
  }

  describe('a change of an order', () => {
    test('is sent to listeners by link, to its customer and to admins, without personal data', async () => {
      const order = await paidOrder();
      const everybody = await Promise.all([
        listen(`/api/track/${order.orderToken}/events`),
        listen('/api/customers/orders/events', await tokenOf('ALBA@mail.test')),
        listen('/api/admin/orders/events', orders.adminToken),
      ]);
      await orders.publish(assigned(order.orderId));
      for (const one of everybody) {
        const message = await waitFor(() => one.received.find(isAssigned(order.orderId)));
        expect(message).toEqual({
          orderId: order.orderId,
          status: 'assigned',
          revision: 1,
          updatedAt: expect.any(String),
        });
        expect(one.headers.get('content-type')).toMatch(/^text\/event-stream/);
        expect(one.text()).not.toMatch(/@|Alba|Díaz|300 1234567/);
        await one.leave();
      }
    });

    test('made by one replica is sent by another', async () => {
      const replica = await startReplica();
      const order = await paidOrder();
      const there = await listen(`/api/track/${order.orderToken}/events`, undefined, replica.url);
      await orders.publish(assigned(order.orderId));
      await waitFor(() => there.received.find(isAssigned(order.orderId)));
      await there.leave();
      await replica.close();
    });

    test('is not sent to others', async () => {
      const [theirs, other] = [await paidOrder('alba@mail.test'), await paidOrder('bruno@mail.test')];
      const strangers = await Promise.all([
        listen(`/api/track/${other.orderToken}/events`),
        listen('/api/customers/orders/events', await tokenOf('bruno@mail.test')),
        listen('/api/customers/orders/events', await tokenOf('alba@mail.test', false)),
      ]);
      const admin = await listen('/api/admin/orders/events', orders.adminToken);
      await orders.publish(assigned(theirs.orderId));
      await waitFor(() => admin.received.find(isAssigned(theirs.orderId)));
      for (const one of strangers) {
        expect(one.received.filter(({ orderId }) => orderId === theirs.orderId)).toEqual([]);
        await one.leave();
      }
      await admin.leave();
    });

    test('is sent when the money of a transfer is found, too', async () => {
      const { data } = payment();
      const order = submitted(data.orderId);
      await orders.publish(order);
      const { orderToken } = order.data as { orderToken: string };
      const guest = await waitFor(async () => {
        const one = await listen(`/api/track/${orderToken}/events`);
        return one.status === 200 && one;
      });
      await orders.publish(approved(data.orderId));
      await waitFor(() => guest.received.length > 0);
      await guest.leave();
    });
  });

  describe('listening', () => {
    test('ends when the service stops, so that listeners reconnect elsewhere', async () => {
      const replica = await startReplica();
      const order = await paidOrder();
      const guest = await listen(`/api/track/${order.orderToken}/events`, undefined, replica.url);
      await replica.stop();
      await guest.ended;
      expect(guest.status).toBe(200);
      await replica.close();
    });

    test.each([
      ['/api/customers/orders/events', 'customer'],
      ['/api/admin/orders/events', 'admin'],
    ] as const)('to %s is for the %s alone', async (path, allowed) => {
      expect((await listen(path)).status).toBe(401);
      for (const role of (['customer', 'worker', 'admin'] as const).filter((one) => one !== allowed)) {
        expect((await listen(path, await orders.identity.token({ role }))).status).toBe(403);
      }
    });

    test('by an unknown link finds nothing', async () => {
      expect((await listen(`/api/track/${testOrderToken(newOrderId())}/events`)).status).toBe(404);
    });

    test('is limited per address, which operators can see', async () => {
      const order = await paidOrder();
      const path = `/api/track/${order.orderToken}/events`;
      const many = await Promise.all(Array.from({ length: 20 }, () => listen(path)));
      expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      const next = await listen(path);
      expect(next.status).toBe(429);
      expect(next.headers.get('retry-after')).toBe('15');
      const figures = await (await fetch(`${orders.service.url}/metrics`)).text();
      expect(figures).toMatch(/^live_listeners\{service="orders"\} 20$/m);
      await Promise.all(many.map((one) => one.leave()));
      await waitFor(async () => {
        const one = await listen(path);
        await one.leave();
        return one.status === 200;
      });
    });
  });
});
