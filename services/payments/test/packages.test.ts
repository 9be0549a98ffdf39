import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness } from './harness.ts';
import { packageHarness } from './package-harness.ts';
import { aPaidPayment, payOnPage, reconcile, refund, sendWebhook, webhooks } from './actions.ts';

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

const ana = { email: 'ana@arboleda.test' };

describe('a customer buys growth updates for their order', () => {
  test('on Stripe’s page, in their language, which returns to the portal', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    const answer = await packages.buy(orderId);
    expect(answer.status).toBe(200);
    const [session] = await packages.sessionsOf(orderId);
    expect(answer.body).toEqual({ checkoutUrl: session!.url });
    expect(session).toMatchObject({
      amount_total: 2500,
      currency: 'usd',
      customer_email: 'ana@arboleda.test',
      locale: 'es',
      metadata: { orderId, purchaseId: expect.any(String) },
      success_url: `https://arboleda.test/customer-portal?package=success&order=${orderId}`,
      cancel_url: `https://arboleda.test/customer-portal?package=cancelled&order=${orderId}`,
    });
    expect(packages.bought(orderId)).toEqual([]);
    await payOnPage(harness, answer.body.checkoutUrl);
    const { data, key } = await packages.received(orderId);
    expect(key).toBe(orderId);
    expect(data).toEqual({
      orderId,
      purchaseId: session!.metadata!.purchaseId,
      photoPackageType: 'three_year',
      amountMinor: 2500,
      currency: 'USD',
      transactionId: expect.stringMatching(/^pi_/),
      customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'US' },
      language: 'es',
      purchasedAt: expect.any(String),
    });
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'active', photoPackageType: 'three_year', amount: 2500, transactionId: data.transactionId },
    ]);
    expect(await harness.metrics()).toMatch(/payments_package_purchases_total\{status="active"[^}]*\} [1-9]/);
  });

  test('repeated and concurrent clicks lead to one session', async () => {
    const { orderId } = await aPaidPayment(harness);
    const replica = await harness.start();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        packages.buy(orderId, 'price_three_year', ana, n % 2 ? replica.url : harness.url),
      ),
    );
    answers.push(await packages.buy(orderId));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(answers.map(({ body }) => body.checkoutUrl)).size).toBe(1);
    expect(await packages.sessionsOf(orderId)).toHaveLength(1);
  });

  test('with another price the open session ends and a new one replaces it', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await packages.buy(orderId, 'price_three_year');
    const answer = await packages.buy(orderId, 'price_lifetime');
    expect(answer.status).toBe(200);
    const [latest, former] = await packages.sessionsOf(orderId);
    expect([latest, former]).toMatchObject([
      { status: 'open', amount_total: 3500, url: answer.body.checkoutUrl },
      { status: 'expired' },
    ]);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'expired', photoPackageType: 'three_year' },
      { status: 'open', photoPackageType: 'lifetime' },
    ]);
  });

  test('when both happen at once, one of them is on sale in the end', async () => {
    const { orderId } = await aPaidPayment(harness);
    const answers = await Promise.all([
      packages.buy(orderId, 'price_three_year'),
      packages.buy(orderId, 'price_lifetime'),
    ]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await packages.sessionsOf(orderId)).filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test('when a session has expired, a new one is made', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const first = await packages.buy(orderId);
    const [session] = await packages.sessionsOf(orderId);
    await harness.sandbox.stripe.checkout.sessions.expire(session!.id);
    const second = await packages.buy(orderId);
    expect(second.status).toBe(200);
    expect(second.body.checkoutUrl).not.toBe(first.body.checkoutUrl);
  });
});

describe('while a package is active', () => {
  test('no other is sold until its last update is made', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    const { data } = await packages.received(orderId);
    for (const price of ['price_three_year', 'price_lifetime']) {
      expect(await packages.buy(orderId, price)).toMatchObject({
        status: 409,
        body: { type: 'photo-package-active' },
      });
    }
    const { purchaseId } = data;
    const at = new Date().toISOString();
    await harness.publish({ type: 'photo_package.completed', data: { orderId, purchaseId, at } });
    await waitFor(async () => (await packages.purchasesOf(paymentId))[0].status === 'completed');
    expect((await packages.buy(orderId, 'price_lifetime')).status).toBe(200);
  });

  test('even when its webhook is late, as Stripe is asked', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    expect(await packages.buy(orderId)).toMatchObject({
      status: 409,
      body: { type: 'photo-package-active' },
    });
    await packages.received(orderId);
  });

  test('even when the session to be replaced was paid meanwhile', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    expect(await packages.buy(orderId, 'price_lifetime')).toMatchObject({
      status: 409,
      body: { type: 'photo-package-active', message: 'This order has growth updates already.' },
    });
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'active', photoPackageType: 'three_year' },
    ]);
  });
});

