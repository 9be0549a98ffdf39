import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayInColombia } from '../figures/kept.ts';
import { assigned, newOrderId, payment, photo, planted } from './builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { approved, hidden, refunded, rejected, submitted } from './news.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** Bought just now: waiting, assigned five days after being bought 6 days ago, planted with a photo, given back. */
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
    ...[submitted(refusedId), rejected(refusedId)],
    ...[submitted(foundId), approved(foundId, { paidAt: ago(48) })],
    assigned(given.data.orderId, { at: ago(120) }),
    assigned(done.data.orderId, { at: ago(47) }),
    planted(done.data.orderId),
    photo(done.data.orderId),
    refunded(back.data.orderId),
  );
  await orders.order(given.data.orderId, ({ status }) => status === 'assigned');
  await orders.order(done.data.orderId, ({ status, photos }) => status === 'planted' && photos.length === 1);
  await orders.order(back.data.orderId, ({ withdrawn }) => withdrawn === true);
  await orders.order(foundId, ({ manualPayment }) => manualPayment?.verificationStatus === 'approved');
  await orders.order(refusedId, ({ manualPayment }) => manualPayment?.verificationStatus === 'rejected');
  await orders.order(announcedId);
});
afterAll(() => orders.close());

describe('GET /api/stats', () => {
  const stats = () => orders.call('GET /api/stats');

  test('counts what was planted, paid and photographed, each by its own rule', async () => {
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

  test('may be kept by anybody for a few seconds', async () => {
    expect((await stats()).headers.get('cache-control')).toBe('public, max-age=5');
  });

  test('a tree whose only photo was hidden is not a photographed one', async () => {
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

describe('GET /api/admin/overview', () => {
  const overview = (query: Record<string, string | number> = {}) =>
    orders.call('GET /api/admin/overview', { query, token: orders.adminToken });

  test('tells what came in by day, trees and amounts by currency', async () => {
    const { status, body } = await overview();
    expect(status).toBe(200);
    expect(ordersEndpoints['GET /api/admin/overview'].response.parse(body)).toEqual(body);
    expect(body.days).toHaveLength(30);
    expect(body.days.at(-1).day).toBe(dayInColombia(new Date()));
    const dayOf = (instant: string) =>
      body.days.find(({ day }: { day: string }) => day === dayInColombia(instant));
    expect(dayOf(waiting.data.paidAt).amounts).toContainEqual({ currency: 'USD', amount: 500, refunded: 0 });
    expect(dayOf(given.data.paidAt)).toMatchObject({ orders: 1, trees: 20 });
    // The day's three: one planted, one given back, one by transfer that was announced before.
    expect(dayOf(done.data.paidAt).amounts).toContainEqual(
      expect.objectContaining({ currency: 'COP', refunded: 8_230_000 }),
    );
    const [oldest] = body.days;
    expect(oldest).toMatchObject({ orders: 0, trees: 0, amounts: [] });
  });

  test('tells what waits for somebody, and for how long', async () => {
    const { body } = await overview();
    expect(body.transfers).toMatchObject({ orders: 1, oldestAgeHours: 30 });
    expect(body.waitingForWorker.orders).toBeGreaterThanOrEqual(2);
    expect(body.notPlanted).toEqual([
      { fromDays: 0, toDays: 3, orders: 0 },
      { fromDays: 3, toDays: 7, orders: 1 },
      { fromDays: 7, toDays: 14, orders: 0 },
      { fromDays: 14, toDays: 30, orders: 0 },
      { fromDays: 30, orders: 0 },
    ]);
    expect(body.deadLetters).toBe(0);
  });

  test('looks back as many days as asked for', async () => {
    expect((await overview({ days: 1 })).body.days).toHaveLength(1);
    expect((await overview({ days: 92 })).body.days).toHaveLength(92);
  });

  test.each([
    [0, 'too-small'],
    [93, 'too-big'],
    ['x', 'invalid'],
    [1.5, 'not-an-integer'],
  ])('does not look back %p days', async (days, type) => {
    const { status, body } = await overview({ days });
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path: 'days', type }] });
  });

  test('is for admins alone', async () => {
    expect((await orders.call('GET /api/admin/overview')).status).toBe(401);
    for (const role of ['customer', 'worker'] as const) {
      const token = await orders.identity.token({ role });
      expect((await orders.call('GET /api/admin/overview', { token })).status).toBe(403);
    }
  });
});
