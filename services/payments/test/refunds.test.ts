import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { grove, type Harness, openHarness, quoteOf, QUIET } from './harness.ts';
import { aPaidPayment, attention, reconcile, refund, shown, sendWebhook, webhooks } from './actions.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

const refundsAtStripe = async (intentId: string) =>
  (await harness.sandbox.stripe.refunds.list({ payment_intent: intentId })).data;
const published = (paymentId: string) =>
  harness.events.all('payment.refunded').filter(({ data }) => data.paymentId === paymentId);
async function dispute(intentId: string): Promise<Record<string, unknown>> {
  const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
  return harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge, reason: 'fraudulent' });
}
/** Waits until all earlier events are published. */
async function settled(): Promise<void> {
  const other = await aPaidPayment(harness);
  await refund(harness, other.paymentId);
  await harness.events.next('payment.refunded', ({ data }) => data.paymentId === other.paymentId);
}

describe('an admin refunds', () => {
  test('the whole amount, and it is published once', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    const answer = await refund(harness, paymentId, { reason: 'the donor paid twice' });
    expect(answer.status).toBe(201);
    expect(answer.body.refund).toMatchObject({
      amount: 2000,
      currency: 'USD',
      reason: 'the donor paid twice',
      status: 'succeeded',
      method: 'card',
      by: { role: 'admin', id: 'admin-1', name: 'Lucía' },
    });
    const { data, key } = await harness.events.next(
      'payment.refunded',
      (one) => one.data.paymentId === paymentId,
    );
    expect(key).toBe(orderId);
    expect(data).toEqual({
      orderId,
      paymentId,
      refundId: answer.body.refund.refundId,
      amountMinor: 2000,
      currency: 'USD',
      paidMinor: 2000,
      refundedMinor: 2000,
      isFull: true,
      reason: 'the donor paid twice',
      by: { role: 'admin', id: 'admin-1', name: 'Lucía' },
      at: expect.any(String),
    });
    expect(await refundsAtStripe(intentId)).toMatchObject([
      { id: answer.body.refund.transactionId, amount: 2000 },
    ]);
    expect(await harness.metrics()).toMatch(/payments_refunds_total\{status="succeeded"[^}]*\} [1-9]/);
    await settled();
    expect(published(paymentId)).toHaveLength(1);
  });

  test('in parts, until nothing is left', async () => {
    const { paymentId } = await aPaidPayment(harness);
    expect((await refund(harness, paymentId, { amount: 500, reason: 'one tree less' })).status).toBe(201);
    const first = await harness.events.next('payment.refunded', ({ data }) => data.paymentId === paymentId);
    expect(first.data).toMatchObject({ amountMinor: 500, refundedMinor: 500, isFull: false });
    expect(await refund(harness, paymentId, { amount: 1501, reason: 'too much' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'amount', type: 'too-big' }] },
    });
    expect((await refund(harness, paymentId)).body.refund.amount).toBe(1500);
    const second = await harness.events.next('payment.refunded', ({ data }) => data.paymentId === paymentId);
    expect(second.data).toMatchObject({ amountMinor: 1500, refundedMinor: 2000, isFull: true });
    expect(await refund(harness, paymentId)).toMatchObject({
      status: 409,
      body: { type: 'nothing-to-refund' },
    });
    expect(await shown(harness, paymentId)).toMatchObject({
      status: 'succeeded',
      refundedAmount: 2000,
      refunds: [{ amount: 500 }, { amount: 1500 }],
    });
  });

  test('whole units in zero-decimal currencies', async () => {
    const quote = await quoteOf({ currency: 'CLP', rate: 936.41 });
    const { paymentId, intentId } = await aPaidPayment(harness, { ...grove, currency: 'CLP', quote });
    expect(await refund(harness, paymentId, { amount: 50, reason: 'half a peso' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'amount', type: 'invalid' }] },
    });
    expect((await refund(harness, paymentId, { amount: 100_000, reason: 'a thousand' })).status).toBe(201);
    expect(await refundsAtStripe(intentId)).toMatchObject([{ amount: 1000, currency: 'clp' }]);
  });
});