describe('is refused', () => {
  test('with “not found” for another’s order, an unpaid one or none', async () => {
    const { orderId } = await aPaidPayment(harness);
    const open = await harness.checkout();
    expect((await packages.buy(orderId, 'price_lifetime', { email: 'luis@arboleda.test' })).status).toBe(404);
    expect((await packages.buy(open.body.orderId)).status).toBe(404);
    expect((await packages.buy('0123456789abcdef01234567')).status).toBe(404);
  });

  test('before the email address is confirmed', async () => {
    const { orderId } = await aPaidPayment(harness);
    expect(await packages.buy(orderId, 'price_lifetime', { ...ana, emailVerified: false })).toMatchObject({
      status: 403,
      body: { type: 'email-not-verified' },
    });
  });

  test('for an unknown price', async () => {
    const { orderId } = await aPaidPayment(harness);
    for (const price of ['price_none', '../prices', '']) {
      expect(await packages.buy(orderId, price)).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'priceId' }] },
      });
    }
  });

  test('for a fully refunded order, but not for a partly refunded one', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await refund(harness, paymentId, { amount: 500, reason: 'one tree less' });
    expect((await packages.buy(orderId)).status).toBe(200);
    await refund(harness, paymentId);
    expect(await packages.buy(orderId)).toMatchObject({ status: 409, body: { type: 'order-refunded' } });
  });

  describe('for an order that is withdrawn from', () => {
    const withdrawn = (orderId: string, requestedAt: string): NewEvent => ({
      type: 'order.withdrawal_requested',
      data: { orderId, method: { kind: 'card' }, requestedAt, refundBy: '2027-01-20T04:59:59.999Z' },
    });
    const kept = (orderId: string, at: string): NewEvent => ({
      type: 'order.withdrawal_retracted',
      data: { orderId, by: { role: 'customer' }, at },
    });
    const [NOON, LATER] = ['2026-12-01T12:00:00.000Z', '2026-12-01T13:00:00.000Z'];
    const refusal = async (orderId: string) => {
      const { status, body } = await packages.buy(orderId);
      return status === 200 ? undefined : body.type;
    };

    test.each([
      ['en', 'This purchase was cancelled, so growth updates cannot be bought for it.'],
      ['es', 'Hay un retracto de esta compra, así que no se le pueden comprar novedades de crecimiento.'],
    ])('until it is kept after all, in %s', async (language, title) => {
      const { orderId } = await aPaidPayment(harness);
      await harness.publish(withdrawn(orderId, NOON));
      await waitFor(async () => (await refusal(orderId)) === 'order-withdrawing');
      const refused = await request(harness.url, 'POST /api/payments/create-photo-package-checkout', {
        body: { priceId: 'price_three_year', originalOrderId: orderId },
        token: await harness.identity.token({ role: 'customer', ...ana }),
        headers: { 'Accept-Language': language },
      });
      expect(refused).toMatchObject({ status: 409, body: { type: 'order-withdrawing', title } });
      await harness.publish(kept(orderId, LATER));
      await waitFor(async () => (await refusal(orderId)) === undefined);
    });

    test('whatever the order in which request and retraction arrive', async () => {
      const { orderId } = await aPaidPayment(harness);
      const other = await aPaidPayment(harness);
      await harness.publish(kept(orderId, LATER));
      await harness.publish(withdrawn(orderId, NOON));
      await harness.publish(withdrawn(other.orderId, NOON));
      await waitFor(async () => (await refusal(other.orderId)) === 'order-withdrawing');
      await waitFor(
        async () =>
          (
            await harness.query(
              'select from withdrawals where order_id = $1 and requested_at < retracted_at',
              [orderId],
            )
          ).length > 0,
      );
      expect(await refusal(orderId)).toBeUndefined();
    });

    test('and what was paid for it on an open page is refunded automatically', async () => {
      const { orderId, paymentId } = await aPaidPayment(harness);
      const { checkoutUrl } = (await packages.buy(orderId)).body;
      await harness.publish(withdrawn(orderId, NOON));
      await waitFor(async () => (await refusal(orderId)) === 'order-withdrawing');
      await payOnPage(harness, checkoutUrl);
      await waitFor(
        async () => (await packages.purchasesOf(paymentId))[0].refunds[0]?.status === 'succeeded',
      );
      expect(await packages.purchasesOf(paymentId)).toMatchObject([{ status: 'surplus' }]);
    });
  });

  test('when no prices are configured, and the configuration lists none', async () => {
    const bare = await harness.start({ photoPackages: {} });
    const { orderId } = await aPaidPayment(harness);
    expect(await packages.buy(orderId, 'price_lifetime', ana, bare.url)).toMatchObject({
      status: 409,
      body: { type: 'photo-packages-not-offered' },
    });
    expect((await request(bare.url, 'GET /api/config')).body.photoPackages).toEqual([]);
  });

  test('with our own message when Stripe fails; a later attempt works', async () => {
    const { orderId } = await aPaidPayment(harness);
    harness.door.set('failing');
    expect(await packages.buy(orderId)).toMatchObject({
      status: 502,
      body: { error: 'Failed to create checkout session', message: 'Failed to create checkout session' },
    });
    harness.door.set('open');
    expect((await packages.buy(orderId)).status).toBe(200);
    expect(await packages.sessionsOf(orderId)).toHaveLength(1);
  });

  test('with a price that Stripe does not have', async () => {
    const wrong = await harness.start({ photoPackages: { lifetime: 'price_gone' } });
    const { orderId } = await aPaidPayment(harness);
    expect((await packages.buy(orderId, 'price_gone', ana, wrong.url)).status).toBe(502);
    expect((await request(wrong.url, 'GET /api/config')).body.photoPackages).toEqual([
      { photoPackageType: 'lifetime', priceId: 'price_gone' },
    ]);
  });

  test.each([
    ['nobody', undefined, 401],
    ['an admin', 'admin', 403],
    ['a worker', 'worker', 403],
  ] as const)('for %s', async (_who, role, status) => {
    const token = role && (await harness.identity.token({ role }));
    const answer = await request(harness.url, 'POST /api/payments/create-photo-package-checkout', {
      body: { priceId: 'price_lifetime', originalOrderId: '0123456789abcdef01234567' },
      ...(token && { token }),
    });
    expect(answer.status).toBe(status);
  });
});

