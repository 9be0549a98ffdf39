import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Harness, intentIdOf, openHarness } from './harness.ts';
import { aPaidPayment, reconcile, shown, sendWebhook, webhooks } from './actions.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

async function dispute(intentId: string): Promise<Record<string, unknown>> {
  const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
  return harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge, reason: 'fraudulent' });
}

const publishedStatuses = (orderId: string) =>
  harness.events
    .all('payment.disputed')
    .filter(({ data }) => data.orderId === orderId)
    .map(({ data }) => data.status);

describe('a dispute', () => {
  test('is recorded and published', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    const made = await dispute(intentId);
    const { data } = await harness.events.next('payment.disputed', (event) => event.data.orderId === orderId);
    expect(data).toEqual({
      orderId,
      paymentId,
      disputeId: made.id,
      paidMinor: 2000,
      lostMinor: 0,
      amountMinor: 2000,
      currency: 'USD',
      reason: 'fraudulent',
      status: 'needs_response',
      at: expect.any(String),
    });
    expect(await shown(harness, paymentId)).toMatchObject({
      isDisputed: true,
      disputes: [{ disputeId: made.id, amount: 2000, status: 'needs_response', reason: 'fraudulent' }],
    });
    expect(await harness.metrics()).toMatch(/payments_disputes_total\{status="needs_response"[^}]*\} [1-9]/);
  });

  test('is published once per change of status, whatever order the webhooks come in', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const made = await dispute(intentId);
    for (const status of [
      'needs_response',
      'under_review',
      'needs_response',
      'under_review',
      'won',
      'under_review',
      'won',
    ]) {
      await sendWebhook(harness, 'charge.dispute.updated', { ...made, status });
    }
    await waitFor(() => publishedStatuses(orderId).length === 3);
    expect((await shown(harness, paymentId)).disputes).toMatchObject([{ status: 'won' }]);
    await reconcile(harness);
    expect(publishedStatuses(orderId).sort()).toEqual(['needs_response', 'under_review', 'won']);
  });

  test('whose webhook is lost is found on Stripe’s list', async () => {
    const { orderId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await dispute(intentId);
    await reconcile(harness);
    await harness.events.next('payment.disputed', ({ data }) => data.orderId === orderId);
  });

  test('that arrives before the payment’s webhook is published after the payment', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    await harness.pay(answer);
    const made = await dispute(intentIdOf(answer));
    expect((await sendWebhook(harness, 'charge.dispute.created', made)).status).toBe(200);
    await harness.events.next('payment.succeeded', ({ data }) => data.orderId === answer.body.orderId);
    await harness.events.next('payment.disputed', ({ data }) => data.orderId === answer.body.orderId);
  });

  test('that changes twice within a millisecond is published with two times', async () => {
    const { orderId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    const made = await dispute(intentId);
    await Promise.all(
      ['needs_response', 'under_review', 'lost'].map((status) =>
        sendWebhook(harness, 'charge.dispute.updated', { ...made, status }),
      ),
    );
    const received = await waitFor(() => {
      const all = harness.events.all('payment.disputed').filter(({ data }) => data.orderId === orderId);
      return all.some(({ data }) => data.status === 'lost') && all;
    });
    const latest = received.toSorted((a, b) => a.data.at.localeCompare(b.data.at)).at(-1)!;
    expect(latest.data.status).toBe('lost');
    expect(new Set(received.map(({ data }) => data.at)).size).toBe(received.length);
  });
});
