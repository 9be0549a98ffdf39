import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minute, newOrderId, payment, photo } from './builders.ts';
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

describe('other events', () => {
  const follow = async (token: string | undefined) =>
    (await orders.call('GET /api/track/{token}', { params: { token: token! } })).body;

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