describe('while a package is active or on sale', () => {
  test('a second paid package is refunded automatically, and its buyer is notified', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const { checkoutUrl } = (await packages.buy(orderId)).body;
    // A purchase that we consider expired, and a second one: then both are paid.
    await harness.query(`update package_purchases set status = 'expired' where order_id = $1`, [orderId]);
    await webhooks(harness, 'deliver');
    await payOnPage(harness, (await packages.buy(orderId, 'price_lifetime')).body.checkoutUrl);
    await packages.received(orderId);
    await payOnPage(harness, checkoutUrl);
    await waitFor(async () => (await packages.purchasesOf(paymentId))[0].refunds[0]?.status === 'succeeded');
    const [surplus, active] = await packages.purchasesOf(paymentId);
    expect(surplus).toMatchObject({ status: 'surplus', refunds: [{ amount: 2500, by: { role: 'system' } }] });
    expect(active).toMatchObject({ status: 'active', photoPackageType: 'lifetime', refunds: [] });
    const atStripe = await harness.sandbox.stripe.refunds.list({ payment_intent: surplus.transactionId });
    expect(atStripe.data).toMatchObject([{ amount: 2500, status: 'succeeded' }]);
    await packages.settled();
    expect(packages.bought(orderId)).toHaveLength(1);
    const published = harness.events.all('payment.refunded').filter(({ data }) => data.orderId === orderId);
    expect(published).toMatchObject([{ data: { photoPackage: { isSurplus: true }, amountMinor: 2500 } }]);
  });

  test('an expired session that was paid replaces the one on sale', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const { checkoutUrl } = (await packages.buy(orderId)).body;
    await harness.query(`update package_purchases set status = 'expired' where order_id = $1`, [orderId]);
    await packages.buy(orderId, 'price_lifetime');
    await webhooks(harness, 'deliver');
    await payOnPage(harness, checkoutUrl);
    await packages.received(orderId);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([
      { status: 'active' },
      { status: 'expired' },
    ]);
    await waitFor(async () => (await packages.sessionsOf(orderId)).every(({ status }) => status !== 'open'));
  });
});

