import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Harness, intentIdOf, openHarness } from './harness.ts';
import { packageDesk } from './package-desk.ts';
import { aPaidPayment, payOnPage, reconcile, tellOf, webhooks } from './shop.ts';

let harness: Harness;
let desk: ReturnType<typeof packageDesk>;
beforeAll(async () => {
  harness = await openHarness();
  desk = packageDesk(harness);
});
afterAll(() => harness.close());
beforeEach(() => webhooks(harness, 'deliver'));

const statusOf = async (orderId: string) =>
  (await harness.payments()).find((one) => one.order_id === orderId)?.status;

test('a slow payment that failed is open again, also when its beginning is heard of last or by the reconciler', async () => {
  await webhooks(harness, 'hold');
  const [late, lost] = [await harness.checkout(), await harness.checkout()];
  for (const answer of [late, lost]) {
    await harness.pay(answer, 'pm_card_processing');
    await harness.sandbox.control('POST', `/payment_intents/${intentIdOf(answer)}/settle`, {
      outcome: 'failed',
    });
  }
  const { data } = await harness.sandbox.stripe.events.list({ limit: 100 });
  const events = data
    .filter((event) => (event.data.object as { id?: string }).id === intentIdOf(late))
    .map(({ id }) => id);
  // The newest first: the decline, then that it was under way.
  await harness.sandbox.control('POST', '/webhooks/release', { events });
  await harness.sandbox.control('POST', '/webhooks/lose', {});
  expect(await statusOf(String(late.body.orderId))).toBe('open');
  await reconcile(harness);
  expect(await statusOf(String(lost.body.orderId))).toBe('open');
});

test('money of a package that went back before we heard that it had come is noted', async () => {
  const { orderId, paymentId } = await aPaidPayment(harness);
  await webhooks(harness, 'hold');
  await payOnPage(harness, (await desk.buy(orderId)).body.checkoutUrl);
  const [session] = await desk.sessionsOf(orderId);
  const intentId = String(session!.payment_intent);
  const refund = await harness.sandbox.stripe.refunds.create({ payment_intent: intentId });
  expect((await tellOf(harness, 'refund.created', refund)).status).toBe(200);
  expect(await desk.purchasesOf(paymentId)).toMatchObject([
    { status: 'active', refunds: [{ amount: 2500, status: 'succeeded' }] },
  ]);
});

test('a dispute of a package is noted before we heard that it was paid', async () => {
  const { orderId, paymentId } = await aPaidPayment(harness);
  await webhooks(harness, 'hold');
  await payOnPage(harness, (await desk.buy(orderId)).body.checkoutUrl);
  const [session] = await desk.sessionsOf(orderId);
  const intent = await harness.sandbox.stripe.paymentIntents.retrieve(String(session!.payment_intent));
  const made = await harness.sandbox.control('POST', '/disputes', { charge: intent.latest_charge });
  expect((await tellOf(harness, 'charge.dispute.created', made)).status).toBe(200);
  expect(await desk.purchasesOf(paymentId)).toMatchObject([
    { status: 'active', disputes: [{ status: 'needs_response' }] },
  ]);
});

test('two changes of a dispute in one moment are told at two moments', async () => {
  const { orderId, intentId } = await aPaidPayment(harness);
  await webhooks(harness, 'lose');
  const { latest_charge: charge } = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
  const made = await harness.sandbox.control('POST', '/disputes', { charge });
  await Promise.all(
    ['needs_response', 'under_review', 'lost'].map((status) =>
      tellOf(harness, 'charge.dispute.updated', { ...made, status }),
    ),
  );
  const told = await waitFor(() => {
    const all = harness.events.all('payment.disputed').filter(({ data }) => data.orderId === orderId);
    return all.some(({ data }) => data.status === 'lost') && all;
  });
  const latest = told.toSorted((a, b) => a.data.at.localeCompare(b.data.at)).at(-1)!;
  expect(latest.data.status).toBe('lost');
  expect(new Set(told.map(({ data }) => data.at)).size).toBe(told.length);
});
