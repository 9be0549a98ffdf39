import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { aPaidPayment, attention, refund, shown, webhooks } from './actions.ts';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const CLAIM = { reason: 'Withdrawal by the donor', byHand: true, claim: true };
const settle = (refundId: string, sent: boolean) =>
  harness.admin('POST /api/admin/refunds/{id}/settlement', { params: { id: refundId }, body: { sent } });
const refunded = (paymentId: string) =>
  harness.events.all('payment.refunded').filter(({ data }) => data.paymentId === paymentId);
const statusesOf = (orderId: string) =>
  harness.events
    .all('payment.refund_status_changed')
    .filter(({ data }) => data.orderId === orderId)
    .map(({ data }) => data.status);
const begun = async (key = 'key-of-clara') => {
  const paid = await aPaidPayment(harness);
  const { status, body } = await refund(harness, paid.paymentId, CLAIM, key);
  expect([status, body.refund.status, body.refund.method]).toEqual([201, 'pending', 'hand']);
  return { ...paid, refundId: String(body.refund.refundId) };
};

describe('a refund that an admin begins to send', () => {
  test('is announced, and published once it is sent', async () => {
    const { paymentId, orderId, refundId } = await begun();
    await waitFor(() => statusesOf(orderId).length === 1);
    expect(statusesOf(orderId)).toEqual(['pending']);
    expect(await shown(harness, paymentId)).toMatchObject({ leftAmount: 0, refundedAmount: 0 });
    expect(refunded(paymentId)).toEqual([]);
    const sent = await settle(refundId, true);
    expect(sent).toMatchObject({ status: 200, body: { refund: { status: 'succeeded' } } });
    expect((await settle(refundId, true)).body).toEqual(sent.body);
    expect(await settle(refundId, false)).toMatchObject({ status: 409, body: { type: 'conflict' } });
    const { data } = await harness.events.next('payment.refunded', (one) => one.data.paymentId === paymentId);
    expect(data).toMatchObject({ refundId, isFull: true, byHand: true, refundedMinor: 2000 });
    expect(await shown(harness, paymentId)).toMatchObject({ leftAmount: 0, refundedAmount: 2000 });
    expect(refunded(paymentId)).toHaveLength(1);
  });

  test.each([
    ['en', 'A refund of this payment is in progress. Please wait until it is done.'],
    ['es', 'Hay un reembolso de este pago en curso. Espera a que termine.'],
  ])('keeps another admin from refunding, whatever they ask, in %s', async (language, title) => {
    const { paymentId } = await begun();
    const asked = [CLAIM, { ...CLAIM, amount: 1 }, { reason: 'by card' }, { reason: 'sent', byHand: true }];
    for (const [at, body] of asked.entries()) {
      const answer = await harness.admin('POST /api/admin/payments/{id}/refunds', {
        params: { id: paymentId },
        body,
        headers: { 'Accept-Language': language, 'Idempotency-Key': `key-of-diego-${at}` },
      });
      expect(answer).toMatchObject({ status: 409, body: { type: 'refund-in-hand', title } });
    }
    expect((await shown(harness, paymentId)).refunds).toHaveLength(1);
  });

  test('is on the overview once nobody has noted for an hour whether it was sent', async () => {
    const { paymentId, refundId } = await begun();
    const toNote = async () =>
      (await attention(harness)).toNote.filter((one: { paymentId: string }) => one.paymentId === paymentId);
    expect(await toNote()).toEqual([]);
    await harness.query(
      `update payments.refunds set created_at = created_at - interval '2 hours' where id = $1`,
      [refundId],
    );
    expect(await toNote()).toMatchObject([{ amount: 2000, currency: 'USD', by: 'Lucía' }]);
    await settle(refundId, false);
    expect(await toNote()).toEqual([]);
  });

  test('is begun by one of two admins who begin at once', async () => {
    const { paymentId } = await aPaidPayment(harness);
    const answers = await Promise.all(
      ['key-of-clara', 'key-of-diego'].map((key) => refund(harness, paymentId, CLAIM, key)),
    );
    expect(answers.map(({ status, body }) => [status, body.type]).sort()).toEqual([
      [201, undefined],
      [409, 'refund-in-hand'],
    ]);
  });

  test('is the same when its call is repeated', async () => {
    const { paymentId, refundId } = await begun();
    expect((await refund(harness, paymentId, CLAIM, 'key-of-clara')).body.refund.refundId).toBe(refundId);
  });

  test('can be begun again when nothing was sent, which is announced', async () => {
    const { paymentId, orderId, refundId } = await begun();
    expect((await settle(refundId, false)).body.refund.status).toBe('canceled');
    expect(await settle(refundId, true)).toMatchObject({ status: 409, body: { type: 'conflict' } });
    await waitFor(() => statusesOf(orderId).includes('canceled'));
    expect(await shown(harness, paymentId)).toMatchObject({ leftAmount: 2000, toReturnAmount: 0 });
    expect((await refund(harness, paymentId, CLAIM, 'key-of-diego')).status).toBe(201);
    expect(refunded(paymentId)).toEqual([]);
  });

  test('is no refund through Stripe, and one through Stripe is not settled by hand', async () => {
    const { paymentId, orderId } = await aPaidPayment(harness);
    expect(await refund(harness, paymentId, { ...CLAIM, byHand: false })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'claim', type: 'invalid' }] },
    });
    const { body } = await refund(harness, paymentId, { amount: 500, reason: 'one tree less' });
    expect(await settle(body.refund.refundId, false)).toMatchObject({
      status: 409,
      body: { type: 'conflict' },
    });
    expect((await settle(paymentId, true)).status).toBe(404);
    await waitFor(() => statusesOf(orderId).length > 0);
  });

  test('is recorded in the audit log, from its beginning to its end', async () => {
    const { orderId, refundId } = await begun();
    await settle(refundId, true);
    const rows = await harness.query<{ action: string }>(
      `select entry ->> 'action' as action from _audit_log where order_id = $1 order by seq`,
      [orderId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['refund.made', 'refund.settled']);
  });
});

test('a refund that Stripe refuses is announced as ended', async () => {
  const { paymentId, orderId, intentId } = await aPaidPayment(harness);
  await webhooks(harness, 'deliver');
  const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
  await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge, reason: 'fraudulent' });
  expect((await refund(harness, paymentId)).body.type).toBe('refund-refused');
  await waitFor(() => statusesOf(orderId).length === 2);
  expect(statusesOf(orderId)).toEqual(['pending', 'failed']);
});