describe('once', () => {
  test('when a key is repeated', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const body = { amount: 700, reason: 'a mistake' };
    const answers = await Promise.all([1, 2, 3].map(() => refund(harness, paymentId, body, 'the-same-key')));
    answers.push(await refund(harness, paymentId, body, 'the-same-key'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.refund.refundId)).size).toBe(1);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
    const other = await refund(harness, paymentId, { ...body, amount: 800 }, 'the-same-key');
    expect(other).toMatchObject({ status: 409, body: { type: 'idempotency-conflict' } });
  });

  test('without a key while another is under way: the second is asked to wait', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const body = { amount: 700, reason: 'a mistake' };
    await webhooks(harness, 'lose');
    const before = harness.door.requests.length;
    harness.door.set('held');
    const first = refund(harness, paymentId, body);
    await waitFor(() => harness.door.requests.slice(before).some(({ path }) => path === '/v1/refunds'));
    expect(await refund(harness, paymentId, body)).toMatchObject({
      status: 409,
      body: { type: 'refund-in-hand' },
    });
    harness.door.set('open');
    expect((await first).status).toBe(201);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
  });

  test('when two admins refund at once: never more than was paid', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const answers = await Promise.all(
      ['one-admins-key', 'other-admins-key'].map((key) =>
        refund(harness, paymentId, { amount: 1500, reason: 'most of it' }, key),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
  });
});

