import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, intentIdOf, openHarness } from './harness.ts';
import { aPaidPayment, reconcile, refund, shown, tellOf, webhooks } from './shop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());
beforeEach(() => webhooks(harness, 'deliver'));

const paymentOf = async (answer: Answer) =>
  (await harness.payments()).find((one) => one.order_id === answer.body.orderId)!;
const statusIs = (answer: Answer, status: string) =>
  waitFor(async () => (await paymentOf(answer)).status === status);
const paid = (answer: Answer) =>
  harness.events.next('payment.succeeded', ({ data }) => data.orderId === answer.body.orderId);
const settle = (answer: Answer, outcome: 'succeeded' | 'failed') =>
  harness.sandbox.control('POST', `/payment_intents/${intentIdOf(answer)}/settle`, { outcome });

describe('a payment that', () => {
  test('takes its time is processing, and then paid', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_processing');
    await statusIs(answer, 'processing');
    await settle(answer, 'succeeded');
    await paid(answer);
  });

  test('takes its time and fails can be tried again', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_processing');
    await statusIs(answer, 'processing');
    await settle(answer, 'failed');
    await harness.events.next('payment.failed', ({ data }) => data.orderId === answer.body.orderId);
    await statusIs(answer, 'open');
    await harness.pay(answer);
    await paid(answer);
  });

  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'open'],
  ])('asks for authentication waits for it, and %s when it has', async (outcome, status) => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_authenticationRequired');
    const { id } = await paymentOf(answer);
    await waitFor(async () =>
      (await harness.receipts()).some(
        (one) => one.type === 'payment_intent.requires_action' && one.payment_id === id,
      ),
    );
    expect((await paymentOf(answer)).status).toBe('open');
    await harness.sandbox.browser('POST', `/payment_intents/${intentIdOf(answer)}/authenticate`, {
      client_secret: answer.body.client_secret,
      outcome,
    });
    if (outcome === 'succeeded') await paid(answer);
    else await harness.events.next('payment.failed', ({ data }) => data.orderId === answer.body.orderId);
    expect((await paymentOf(answer)).status).toBe(status);
  });

  test('was canceled and is paid after all counts', async () => {
    const answer = await harness.checkout();
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(answer));
    await tellOf(harness, 'payment_intent.canceled', { ...intent, status: 'canceled' });
    await statusIs(answer, 'canceled');
    await harness.pay(answer);
    await paid(answer);
  });

  test('no webhook told of is found once, and its webhooks count as taken', async () => {
    const answer = await harness.checkout();
    await webhooks(harness, 'lose');
    const intent = await harness.pay(answer);
    const { events } = await harness.sandbox.control('GET', `/events?object=${intent.id}`);
    expect(events.length).toBeGreaterThan(0);
    await reconcile(harness);
    await paid(answer);
    const receipts = await harness.receipts();
    expect(receipts).toContainEqual(
      expect.objectContaining({ type: 'payment_intent.succeeded', payment_id: (await paymentOf(answer)).id }),
    );
    await reconcile(harness);
    expect(await harness.receipts()).toHaveLength(receipts.length);
  });

  test('paid something else can be given back, and nobody hears of an order', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    const intent = await harness.pay(answer);
    await tellOf(harness, 'payment_intent.succeeded', { ...intent, amount_received: 1500 });
    const { id, status } = await paymentOf(answer);
    expect(status).toBe('mismatched');
    expect(await shown(harness, id)).toMatchObject({
      amount: 2000,
      received: { amount: 1500, currency: 'USD' },
    });
    expect((await refund(harness, id)).body.refund).toMatchObject({ amount: 1500, status: 'succeeded' });
    await webhooks(harness, 'deliver');
    const other = await aPaidPayment(harness);
    await refund(harness, other.paymentId);
    await harness.events.next('payment.refunded', ({ data }) => data.paymentId === other.paymentId);
    expect(harness.events.all('payment.refunded').filter(({ data }) => data.paymentId === id)).toEqual([]);
  });
});
