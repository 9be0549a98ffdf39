import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness, QUIET } from './harness.ts';
import { packageHarness } from './package-harness.ts';
import {
  aPaidPayment,
  attention,
  payOnPage,
  reconcile,
  refund,
  refundPackage,
  shown,
  sendWebhook,
  webhooks,
} from './actions.ts';

let harness: Harness;
let packages: ReturnType<typeof packageHarness>;
beforeAll(async () => {
  harness = await openHarness();
  packages = packageHarness(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

describe('the money of a package', () => {
  const purchase = async (paymentId: string) => (await packages.purchasesOf(paymentId))[0];
  const refundEvent = (purchaseId: string) =>
    harness.events.next('payment.refunded', ({ data }) => data.photoPackage?.purchaseId === purchaseId);

  test('is refunded by an admin with a reason: the package stops, and everybody is notified', async () => {
    const { orderId, paymentId, purchaseId } = await packages.sold();
    const answer = await refundPackage(harness, purchaseId, { reason: 'moved abroad' });
    expect(answer).toMatchObject({
      status: 201,
      body: { refund: { amount: 2500, status: 'succeeded', reason: 'moved abroad', by: { name: 'Lucía' } } },
    });
    expect((await refundEvent(purchaseId)).data).toMatchObject({
      orderId,
      amountMinor: 2500,
      paidMinor: 2500,
      refundedMinor: 2500,
      isFull: true,
      photoPackage: { purchaseId, photoPackageType: 'three_year' },
      by: { role: 'admin' },
    });
    expect((await packages.statusNews(purchaseId)).data).toMatchObject({
      orderId,
      status: 'stopped',
      revision: 1,
    });
    expect(await purchase(paymentId)).toMatchObject({ status: 'stopped', leftAmount: 0 });
    expect(await shown(harness, paymentId)).toMatchObject({ refundedAmount: 0, isPackageRefunded: true });
    expect((await refundPackage(harness, purchaseId)).body.type).toBe('nothing-to-refund');
    // Another package can be bought.
    expect((await packages.buy(orderId)).status).toBe(200);
  });

  test('is refunded in part: the package stays active', async () => {
    const { paymentId, purchaseId } = await packages.sold();
    expect((await refundPackage(harness, purchaseId, { amount: 500, reason: 'a visit less' })).status).toBe(
      201,
    );
    expect((await refundEvent(purchaseId)).data).toMatchObject({ amountMinor: 500, isFull: false });
    expect(await purchase(paymentId)).toMatchObject({ status: 'active', leftAmount: 2000 });
    expect(await refundPackage(harness, purchaseId, { amount: 2001, reason: 'too much' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'amount', type: 'too-big' }] },
    });
  });

  test('is refunded only through its own endpoint and id', async () => {
    const { paymentId, purchaseId } = await packages.sold();
    expect((await refundPackage(harness, paymentId)).status).toBe(404);
    expect((await refund(harness, purchaseId)).status).toBe(404);
  });

  test('is refunded in Stripe’s dashboard with the same effect, even without a webhook', async () => {
    const { paymentId, purchaseId, packageIntentId } = await packages.sold();
    await webhooks(harness, 'lose');
    await harness.sandbox.stripe.refunds.create({ payment_intent: packageIntentId });
    await reconcile(harness);
    expect((await refundEvent(purchaseId)).data).toMatchObject({ isFull: true });
    expect((await packages.statusNews(purchaseId)).data.status).toBe('stopped');
    expect((await purchase(paymentId)).status).toBe('stopped');
  });

  test('is returned by a bank: the package becomes active again, and the refund is owed', async () => {
    const { orderId, paymentId, purchaseId, packageIntentId } = await packages.sold();
    await webhooks(harness, 'deliver');
    const made = await harness.sandbox.stripe.refunds.create({ payment_intent: packageIntentId });
    expect((await packages.statusNews(purchaseId)).data.status).toBe('stopped');
    await harness.sandbox.control('POST', `/refunds/${made.id}/fail`);
    expect((await packages.statusNews(purchaseId)).data).toMatchObject({ status: 'active', revision: 2 });
    const { data } = await harness.events.next(
      'payment.refund_failed',
      (event) => event.data.photoPackage?.purchaseId === purchaseId,
    );
    expect(data).toMatchObject({ amountMinor: 2500, paidMinor: 2500 });
    expect((await purchase(paymentId)).status).toBe('active');
    const { toReturn } = await attention(harness);
    expect(toReturn.filter((one: { orderId: string }) => one.orderId === orderId)).toMatchObject([
      { photoPackageType: 'three_year', amount: 2500 },
    ]);
  });

  test('is lost in a dispute: the package stops, and an appeal that is won reactivates it', async () => {
    const { orderId, paymentId, purchaseId, packageIntentId } = await packages.sold();
    await webhooks(harness, 'deliver');
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(packageIntentId);
    const { id } = await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge });
    const disputed = (status: string) =>
      harness.events.next(
        'payment.disputed',
        ({ data }) => data.photoPackage?.purchaseId === purchaseId && data.status === status,
      );
    expect((await disputed('needs_response')).data).toMatchObject({ orderId, lostMinor: 0 });
    const ofThis = async () =>
      (await attention(harness)).disputes.filter((one: { orderId: string }) => one.orderId === orderId);
    expect(await ofThis()).toMatchObject([{ status: 'needs_response', photoPackageType: 'three_year' }]);
    const lost = await harness.sandbox.control('POST', `/disputes/${id}/close`, { outcome: 'lost' });
    expect((await disputed('lost')).data).toMatchObject({ lostMinor: 2500, paidMinor: 2500 });
    expect((await packages.statusNews(purchaseId)).data.status).toBe('stopped');
    expect(await ofThis()).toMatchObject([{ status: 'lost' }]);
    expect(await purchase(paymentId)).toMatchObject({ status: 'stopped', leftAmount: 0 });
    expect(await shown(harness, paymentId)).toMatchObject({ isDisputed: true, isDisputeLost: true });
    await sendWebhook(harness, 'charge.dispute.updated', { ...lost, status: 'appeal_under_review' });
    await sendWebhook(harness, 'charge.dispute.closed', { ...lost, status: 'won' });
    expect((await packages.statusNews(purchaseId)).data.status).toBe('active');
  });

  test('is refunded in full when another amount was paid', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    // Simulates a price that differed at checkout.
    await harness.query('update package_purchases set amount_minor = 9900 where order_id = $1', [orderId]);
    await reconcile(harness);
    const { purchaseId, ...mismatched } = await purchase(paymentId);
    expect(mismatched).toMatchObject({ status: 'mismatched', received: { amount: 2500 }, leftAmount: 2500 });
    expect((await refundPackage(harness, purchaseId)).body.refund).toMatchObject({
      amount: 2500,
      status: 'succeeded',
    });
  });

  describe('the package of an order that is refunded before planting', () => {
    const withdrawn = (orderId: string, statusRevision = 1) =>
      harness.publish({
        type: 'order.status_changed',
        data: {
          orderId,
          statusRevision,
          from: 'pending',
          to: 'pending',
          by: { role: 'system' },
          at: new Date().toISOString(),
          withdrawn: true,
        },
      });

    test('is refunded automatically, once', async () => {
      const { orderId, paymentId, purchaseId, packageIntentId } = await packages.sold();
      await refundPackage(harness, purchaseId, { amount: 500, reason: 'a visit less' });
      await refund(harness, paymentId);
      await withdrawn(orderId);
      expect((await packages.statusNews(purchaseId)).data.status).toBe('stopped');
      await withdrawn(orderId, 2);
      expect(await purchase(paymentId)).toMatchObject({
        status: 'stopped',
        leftAmount: 0,
        refunds: [{ amount: 500 }, { amount: 2000, by: { role: 'system' }, status: 'succeeded' }],
      });
      await packages.settled();
      const atStripe = await harness.sandbox.stripe.refunds.list({ payment_intent: packageIntentId });
      expect(atStripe.data.map(({ amount }) => amount)).toEqual([2000, 500]);
    });

    test('is refunded when Stripe is available again', async () => {
      const { orderId, paymentId, purchaseId } = await packages.sold();
      await refund(harness, paymentId);
      harness.door.set('failing');
      await withdrawn(orderId);
      await waitFor(async () => (await purchase(paymentId)).refunds.length === 1);
      harness.door.set('open');
      await harness.start({ reconcile: { ...QUIET, intervalMs: 100, afterMs: 1 } });
      expect((await packages.statusNews(purchaseId)).data.status).toBe('stopped');
    });

    test('stays when the trees are paid after all', async () => {
      const { orderId, paymentId } = await packages.sold();
      await withdrawn(orderId);
      await packages.settled();
      expect(await purchase(paymentId)).toMatchObject({ status: 'active', refunds: [] });
    });
  });

  test('is refunded even if the refund’s event arrives before the payment’s', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'hold');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    const [session] = await packages.sessionsOf(orderId);
    const intentId = String(session!.payment_intent);
    const refund = await harness.sandbox.stripe.refunds.create({ payment_intent: intentId });
    expect((await sendWebhook(harness, 'refund.created', refund)).status).toBe(200);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'stopped', refunds: [{ amount: 2500, status: 'succeeded' }] },
    ]);
  });

  test('is disputed even if the dispute’s event arrives before the payment’s', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'hold');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    const [session] = await packages.sessionsOf(orderId);
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(String(session!.payment_intent));
    const made = await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge });
    expect((await sendWebhook(harness, 'charge.dispute.created', made)).status).toBe(200);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'active', disputes: [{ status: 'needs_response' }] },
    ]);
  });
});
