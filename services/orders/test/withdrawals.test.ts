import { testOrderToken } from '@arboleda/chassis/testing/config.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decidePayment } from '../order/creation.ts';
import { decideStep } from '../order/step.ts';
import { openOrderStore } from '../store.ts';
import { MIGRATIONS } from '../order/store.ts';
import type { OrderStore } from '../store.ts';
import { decideWithdrawal } from '../withdrawal/withdrawal.ts';
import { assigned, minute, newOrderId, payment, planted } from './builders.ts';
import { refunded, submitted } from './event-builders.ts';
import { openOrders, type OrdersFixture, TEMPLATE } from './fixture.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const ALBA = { email: 'alba@mail.test', name: 'Alba Díaz' };
const REASON = 'I moved to another country, Alba';

describe('a withdrawal', () => {
  let orders: OrdersFixture;
  let alba: string;
  beforeAll(async () => {
    orders = await openOrders();
    alba = await orders.identity.token({ role: 'customer', email: ALBA.email, emailVerified: true });
  });
  afterAll(() => orders.close());

  /** Paid just now. */
  async function paid(changes: Parameters<typeof payment>[0] = {}): Promise<string> {
    const { data } = payment({ customer: ALBA, paidAt: new Date().toISOString(), ...changes });
    await orders.publish({ type: 'payment.succeeded', data });
    await orders.order(data.orderId);
    return data.orderId;
  }
  const byLink = (orderId: string, body: object = { email: ALBA.email }): Promise<Answer> =>
    orders.call('POST /api/track/{token}/withdrawal', {
      params: { token: testOrderToken(orderId) },
      body,
    });
  const keepByLink = (orderId: string, email = ALBA.email): Promise<Answer> =>
    orders.call('POST /api/track/{token}/withdrawal/retract', {
      params: { token: testOrderToken(orderId) },
      body: { email },
    });
  const own = (orderId: string, token = alba, body: object = {}): Promise<Answer> =>
    orders.call('POST /api/customers/orders/{id}/withdrawal', { params: { id: orderId }, body, token });
  const keepOwn = (orderId: string, token = alba): Promise<Answer> =>
    orders.call('POST /api/customers/orders/{id}/withdrawal/retract', { params: { id: orderId }, token });
  const keepForThem = (orderId: string, body: object): Promise<Answer> =>
    orders.call('POST /api/admin/orders/{id}/withdrawal/retract', {
      params: { id: orderId },
      body,
      token: orders.adminToken,
    });
  const track = async (orderId: string) =>
    (await orders.call('GET /api/track/{token}', { params: { token: testOrderToken(orderId) } })).body;
  const list = async (query: Record<string, string>): Promise<string[]> =>
    (await orders.call('GET /api/admin/orders/manage', { query, token: orders.adminToken })).body.orders.map(
      ({ _id }: { _id: string }) => _id,
    );
  const overview = async () =>
    (await orders.call('GET /api/admin/overview', { token: orders.adminToken })).body;
  const refusal = ({ status, body }: Answer) => [status, body.type];

  test('by the private link is kept, published once, and shown without its reason', async () => {
    const orderId = await paid();
    const before = await track(orderId);
    expect(Date.parse(before.withdrawableUntil)).toBeGreaterThan(Date.now() + 13 * DAY_MS);
    const answer = await byLink(orderId, { email: ' Alba@MAIL.test ', reason: REASON });
    expect(answer.status).toBe(200);
    const { order } = ordersEndpoints['POST /api/track/{token}/withdrawal'].response.parse(answer.body);
    expect(order).toEqual(answer.body.order);
    const days = (Date.parse(order.withdrawal!.refundBy) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(14);
    expect(days).toBeLessThan(15.1);
    expect(await track(orderId)).toEqual(order);
    expect(order).not.toHaveProperty('withdrawableUntil');
    expect(JSON.stringify(order)).not.toContain(REASON);
    expect(order.timeline.map(({ type }) => type)).toContain('withdrawal_requested');

    const { data } = await orders.probe.next(
      'order.withdrawal_requested',
      (one) => one.data.orderId === orderId,
    );
    expect(data).toEqual({
      orderId,
      method: { kind: 'card' },
      ...order.withdrawal,
      amountMinor: 8_230_000,
      currency: 'COP',
    });
    const status = await orders.probe.next('order.status_changed', (one) => one.data.orderId === orderId);
    expect(status.data).toMatchObject({ from: 'pending', to: 'pending', held: true });

    expect((await byLink(orderId)).body.order).toEqual(order);
    expect((await own(orderId)).status).toBe(200);
    expect(
      orders.probe.all('order.withdrawal_requested').filter((one) => one.data.orderId === orderId),
    ).toHaveLength(1);
  });

  test('shows its reason to admins and in the export of the customer', async () => {
    const orderId = await paid();
    await own(orderId, alba, { reason: REASON });
    expect((await orders.order(orderId)).withdrawal!.reason).toBe(REASON);
    const { body } = await orders.call('GET /api/customers/orders/export', { token: alba });
    const exported = body.orders.find(({ _id }: { _id: string }) => _id === orderId);
    expect(exported.withdrawal.reason).toBe(REASON);
  });

  test('needs the address of the order, or the customer’s own login', async () => {
    const orderId = await paid();
    const wrong = await byLink(orderId, { email: 'guess@mail.test' });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toMatchObject([{ path: 'email', type: 'not-the-orders-email' }]);
    const missing = await byLink(orderId, {});
    expect(missing.body.errors).toMatchObject([{ path: 'email', type: 'required' }]);
    const bruno = await orders.identity.token({
      role: 'customer',
      email: 'bruno@mail.test',
      emailVerified: true,
    });
    const unverified = await orders.identity.token({
      role: 'customer',
      email: ALBA.email,
      emailVerified: false,
    });
    for (const token of [bruno, unverified]) {
      expect(refusal(await own(orderId, token))).toEqual([404, 'not-found']);
      expect(refusal(await keepOwn(orderId, token))).toEqual([404, 'not-found']);
    }
    expect(await track(orderId)).not.toHaveProperty('withdrawal');
  });

  test.each([
    ['en', 'The time to cancel has passed: 14 days, or five business days where they end later.'],
    ['es', 'El plazo para retractarte ya pasó: 14 días, o cinco días hábiles si terminan después.'],
  ])('that comes too late is refused with the last day, in %s', async (language, title) => {
    const orderId = await paid({ paidAt: daysAgo(20) });
    const { status, body } = await orders.call('POST /api/track/{token}/withdrawal', {
      params: { token: testOrderToken(orderId) },
      body: { email: ALBA.email },
      headers: { 'Accept-Language': language },
    });
    expect({ status, ...body }).toMatchObject({ status: 409, type: 'withdrawal-too-late', title });
    const { withdrawableUntil } = await track(orderId);
    expect(body.lastDay).toBe(
      new Date(Date.parse(withdrawableUntil) - 5 * 3_600_000).toISOString().slice(0, 10),
    );
  });

  test('is refused for planted, refunded and unpaid orders', async () => {
    const [done, back, waiting] = [await paid(), await paid(), newOrderId()];
    await orders.publish(
      assigned(done),
      planted(done),
      refunded(back),
      submitted(waiting, { customer: ALBA }),
    );
    await orders.order(done, ({ status }) => status === 'planted');
    await orders.order(back, ({ withdrawn }) => withdrawn === true);
    await orders.order(waiting);
    expect(refusal(await byLink(done))).toEqual([409, 'withdrawal-planted']);
    expect(refusal(await byLink(back))).toEqual([409, 'order-refunded']);
    expect(refusal(await byLink(waiting))).toEqual([409, 'order-unpaid']);
    for (const orderId of [done, back, waiting])
      expect(await track(orderId)).not.toHaveProperty('withdrawableUntil');
  });

  test('takes the order out of the work and the counters, and puts it back when it is kept', async () => {
    const orderId = await paid({ trees: 20, packageType: 'patch' });
    const { funded } = (await orders.call('GET /api/stats')).body;
    expect(await list({ worker: 'none' })).toContain(orderId);
    await byLink(orderId);
    expect(await list({ worker: 'none' })).not.toContain(orderId);
    expect(await list({ withdrawal: 'true' })).toContain(orderId);
    expect(await list({ withdrawal: 'false' })).not.toContain(orderId);
    await waitFor(async () => (await orders.call('GET /api/stats')).body.funded === funded - 20);
    const setStatus = await orders.call('PUT /api/admin/orders/{id}/status', {
      params: { id: orderId },
      body: { status: 'planted' },
      token: orders.adminToken,
    });
    expect(refusal(setStatus)).toEqual([409, 'withdrawal-open']);

    const kept = await keepByLink(orderId);
    expect(kept.status).toBe(200);
    expect(kept.body.order.withdrawal).toBeUndefined();
    expect(kept.body.order.withdrawableUntil).toBeDefined();
    await orders.probe.next('order.withdrawal_retracted', (one) => one.data.orderId === orderId);
    expect(await list({ worker: 'none' })).toContain(orderId);
    expect(await list({ withdrawal: 'true' })).not.toContain(orderId);
    expect((await keepByLink(orderId)).status).toBe(200);
    expect((await keepOwn(orderId)).body.order).not.toHaveProperty('withdrawal');
  });

  test('can be taken back by an admin whom the donor asked, with a reason', async () => {
    const orderId = await paid();
    await byLink(orderId);
    const { status, body } = await keepForThem(orderId, { reason: ' ' });
    expect([status, body.errors[0].path]).toEqual([422, 'reason']);
    const answer = await keepForThem(orderId, { reason: 'They called' });
    expect(answer.status).toBe(200);
    const { order } = answer.body;
    expect(order.withdrawal).toBeUndefined();
    expect(order.timeline.at(-1)).toMatchObject({ type: 'withdrawal_retracted', reason: 'They called' });
    const token = await orders.identity.serviceToken('auth', 'orders');
    const audited = await orders.call('GET /internal/orders/audit-log', {
      query: { object: orderId },
      token,
    });
    expect(audited.body.rows).toMatchObject([
      { action: 'order.withdrawal_retracted', object: { type: 'order', id: orderId }, withheld: ['reason'] },
    ]);
  });

  test('is answered by a refund, after which it cannot be taken back', async () => {
    const orderId = await paid();
    await byLink(orderId);
    const { withdrawals } = await overview();
    expect(withdrawals).toMatchObject({ overdue: 0, oldestAgeHours: 0 });
    expect(Date.parse(withdrawals.nextBy)).toBeGreaterThan(Date.now() + 13 * DAY_MS);
    await orders.publish(refunded(orderId));
    const { withdrawal } = await orders.order(orderId, (one) => one.withdrawal?.answeredAt !== undefined);
    expect(withdrawal!.answeredAt).toBeDefined();
    expect((await overview()).withdrawals.orders).toBe(withdrawals.orders - 1);
    expect(await list({ withdrawal: 'true' })).not.toContain(orderId);
    expect(refusal(await keepByLink(orderId))).toEqual([409, 'order-refunded']);
    expect(refusal(await keepForThem(orderId, { reason: 'Too late' }))).toEqual([409, 'order-refunded']);
    expect(refusal(await byLink(orderId))).toEqual([409, 'order-refunded']);
    expect((await track(orderId)).withdrawn).toBe(true);
  });

  test.each([
    ['en', 'The money of this order is on its way back, so it can no longer be kept.'],
    ['es', 'El dinero de este pedido ya se está devolviendo, así que ya no se puede conservar.'],
  ])('can no longer be taken back once its refund has begun, in %s', async (language, title) => {
    const orderId = await paid();
    await byLink(orderId);
    const begun = async (status: 'pending' | 'canceled') => {
      await orders.publish({
        type: 'payment.refund_status_changed',
        data: {
          orderId,
          refundId: 'refund-1',
          amountMinor: 8_230_000,
          currency: 'COP',
          status,
          at: new Date().toISOString(),
        },
      });
      await waitFor(
        async () => ((await track(orderId)).withdrawal.isRefundBegun === true) === (status === 'pending'),
      );
    };
    await begun('pending');
    const { status, body } = await orders.call('POST /api/track/{token}/withdrawal/retract', {
      params: { token: testOrderToken(orderId) },
      body: { email: ALBA.email },
      headers: { 'Accept-Language': language },
    });
    expect({ status, ...body }).toMatchObject({ status: 409, type: 'refund-begun', title });
    expect(refusal(await keepOwn(orderId))).toEqual([409, 'refund-begun']);
    expect(refusal(await keepForThem(orderId, { reason: 'They called' }))).toEqual([409, 'refund-begun']);
    await begun('canceled');
    expect((await keepByLink(orderId)).status).toBe(200);
  });

  test('is closed to strangers once the buyer is erased, and loses its reason', async () => {
    const email = 'leaving@mail.test';
    const orderId = await paid({ customer: { email, name: 'Lea Luna' } });
    await byLink(orderId, { email, reason: REASON });
    await orders.publish({
      type: 'customer.erased',
      data: { accountId: 'account-lea', email, ordersToo: true, at: new Date().toISOString() },
    });
    const order = await orders.order(orderId, ({ customerEmail }) => customerEmail !== email);
    expect(order.withdrawal).toBeDefined();
    expect(JSON.stringify(order)).not.toContain(REASON);
    expect(refusal(await keepByLink(orderId, email))).toEqual([410, 'withdrawal-erased']);
  });
});

describe('of a withdrawal and a planting at the same time', () => {
  let platform: TestPlatform;
  let store: OrderStore;
  beforeAll(async () => {
    platform = await openTestPlatform({ template: TEMPLATE });
    store = openOrderStore(await platform.sql('orders', MIGRATIONS));
  });
  afterAll(() => platform.close());

  const taken = async (): Promise<string> => {
    const { record } = decidePayment(undefined, payment().data)!;
    await store.change(record.id, () => ({ record }));
    await store.change(record.id, (order) => decideStep(order, assigned(record.id)));
    return record.id;
  };

  test('exactly one wins', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await taken();
      const withdraw = () =>
        store
          .change(id, (order) => decideWithdrawal(order!, { at: minute(30) }))
          .then(
            () => 'withdrawn',
            (error: Problem) => error.type,
          );
      const plant = () => store.change(id, (order) => decideStep(order, planted(id)));
      const calls = round % 2 ? [withdraw(), plant()] : [plant(), withdraw()];
      const answers = await Promise.all(calls);
      const answer = answers[round % 2 ? 0 : 1];
      const order = (await store.get(id))!;
      expect([answer, order.progress.status, order.withdrawal !== undefined]).toEqual(
        answer === 'withdrawn' ? ['withdrawn', 'pending', true] : ['withdrawal-planted', 'planted', false],
      );
    }
  });

  test('the overview counts what is open, what is past its deadline, and the oldest', async () => {
    const [late, open] = [await taken(), await taken()];
    const before = await store.openWithdrawals('2027-01-01T00:00:00.000Z');
    await store.change(late, (order) => decideWithdrawal(order!, { at: minute(2) }));
    await store.change(open, (order) => decideWithdrawal(order!, { at: '2026-11-26T15:00:00.000Z' }));
    const after = await store.openWithdrawals('2026-12-07T00:00:00.000Z');
    expect(after).toEqual({
      orders: before.orders + 2,
      overdue: before.orders + 1,
      oldestAt: minute(2),
      nextBy: '2026-12-06T04:59:59.999Z',
    });
  });
});
