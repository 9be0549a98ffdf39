import { testOrderToken } from '@arboleda/chassis/testing/config.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANA, assigned, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { approved, growthBought, hidden, refunded, rejected, submitted } from './event-builders.ts';

describe('endpoints', () => {
  /** Alba bought twice, once with her address in capitals; the second order's trees are planted. */
  const first = payment({ customer: { email: 'alba@mail.test', name: 'Alba Díaz' }, paidAt: minute(0) }).data;

  const second = payment({
    customer: { email: 'ALBA@Mail.test', name: 'Alba Díaz' },
    paidAt: minute(10),
    trees: 20,
    packageType: 'patch',
  }).data;

  const third = payment({
    customer: { email: 'bruno@mail.test', name: 'Bruno Gil' },
    paidAt: minute(20),
  }).data;

  /** At the same instant as the third. */
  const fourth = payment({ customer: { email: 'carla@mail.test', name: 'Carla' }, paidAt: minute(20) }).data;

  let orders: OrdersFixture;

  beforeAll(async () => {
    orders = await openOrders();
    for (const data of [first, second, third, fourth]) {
      await orders.publish({ type: 'payment.succeeded', data });
      await orders.order(data.orderId);
    }
    await orders.publish(
      assigned(second.orderId, { at: minute(11) }),
      planted(second.orderId),
      photo(second.orderId),
    );
    await orders.order(second.orderId, (order) => order.status === 'planted' && order.photos.length === 1);
  });

  afterAll(() => orders.close());

  describe('GET /api/track/{token}', () => {
    test('shows the trees and their history by link, without contact data', async () => {
      const { status, body } = await orders.call('GET /api/track/{token}', {
        params: { token: second.orderToken },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        _id: second.orderId,
        token: second.orderToken,
        status: 'planted',
        trees: 20,
        language: 'es',
        customerName: 'Alba',
        assignedWorker: { name: ANA.name, region: ANA.region },
        timeline: [
          { type: 'paid' },
          { type: 'created' },
          { status: 'assigned' },
          { status: 'planted' },
          { type: 'photo' },
        ],
      });
      expect(JSON.stringify(body)).not.toMatch(
        /@|Díaz|300 1234567|customerEmail|customerPhone|worker-ana|revision/,
      );
    });

    test.each([
      ['an unknown token', testOrderToken(newOrderId())],
      ['an order id', first.orderId],
      ['too short a token', first.orderToken.slice(1)],
      ['an object of a query language', '{"$ne":null}'],
    ])('finds nothing by %s', async (_what, token) => {
      const { status, body } = await orders.call('GET /api/track/{token}', { params: { token } });
      expect({ status, type: body.type }).toEqual({ status: 404, type: 'not-found' });
    });
  });

  describe('GET /api/customers/orders', () => {
    const ownOrders = async (email: string, emailVerified = true) => {
      const token = await orders.identity.token({ role: 'customer', email, emailVerified });
      return orders.call('GET /api/customers/orders', { token });
    };

    test('lists one’s own orders, newest first, whatever the case of the address', async () => {
      const { status, body } = await ownOrders('Alba@mail.test');
      expect(status).toBe(200);
      expect(body.emailVerified).toBe(true);
      expect(body.orders.map((order: { _id: string }) => order._id)).toEqual([second.orderId, first.orderId]);
      expect(body.orders[0]).toMatchObject({
        customerName: 'Alba Díaz',
        customerEmail: 'ALBA@Mail.test',
        amount: 8_230_000,
      });
    });

    test('never shows another customer’s', async () => {
      const { body } = await ownOrders('bruno@mail.test');
      expect(body.orders.map((order: { _id: string }) => order._id)).toEqual([third.orderId]);
      expect((await ownOrders('nobody@mail.test')).body).toMatchObject({ orders: [], emailVerified: true });
    });

    test('shows none until the address is verified', async () => {
      expect(await ownOrders('alba@mail.test', false)).toMatchObject({
        status: 200,
        body: { orders: [], emailVerified: false },
      });
    });
  });

  describe('GET /api/admin/orders/manage', () => {
    const list = (query: Record<string, string | number> = {}) =>
      orders.call('GET /api/admin/orders/manage', { query, token: orders.adminToken });
    const idsOf = (body: { orders: { _id: string }[] }) => body.orders.map((order) => order._id);
    const newestFirst = [...[third.orderId, fourth.orderId].sort().reverse(), second.orderId, first.orderId];

    test('lists all, newest first, with counts of every status', async () => {
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(idsOf(body)).toEqual(newestFirst);
      expect(body.counts).toEqual({ all: 4, pending: 3, assigned: 0, planted: 1, completed: 0 });
      expect(body.nextCursor).toBeUndefined();
      expect(body.orders[2]).toMatchObject({
        customerEmail: 'ALBA@Mail.test',
        assignedWorker: ANA,
        revision: 2,
      });
      expect(body.orders[2]).not.toHaveProperty('timeline');
    });

    test('pages at any size without a gap or repetition, even within one instant', async () => {
      for (const limit of [1, 2, 3, 4]) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const { body }: { body: { orders: { _id: string }[]; nextCursor?: string } } = await list({
            limit,
            ...(cursor && { cursor }),
          });
          expect(body.orders.length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(body));
          cursor = body.nextCursor;
        } while (cursor && seen.length <= newestFirst.length);
        expect({ limit, seen }).toEqual({ limit, seen: newestFirst });
      }
    });

    test('filters by status, and still counts all', async () => {
      const { body } = await list({ status: 'planted' });
      expect(idsOf(body)).toEqual([second.orderId]);
      expect(body.counts.all).toBe(4);
      const pending = await list({ status: 'pending', limit: 2 });
      expect(
        idsOf((await list({ status: 'pending', limit: 2, cursor: pending.body.nextCursor })).body),
      ).toEqual([first.orderId]);
    });

    test.each([
      ['status', { status: 'felled' }, 'unknown-value'],
      ['limit', { limit: 0 }, 'too-small'],
      ['limit', { limit: 101 }, 'too-big'],
      ['limit', { limit: 'many' }, 'invalid'],
      ['cursor', { cursor: 'damaged' }, 'invalid'],
      ['cursor', { cursor: 'x'.repeat(401) }, 'too-long'],
    ])('refuses a wrong %s by name: %p', async (path, query, type) => {
      const { status, body } = await list(query);
      expect({ status, type: body.type }).toEqual({ status: 422, type: 'validation-failed' });
      expect(body.errors).toMatchObject([{ path, type }]);
    });
  });

  describe('GET /api/admin/orders/{id}', () => {
    test('shows one order with contact, worker and history', async () => {
      const { order } = (
        await orders.call('GET /api/admin/orders/{id}', {
          params: { id: second.orderId },
          token: orders.adminToken,
        })
      ).body;
      expect(order).toMatchObject({
        customerName: 'Alba Díaz',
        customerPhone: '+57 300 1234567',
        customerCountry: 'CO',
        transactionId: 'pi_1',
        card: { brand: 'visa', last4: '4242' },
        assignedWorker: ANA,
      });
      expect(order.timeline[3]).toEqual({
        at: minute(20),
        type: 'status_changed',
        from: 'assigned',
        to: 'planted',
        status: 'planted',
        by: { role: 'worker', id: ANA.workerId, name: ANA.name },
      });
    });

    test('has the private link for admins who may change orders, and for no other', async () => {
      const read = async (adminRole: AdminRole) => {
        const token = await orders.identity.token({ role: 'admin', adminRole });
        const params = { id: second.orderId };
        const [one, list] = await Promise.all([
          orders.call('GET /api/admin/orders/{id}', { params, token }),
          orders.call('GET /api/admin/orders/manage', { token }),
        ]);
        const listed = list.body.orders.find(({ _id }: { _id: string }) => _id === second.orderId);
        return [one.body.order.token, listed.token];
      };
      const link = testOrderToken(second.orderId);
      for (const role of ['owner', 'coordinator'] as const) expect(await read(role)).toEqual([link, link]);
      for (const role of ['finance', 'support', 'auditor'] as const)
        expect(await read(role)).toEqual([undefined, undefined]);
    });

    test.each([
      ['an id that no order has', newOrderId()],
      ['something that is no id', 'manage-all'],
    ])('finds nothing by %s', async (_what, id) => {
      const { status } = await orders.call('GET /api/admin/orders/{id}', {
        params: { id },
        token: orders.adminToken,
      });
      expect(status).toBe(404);
    });
  });

  describe('access', () => {
    const closed = [
      ['GET /api/customers/orders', 'customer'],
      ['GET /api/admin/orders/manage', 'admin'],
      ['GET /api/admin/orders/export', 'admin'],
      ['GET /api/admin/orders/{id}', 'admin'],
      ['PUT /api/admin/orders/{id}', 'admin'],
      ['PUT /api/admin/orders/{id}/status', 'admin'],
      ['POST /api/admin/orders/{id}/notes', 'admin'],
    ] as const;
    const params = { id: first.orderId };

    test.each(closed)('%s: requires a valid token of the %s', async (key, _role) => {
      expect((await orders.call(key, { params })).status).toBe(401);
      expect((await orders.call(key, { params, token: `${orders.adminToken}x` })).status).toBe(401);
    });

    test.each(closed)('%s: no role but %s', async (key, allowed) => {
      for (const role of (['customer', 'worker', 'admin'] as const).filter((one) => one !== allowed)) {
        const token = await orders.identity.token({ role });
        const { status, body } = await orders.call(key, { params, token });
        expect({ role, status, type: body.type }).toEqual({ role, status: 403, type: 'forbidden' });
      }
    });
  });

  test('the service is ready while its engines answer', async () => {
    expect((await fetch(`${orders.service.url}/readyz`)).status).toBe(200);
  });
});

