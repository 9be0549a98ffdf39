import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness } from './harness.ts';
import { packageDesk } from './package-desk.ts';
import { aPaidPayment, payOnPage, reconcile, tellOf, webhooks } from './shop.ts';

let harness: Harness;
let desk: ReturnType<typeof packageDesk>;
beforeAll(async () => {
  harness = await openHarness();
  desk = packageDesk(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

describe('while a package is active or on sale', () => {
  test('one that is paid beside it is given back by itself, and nobody hears of it', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const { checkoutUrl } = (await desk.buy(orderId)).body;
    // As if it had ended in our books, and a second one had been sold; then both are paid.
    await harness.query(`update package_purchases set status = 'expired' where order_id = $1`, [orderId]);
    await webhooks(harness, 'deliver');
    await payOnPage(harness, (await desk.buy(orderId, 'price_lifetime')).body.checkoutUrl);
    await desk.heard(orderId);
    await payOnPage(harness, checkoutUrl);
    await waitFor(async () => (await desk.purchasesOf(paymentId))[0].refunds[0]?.status === 'succeeded');
    const [surplus, active] = await desk.purchasesOf(paymentId);
    expect(surplus).toMatchObject({ status: 'surplus', refunds: [{ amount: 2500, by: { role: 'system' } }] });
    expect(active).toMatchObject({ status: 'active', photoPackageType: 'lifetime', refunds: [] });
    const atStripe = await harness.sandbox.stripe.refunds.list({ payment_intent: surplus.transactionId });
    expect(atStripe.data).toMatchObject([{ amount: 2500, status: 'succeeded' }]);
    await desk.settled();
    expect(desk.bought(orderId)).toHaveLength(1);
    expect(harness.events.all('payment.refunded').filter(({ data }) => data.orderId === orderId)).toEqual([]);
  });

  test('a session that seemed over and was paid takes the place of the one on sale', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const { checkoutUrl } = (await desk.buy(orderId)).body;
    await harness.query(`update package_purchases set status = 'expired' where order_id = $1`, [orderId]);
    await desk.buy(orderId, 'price_lifetime');
    await webhooks(harness, 'deliver');
    await payOnPage(harness, checkoutUrl);
    await desk.heard(orderId);
    expect(await desk.purchasesOf(paymentId)).toMatchObject([{ status: 'active' }, { status: 'expired' }]);
    await waitFor(async () => (await desk.sessionsOf(orderId)).every(({ status }) => status !== 'open'));
  });
});

describe('what Stripe says of a session', () => {
  test('twice, late and in any order, sells once', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await desk.buy(orderId)).body.checkoutUrl);
    const [session] = await desk.sessionsOf(orderId);
    await Promise.all(
      Array.from({ length: 8 }, () => tellOf(harness, 'checkout.session.completed', session!)),
    );
    await tellOf(harness, 'checkout.session.expired', {
      ...session,
      status: 'expired',
      payment_status: 'unpaid',
    });
    await desk.heard(orderId);
    await desk.settled();
    expect(desk.bought(orderId)).toHaveLength(1);
    expect(await desk.buy(orderId)).toMatchObject({ body: { type: 'photo-package-active' } });
  });

  test('before its creation was answered', async () => {
    const { orderId } = await aPaidPayment(harness);
    // The price is known: the next call is the session's.
    await desk.buy((await aPaidPayment(harness)).orderId);
    harness.door.set('held');
    const answering = desk.buy(orderId);
    const [session] = await waitFor(async () => {
      const sessions = await desk.sessionsOf(orderId);
      return sessions.length > 0 && sessions;
    });
    await payOnPage(harness, session!.url!);
    await desk.heard(orderId);
    harness.door.set('open');
    expect([200, 409]).toContain((await answering).status);
    expect(desk.bought(orderId)).toHaveLength(1);
  });

  test('of money on its way holds the place, and frees it when it does not come', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await desk.buy(orderId);
    const [session] = await desk.sessionsOf(orderId);
    const waiting = { ...session, status: 'complete', payment_status: 'unpaid', url: null };
    await tellOf(harness, 'checkout.session.completed', waiting);
    expect(await desk.buy(orderId)).toMatchObject({ status: 409, body: { type: 'photo-package-active' } });
    await tellOf(harness, 'checkout.session.async_payment_failed', waiting);
    expect(await desk.purchasesOf(paymentId)).toMatchObject([{ status: 'failed' }]);
    expect((await desk.buy(orderId)).status).toBe(200);
  });

  test('of money that came later sells', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await desk.buy(orderId);
    const [session] = await desk.sessionsOf(orderId);
    const done = { ...session, status: 'complete', url: null, payment_intent: 'pi_later' };
    await tellOf(harness, 'checkout.session.completed', { ...done, payment_status: 'unpaid' });
    await tellOf(harness, 'checkout.session.async_payment_succeeded', { ...done, payment_status: 'paid' });
    expect((await desk.heard(orderId)).data.transactionId).toBe('pi_later');
  });

  test('of another amount is no package, and operators see it', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await desk.buy(orderId);
    const [session] = await desk.sessionsOf(orderId);
    const paid = { ...session, status: 'complete', payment_status: 'paid', amount_total: 25, url: null };
    await tellOf(harness, 'checkout.session.completed', paid);
    expect(await desk.purchasesOf(paymentId)).toMatchObject([{ status: 'mismatched' }]);
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'paid is not what the package costs' }),
    );
    await desk.settled();
    expect(desk.bought(orderId)).toEqual([]);
  });

  test('of nobody’s purchase is taken note of', async () => {
    const session = await harness.sandbox.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: 'price_lifetime', quantity: 1 }],
      success_url: 'https://arboleda.test/',
    });
    expect((await tellOf(harness, 'checkout.session.expired', session)).status).toBe(200);
  });

  test('is found on Stripe’s list when the webhook was lost', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await desk.buy(orderId)).body.checkoutUrl);
    expect(desk.bought(orderId)).toEqual([]);
    await reconcile(harness);
    await desk.heard(orderId);
    await reconcile(harness);
    await desk.settled();
    expect(desk.bought(orderId)).toHaveLength(1);
  });
});