describe('a session of Stripe', () => {
  test('sells once when webhooks are repeated, late and out of order', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    const [session] = await packages.sessionsOf(orderId);
    await Promise.all(
      Array.from({ length: 8 }, () => sendWebhook(harness, 'checkout.session.completed', session!)),
    );
    await sendWebhook(harness, 'checkout.session.expired', {
      ...session,
      status: 'expired',
      payment_status: 'unpaid',
    });
    await packages.received(orderId);
    await packages.settled();
    expect(packages.bought(orderId)).toHaveLength(1);
    expect(await packages.buy(orderId)).toMatchObject({ body: { type: 'photo-package-active' } });
  });

  test('sells before the answer to its creation arrives', async () => {
    const { orderId } = await aPaidPayment(harness);
    // The price is cached, so the next call to Stripe creates the session.
    await packages.buy((await aPaidPayment(harness)).orderId);
    harness.door.set('held');
    const answering = packages.buy(orderId);
    const [session] = await waitFor(async () => {
      const sessions = await packages.sessionsOf(orderId);
      return sessions.length > 0 && sessions;
    });
    await payOnPage(harness, session!.url!);
    await packages.received(orderId);
    harness.door.set('open');
    expect([200, 409]).toContain((await answering).status);
    expect(packages.bought(orderId)).toHaveLength(1);
  });

  test('holds the place while money is on its way, and frees it when the payment fails', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await packages.buy(orderId);
    const [session] = await packages.sessionsOf(orderId);
    const waiting = { ...session, status: 'complete', payment_status: 'unpaid', url: null };
    await sendWebhook(harness, 'checkout.session.completed', waiting);
    expect(await packages.buy(orderId)).toMatchObject({
      status: 409,
      body: { type: 'photo-package-active' },
    });
    await sendWebhook(harness, 'checkout.session.async_payment_failed', waiting);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([{ status: 'failed' }]);
    expect((await packages.buy(orderId)).status).toBe(200);
  });

  test('sells when the money arrives later', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await packages.buy(orderId);
    const [session] = await packages.sessionsOf(orderId);
    const done = { ...session, status: 'complete', url: null, payment_intent: 'pi_later' };
    await sendWebhook(harness, 'checkout.session.completed', { ...done, payment_status: 'unpaid' });
    await sendWebhook(harness, 'checkout.session.async_payment_succeeded', {
      ...done,
      payment_status: 'paid',
    });
    expect((await packages.received(orderId)).data.transactionId).toBe('pi_later');
  });

  test('sells nothing for another amount, and alerts operators', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await packages.buy(orderId);
    const [session] = await packages.sessionsOf(orderId);
    const paid = { ...session, status: 'complete', payment_status: 'paid', amount_total: 25, url: null };
    await sendWebhook(harness, 'checkout.session.completed', paid);
    expect(await packages.purchasesOf(paymentId)).toMatchObject([{ status: 'mismatched' }]);
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'paid is not what the package costs' }),
    );
    await packages.settled();
    expect(packages.bought(orderId)).toEqual([]);
  });

  test('without a purchase of ours is recorded and ignored', async () => {
    const session = await harness.sandbox.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: 'price_lifetime', quantity: 1 }],
      success_url: 'https://arboleda.test/',
    });
    expect((await sendWebhook(harness, 'checkout.session.expired', session)).status).toBe(200);
  });

  test('is found on Stripe’s list when the webhook was lost', async () => {
    const { orderId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
    expect(packages.bought(orderId)).toEqual([]);
    await reconcile(harness);
    await packages.received(orderId);
    await reconcile(harness);
    await packages.settled();
    expect(packages.bought(orderId)).toHaveLength(1);
  });
});
