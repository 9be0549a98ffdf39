import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { openSandbox, type TestSandbox } from '../testing/sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await openSandbox();
  ({ stripe } = sandbox);
});
afterAll(() => sandbox.remove());

const pay = () =>
  stripe.paymentIntents.create({
    ...{ amount: 2500, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
const typesOf = async (objectId: string) =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => (data.object as { id?: string }).id === objectId)
    .map(({ type }) => type)
    .reverse();

test('a refund that the bank does not take is told, and can be made again', async () => {
  const { id: payment_intent } = await pay();
  const refund = await stripe.refunds.create({ payment_intent });
  expect(await sandbox.control('POST', `/refunds/${refund.id}/fail`)).toMatchObject({ status: 'failed' });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
  expect(await typesOf(refund.id)).toEqual(['refund.created', 'refund.failed']);
  await expect(sandbox.control('POST', `/refunds/${refund.id}/fail`)).rejects.toThrow(/failed already/);
  expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 2500 });
});

test('a dispute is decided', async () => {
  const { latest_charge: charge } = await pay();
  const { id } = await sandbox.control('POST', '/disputes', { charge });
  await sandbox.control('POST', `/disputes/${id}/close`, { outcome: 'won' });
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'won' });
  expect(await typesOf(id)).toEqual(['charge.dispute.created', 'charge.dispute.closed']);
});

test.each([
  ['succeeded', 'paid', 'checkout.session.async_payment_succeeded'],
  ['failed', 'unpaid', 'checkout.session.async_payment_failed'],
])('a slow payment of a session that %s leaves it %s', async (outcome, payment_status, type) => {
  const session = await stripe.checkout.sessions.create({
    ...{ mode: 'payment', success_url: 'https://shop.example/thanks' },
    line_items: [{ price: 'price_first_year', quantity: 1 }],
  });
  const answer = await fetch(`${session.url}/intent`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' },
  });
  const [intent] = ((await answer.json()) as { clientSecret: string }).clientSecret.split('_secret_');
  await stripe.paymentIntents.confirm(intent!, {
    payment_method: 'pm_card_processing',
    return_url: 'https://shop.example/back',
  });
  const waiting = await stripe.checkout.sessions.retrieve(session.id);
  expect(waiting).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
  await sandbox.control('POST', `/payment_intents/${intent}/settle`, { outcome });
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status });
  expect(await typesOf(session.id)).toEqual(['checkout.session.completed', type]);
});
