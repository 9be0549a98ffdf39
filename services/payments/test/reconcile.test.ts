import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, intentIdOf, openHarness, QUIET } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ reconcile: { ...QUIET, intervalMs: 100, afterMs: 50 } });
  await harness.sandbox.control('PUT', '/webhooks', { mode: 'lose' });
});
afterEach(() => harness.close());

const lookUps = () => harness.door.requests.filter(({ method }) => method === 'GET').length;

describe('when webhooks are lost', () => {
  test('a payment that was paid is found, and told as if the webhook had come', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    const { data } = await harness.events.next('payment.succeeded');
    expect(data).toMatchObject({
      orderId: answer.body.orderId,
      transactionId: intentIdOf(answer),
      amountMinor: 2000,
      card: { brand: 'visa', last4: '4242' },
    });
    expect(await harness.payments()).toMatchObject([{ status: 'succeeded', reconcile_at: null }]);
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="reconciler",result="succeeded"[^}]*\} 1/,
    );
  });

  test('a payment that was declined is told once, however often Stripe is asked', async () => {
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclined')).rejects.toThrow();
    expect((await harness.events.next('payment.failed')).data.reason).toBe('generic_decline');
    const before = lookUps();
    await waitFor(() => lookUps() > before + 2);
    expect(harness.events.all('payment.failed')).toHaveLength(1);
  });

  test('a payment that was canceled is known to be', async () => {
    const answer = await harness.checkout();
    await harness.sandbox.stripe.paymentIntents.cancel(intentIdOf(answer));
    await waitFor(async () => (await harness.payments())[0]?.status === 'canceled');
  });

  test('a webhook that comes late after all changes nothing', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    await harness.events.next('payment.succeeded');
    const { events } = await harness.sandbox.control('GET', '/events?type=payment_intent.succeeded');
    await harness.sandbox.control('POST', `/events/${events[0].id}/repeat`, { times: 3 });
    await waitFor(async () => (await harness.receipts()).length > 0);
    await harness.sandbox.control('PUT', '/webhooks', { mode: 'deliver' });
    const other = await harness.checkout();
    await harness.pay(other);
    await harness.events.next('payment.succeeded', ({ data }) => data.orderId === other.body.orderId);
    expect(harness.events.all('payment.succeeded')).toHaveLength(2);
  });
});

test('an intent that is paid before its payment is written down is found as soon as that is', async () => {
  await harness.sandbox.control('PUT', '/webhooks', { mode: 'deliver' });
  harness.door.set('held');
  const answering = harness.checkout();
  const [intent] = await waitFor(async () => {
    const intents = await harness.intents();
    return intents.length > 0 && intents;
  });
  // Nobody but we ourselves can, as the buyer is not told yet how.
  await harness.sandbox.stripe.paymentIntents.confirm(intent!.id, {
    ...{ payment_method: 'pm_card_visa', return_url: 'https://arboleda.test/' },
  });
  await waitFor(async () =>
    (await harness.receipts()).some(({ type }) => type === 'payment_intent.succeeded'),
  );
  harness.door.set('open');
  const answer = await answering;
  expect(answer.status).toBe(200);
  const { data } = await harness.events.next('payment.succeeded');
  expect(data).toMatchObject({ orderId: answer.body.orderId, transactionId: intent!.id });
});

test('while Stripe is away nothing is given up', async () => {
  const answer = await harness.checkout();
  harness.door.set('shut');
  await harness.pay(answer);
  await waitFor(() => harness.logs.some(({ msg }) => msg === 'a payment could not be reconciled'), 20_000);
  harness.door.set('open');
  expect((await harness.events.next('payment.succeeded')).data.orderId).toBe(answer.body.orderId);
});

test('one payment that cannot be looked up does not keep the others waiting', async () => {
  const gone = await harness.checkout();
  await harness.forgetIntent(gone);
  const answer = await harness.checkout();
  await harness.pay(answer);
  expect((await harness.events.next('payment.succeeded')).data.orderId).toBe(answer.body.orderId);
});