describe('figures', () => {
  const HOUR_MS = 3_600_000;

  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

  /** Bought just now: pending; assigned five days after a purchase 6 days ago; planted with a photo; refunded. */
  const waiting = payment({
    trees: 1,
    packageType: 'individual',
    amountMinor: 500,
    currency: 'USD',
    paidAt: ago(0),
  });

  const given = payment({ trees: 20, packageType: 'patch', paidAt: ago(150) });

  const done = payment({ trees: 5, paidAt: ago(48) });

  const back = payment({ trees: 7, packageType: 'custom', paidAt: ago(48) });

  const announcedId = newOrderId();

  const refusedId = newOrderId();

  const foundId = newOrderId();

  let orders: OrdersFixture;

  beforeAll(async () => {
    orders = await openOrders();
    await orders.publish(waiting, given, done, back);
    await orders.publish(
      submitted(announcedId, { submittedAt: ago(30) }),
      submitted(refusedId),
      rejected(refusedId),
      submitted(foundId, { submittedAt: ago(49) }),
      approved(foundId, { paidAt: ago(48) }),
      assigned(given.data.orderId, { at: ago(120) }),
      assigned(done.data.orderId, { at: ago(47) }),
      planted(done.data.orderId),
      photo(done.data.orderId),
      refunded(back.data.orderId),
    );
    await orders.order(given.data.orderId, ({ status }) => status === 'assigned');
    await orders.order(
      done.data.orderId,
      ({ status, photos }) => status === 'planted' && photos.length === 1,
    );
    await orders.order(back.data.orderId, ({ withdrawn }) => withdrawn === true);
    await orders.order(foundId, ({ manualPayment }) => manualPayment?.verificationStatus === 'approved');
    await orders.order(refusedId, ({ manualPayment }) => manualPayment?.verificationStatus === 'rejected');
    await orders.order(announcedId);
  });

  afterAll(() => orders.close());

  describe('GET /api/stats', () => {
    const stats = () => orders.call('GET /api/stats');

    test('counts planted, paid and photographed trees, each by its own rule', async () => {
      await waitFor(async () => {
        expect((await stats()).body).toEqual({
          treesPlanted: 50_005,
          planted: 5,
          funded: 1 + 20 + 5 + 5,
          photographed: 5,
          hectares: 503,
        });
        return true;
      });
    });

    test('may be cached publicly for a few seconds', async () => {
      expect((await stats()).headers.get('cache-control')).toBe('public, max-age=5');
    });

    test('does not count a tree whose only photo is hidden as photographed', async () => {
      const other = payment({ trees: 3, packageType: 'custom', paidAt: ago(1) }).data;
      await orders.publish(
        { type: 'payment.succeeded', data: other },
        photo(other.orderId, { photoId: 'p-2' }),
      );
      await waitFor(async () => (await stats()).body.photographed === 8);
      await orders.publish(hidden(other.orderId, { photoId: 'p-2' }));
      await waitFor(async () => (await stats()).body.photographed === 5);
    });
  });

  describe('GET /api/admin/dead-letters', () => {
    test('is empty when every event was delivered, and for admins only', async () => {
      const answer = await orders.call('GET /api/admin/dead-letters', { token: orders.adminToken });
      expect(answer).toMatchObject({ status: 200, body: { deadLetters: [] } });
      expect((await orders.call('GET /api/admin/dead-letters')).status).toBe(401);
      for (const role of ['customer', 'worker'] as const) {
        const token = await orders.identity.token({ role });
        expect((await orders.call('GET /api/admin/dead-letters', { token })).status).toBe(403);
      }
    });
  });

  describe('GET /api/admin/overview', () => {
    const overview = (query: Record<string, string | number> = {}) =>
      orders.call('GET /api/admin/overview', { query, token: orders.adminToken });

    test('reports sales by day, trees and amounts by currency', async () => {
      const { status, body } = await overview();
      expect(status).toBe(200);
      expect(ordersEndpoints['GET /api/admin/overview'].response.parse(body)).toEqual(body);
      expect(body.days).toHaveLength(30);
      expect(body.days.at(-1).day).toBe(dayOf(new Date()));
      const soldOn = (instant: string) =>
        body.days.find(({ day }: { day: string }) => day === dayOf(instant));
      expect(soldOn(waiting.data.paidAt).amounts).toContainEqual({
        currency: 'USD',
        amount: 500,
        refunded: 0,
        lost: 0,
      });
      expect(soldOn(given.data.paidAt)).toMatchObject({ orders: 1, trees: 20 });
      // Three that day: one planted, one refunded, one by an earlier transfer.
      expect(soldOn(done.data.paidAt).amounts).toContainEqual(
        expect.objectContaining({ currency: 'COP', refunded: 8_230_000 }),
      );
      const [oldest] = body.days;
      expect(oldest).toMatchObject({ orders: 0, trees: 0, amounts: [] });
    });

    test('reports photo packages beside the trees, with their refunds', async () => {
      const { orderId } = done.data;
      const purchasedAt = ago(72);
      const soldOn = async () =>
        (await overview()).body.days.find(({ day }: { day: string }) => day === dayOf(purchasedAt));
      const before = await soldOn();
      const bought = growthBought(orderId);
      await orders.publish({ ...bought, data: { ...bought.data, purchasedAt } });
      await waitFor(async () => (await soldOn()).packageAmounts.length === 1);
      expect(await soldOn()).toEqual({
        ...before,
        packageAmounts: [{ currency: 'USD', amount: 1500, refunded: 0, lost: 0 }],
      });
      await orders.publish(
        refunded(orderId, {
          paymentId: undefined,
          amountMinor: 500,
          currency: 'USD',
          paidMinor: 1500,
          refundedMinor: 500,
          isFull: false,
          photoPackage: { purchaseId: bought.data.purchaseId, photoPackageType: 'first_year' },
        }),
      );
      await waitFor(async () => (await soldOn()).packageAmounts[0].refunded === 500);
      expect((await soldOn()).amounts).toEqual(before.amounts);
    });

    test('reports open work and its age', async () => {
      const { body } = await overview();
      expect(body.transfers).toMatchObject({ orders: 1, oldestAgeHours: 30 });
      expect(body.waitingForWorker.orders).toBeGreaterThanOrEqual(2);
      const figures = await (await fetch(`${orders.service.url}/metrics`)).text();
      const waited = (step: string) =>
        Number(
          new RegExp(`^orders_longest_wait_seconds\\{.*step="${step}".*\\} ([\\d.]+)$`, 'm').exec(
            figures,
          )?.[1],
        );
      expect(waited('assigned')).toBeGreaterThan(0);
      expect(Math.floor(waited('planted') / 86_400)).toBe(5);
      expect(body.notPlanted).toEqual([
        { fromDays: 0, toDays: 3, orders: 0 },
        { fromDays: 3, toDays: 7, orders: 1 },
        { fromDays: 7, toDays: 14, orders: 0 },
        { fromDays: 14, toDays: 30, orders: 0 },
        { fromDays: 30, orders: 0 },
      ]);
      expect(body.deadLetters).toBe(0);
    });

    test('covers as many days as requested', async () => {
      expect((await overview({ days: 1 })).body.days).toHaveLength(1);
      expect((await overview({ days: 92 })).body.days).toHaveLength(92);
    });

    test.each([
      [0, 'too-small'],
      [93, 'too-big'],
      ['x', 'invalid'],
      [1.5, 'not-an-integer'],
    ])('refuses %p days', async (days, type) => {
      const { status, body } = await overview({ days });
      expect({ status, errors: body.errors }).toMatchObject({
        status: 422,
        errors: [{ path: 'days', type }],
      });
    });

    test('is for admins only', async () => {
      expect((await orders.call('GET /api/admin/overview')).status).toBe(401);
      for (const role of ['customer', 'worker'] as const) {
        const token = await orders.identity.token({ role });
        expect((await orders.call('GET /api/admin/overview', { token })).status).toBe(403);
      }
    });
  });
});