describe('a refund at Stripe', () => {
  test('is pending while it takes time, and published when done; a late webhook changes nothing', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const made = await harness.sandbox.stripe.refunds.create({ payment_intent: intentId, amount: 300 });
    await sendWebhook(harness, 'refund.created', { ...made, status: 'pending' });
    expect((await shown(harness, paymentId)).refunds).toMatchObject([{ amount: 300, status: 'pending' }]);
    expect(await refund(harness, paymentId)).toMatchObject({ body: { type: 'refund-in-hand' } });
    expect(published(paymentId)).toEqual([]);
    await sendWebhook(harness, 'refund.updated', made);
    await sendWebhook(harness, 'refund.created', { ...made, status: 'pending' });
    await sendWebhook(harness, 'refund.updated', made);
    await harness.events.next('payment.refunded', ({ data }) => data.paymentId === paymentId);
    await webhooks(harness, 'deliver');
    await settled();
    expect(published(paymentId)).toHaveLength(1);
    expect((await shown(harness, paymentId)).refunds).toMatchObject([{ status: 'succeeded' }]);
  });

  test('is shown as failed when the bank returns it, and can be repeated', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await refund(harness, paymentId, { amount: 2000, reason: 'all' });
    const [made] = await refundsAtStripe(intentId);
    await sendWebhook(harness, 'refund.failed', {
      ...made,
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    });
    expect(await shown(harness, paymentId)).toMatchObject({
      refundedAmount: 0,
      refunds: [{ status: 'failed', failureReason: 'expired_or_canceled_card' }],
    });
    const { data } = await harness.events.next(
      'payment.refund_failed',
      (event) => event.data.paymentId === paymentId,
    );
    expect(data).toMatchObject({ amountMinor: 2000, currency: 'USD', reason: 'expired_or_canceled_card' });
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'a refund failed: the money is still here' }),
    );
  });

  test('stays in the queue of owed refunds until it is paid', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    await refund(harness, paymentId, { amount: 1500, reason: 'fewer trees' });
    const [made] = await refundsAtStripe(intentId);
    await harness.sandbox.control('POST', `/refunds/${made!.id}/fail`);
    await harness.events.next('payment.refund_failed', ({ data }) => data.paymentId === paymentId);
    const ofThis = async () =>
      (await attention(harness)).toReturn.filter((one: { orderId: string }) => one.orderId === orderId);
    expect(await ofThis()).toEqual([
      {
        paymentId,
        orderId,
        shortId: orderId.slice(-6).toUpperCase(),
        customerName: 'Ana García',
        amount: 1500,
        currency: 'USD',
        failureReason: 'expired_or_canceled_card',
        since: expect.any(String),
      },
    ]);
    const sent = await refund(harness, paymentId, { amount: 1000, reason: 'to their account', byHand: true });
    expect(sent).toMatchObject({ status: 201, body: { refund: { method: 'hand', status: 'succeeded' } } });
    expect(await ofThis()).toMatchObject([{ amount: 500 }]);
    const news = await harness.events.next(
      'payment.refunded',
      ({ data }) => data.refundId === sent.body.refund.refundId,
    );
    expect(news.data).toMatchObject({ byHand: true, amountMinor: 1000 });
    await refund(harness, paymentId, { amount: 500, reason: 'the rest' });
    expect(await ofThis()).toEqual([]);
    expect(await refundsAtStripe(intentId)).toHaveLength(2);
  });

  test('leaves the queue when an admin records why the money stays', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    const { body } = await refund(harness, paymentId, { amount: 500, reason: 'one tree less' });
    const { refundId: id } = body.refund;
    const dismiss = (reason = 'they gave it') =>
      harness.admin('POST /api/admin/refunds/{id}/dismissal', { params: { id }, body: { reason } });
    expect(await dismiss()).toMatchObject({ status: 409, body: { type: 'conflict' } });
    const [made] = await refundsAtStripe(intentId);
    await harness.sandbox.control('POST', `/refunds/${made!.id}/fail`);
    await harness.events.next('payment.refund_failed', ({ data }) => data.refundId === id);
    const answer = await dismiss();
    expect(answer).toMatchObject({
      status: 200,
      body: { refund: { status: 'failed', dismissed: { reason: 'they gave it', by: { name: 'Lucía' } } } },
    });
    expect((await dismiss('another reason')).body).toEqual(answer.body);
    const { toReturn } = await attention(harness);
    expect(toReturn.filter((one: { orderId: string }) => one.orderId === orderId)).toEqual([]);
    const nobodys = { params: { id: paymentId }, body: { reason: 'x' } };
    expect((await harness.admin('POST /api/admin/refunds/{id}/dismissal', nobodys)).status).toBe(404);
  });

  test('with the id of an earlier one counts as a second refund', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const { body } = await refund(harness, paymentId, { amount: 500, reason: 'one tree less' });
    const [first] = await refundsAtStripe(intentId);
    await webhooks(harness, 'lose');
    const second = await harness.sandbox.stripe.refunds.create({
      payment_intent: intentId,
      amount: 500,
      metadata: first!.metadata!,
    });
    await sendWebhook(harness, 'refund.created', second);
    expect(await shown(harness, paymentId)).toMatchObject({
      refundedAmount: 1000,
      refunds: expect.arrayContaining([
        expect.objectContaining({ refundId: body.refund.refundId, transactionId: first!.id }),
        expect.objectContaining({ transactionId: second.id }),
      ]),
    });
  });

  test('made in the dashboard appears by its webhook', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const made = await harness.sandbox.stripe.refunds.create({ payment_intent: intentId, amount: 300 });
    const { data } = await harness.events.next(
      'payment.refunded',
      (event) => event.data.paymentId === paymentId,
    );
    expect(data).toMatchObject({ amountMinor: 300, refundedMinor: 300, isFull: false });
    expect(data).not.toHaveProperty('by');
    expect((await shown(harness, paymentId)).refunds).toMatchObject([{ transactionId: made.id }]);
  });

  test('made in the dashboard whose webhook was lost is found on Stripe’s list', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await harness.sandbox.stripe.refunds.create({ payment_intent: intentId });
    await reconcile(harness);
    const { data } = await harness.events.next(
      'payment.refunded',
      (event) => event.data.paymentId === paymentId,
    );
    expect(data).toMatchObject({ amountMinor: 2000, isFull: true });
    await reconcile(harness);
    expect(published(paymentId)).toHaveLength(1);
  });

  test('is settled even when its webhook arrives before the payment’s', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    const intent = await harness.pay(answer);
    const made = await harness.sandbox.stripe.refunds.create({ payment_intent: intent.id });
    expect((await sendWebhook(harness, 'refund.created', made)).status).toBe(200);
    const orderId = answer.body.orderId;
    await harness.events.next('payment.succeeded', ({ data }) => data.orderId === orderId);
    await harness.events.next('payment.refunded', ({ data }) => data.orderId === orderId);
  });

  test('of somebody else’s payment is recorded and ignored', async () => {
    const intent = await harness.sandbox.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      return_url: 'https://arboleda.test/',
    });
    const made = await harness.sandbox.stripe.refunds.create({ payment_intent: intent.id });
    expect((await sendWebhook(harness, 'refund.created', made)).status).toBe(200);
    expect(await harness.query('select 1 from refunds where stripe_id = $1', [made.id])).toEqual([]);
  });
});

