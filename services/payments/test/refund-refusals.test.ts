import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness } from './harness.ts';
import { aPaidPayment, refund, shown } from './shop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('a refund is refused', () => {
  test('for what was not paid, or is not there', async () => {
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

  test('by Stripe, when the bank has taken the money back: it is noted, and can be tried again', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
    await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge });
    expect(await refund(harness, paymentId)).toMatchObject({ status: 409, body: { type: 'refund-refused' } });
    expect((await shown(harness, paymentId)).refunds).toMatchObject([
      { status: 'failed', failureReason: 'charge_disputed' },
    ]);
    expect(await refund(harness, paymentId)).toMatchObject({ status: 409, body: { type: 'refund-refused' } });
  });

  test('by Stripe, and again with the same key: nobody takes it for done', async () => {
    const { paymentId, intentId } = await aPaidPayment(harness);
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
    await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge });
    for (const _time of [1, 2]) {
      expect(await refund(harness, paymentId, { reason: 'all' }, 'a-refused-key')).toMatchObject({
        status: 409,
        body: { type: 'refund-refused' },
      });
    }
    expect((await shown(harness, paymentId)).refunds).toHaveLength(1);
  });
});