describe('a refund is refused', () => {
  test('for what was not paid or does not exist', async () => {
    const answer = await harness.checkout();
    const open = (await harness.payments()).find((one) => one.order_id === answer.body.orderId)!;
    expect(await refund(harness, open.id)).toMatchObject({
      status: 409,
      body: { type: 'nothing-to-refund' },
    });
    expect((await refund(harness, '7b0d4c0e-9d6c-4d8e-8d0b-5b7f6f1f6a01')).status).toBe(404);
    expect((await refund(harness, 'no-payment')).status).toBe(404);
  });

  test.each([
    ['no reason', { amount: 100 }, 'reason', 'required'],
    ['a reason of blanks', { reason: '  ' }, 'reason', 'required'],
    ['half a character', { reason: 'a\ud800' }, 'reason', 'invalid'],
    ['nothing', { amount: 0, reason: 'x' }, 'amount', 'too-small'],
    ['half a cent', { amount: 0.5, reason: 'x' }, 'amount', 'not-an-integer'],
  ])('with %s', async (_what, body, path, type) => {
    const { paymentId } = await aPaidPayment(harness);
    expect(await refund(harness, paymentId, body)).toMatchObject({
      status: 422,
      body: { errors: [{ path, type }] },
    });
  });

  test('by Stripe, when the bank has taken the money back: it is recorded, and can be retried', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await dispute(intentId);
    expect(await refund(harness, paymentId)).toMatchObject({ status: 409, body: { type: 'refund-refused' } });
    expect((await shown(harness, paymentId)).refunds).toMatchObject([
      { status: 'failed', failureReason: 'charge_disputed' },
    ]);
    expect(await refund(harness, paymentId)).toMatchObject({ status: 409, body: { type: 'refund-refused' } });
  });

  test('by Stripe, and again with the same key: nobody takes it for done', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await dispute(intentId);
    for (const _time of [1, 2]) {
      expect(await refund(harness, paymentId, { reason: 'all' }, 'a-refused-key')).toMatchObject({
        status: 409,
        body: { type: 'refund-refused' },
      });
    }
    expect((await shown(harness, paymentId)).refunds).toHaveLength(1);
  });
});

describe('when Stripe’s answer is lost', () => {
  test('the refund stays pending, and the reconciler learns that it was made: once', async () => {
    const quick = await openHarness({ reconcile: { ...QUIET, intervalMs: 200, afterMs: 100 } });
    try {
      const { paymentId, intentId } = await aPaidPayment(quick);
      await webhooks(quick, 'lose');
      quick.door.set('silent');
      const answer = await refund(quick, paymentId);
      expect(answer).toMatchObject({ status: 201, body: { refund: { status: 'pending' } } });
      quick.door.set('open');
      const { data } = await quick.events.next('payment.refunded');
      expect(data).toMatchObject({ paymentId, refundId: answer.body.refund.refundId, isFull: true });
      const made = await quick.sandbox.stripe.refunds.list({ payment_intent: intentId });
      expect(made.data).toHaveLength(1);
    } finally {
      await quick.close();
    }
  });
});
