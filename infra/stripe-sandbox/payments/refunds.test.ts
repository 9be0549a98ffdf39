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

const pay = (payment_method = 'pm_card_visa') =>
  stripe.paymentIntents.create({
    amount: 2500,
    currency: 'usd',
    confirm: true,
    payment_method,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
const chargeOf = (intent: Stripe.PaymentIntent) => intent.latest_charge as string;

test('a payment is given back in full', async () => {
  const intent = await pay();
  const refund = await stripe.refunds.create({ payment_intent: intent.id, reason: 'requested_by_customer' });
  expect(refund).toMatchObject({ amount: 2500, charge: chargeOf(intent), status: 'succeeded' });
  expect(await stripe.charges.retrieve(chargeOf(intent))).toMatchObject({
    refunded: true,
    amount_refunded: 2500,
  });
  const moved = await stripe.balanceTransactions.retrieve(refund.balance_transaction as string);
  expect(moved).toMatchObject({ amount: -2500, fee: 0, type: 'refund' });
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
});

test('or in parts, never more than was paid', async () => {
  const intent = await pay();
  await expect(stripe.refunds.create({ charge: chargeOf(intent), amount: 2501 })).rejects.toThrow(
    'Refund amount ($25.01) is greater than charge amount ($25.00)',
  );
  await stripe.refunds.create({ charge: chargeOf(intent), amount: 1000 });
  expect(await stripe.charges.retrieve(chargeOf(intent))).toMatchObject({
    refunded: false,
    amount_refunded: 1000,
  });
  await expect(stripe.refunds.create({ charge: chargeOf(intent), amount: 1501 })).rejects.toThrow(
    /unrefunded amount/,
  );
  await stripe.refunds.create({ charge: chargeOf(intent) });
  const { data } = await stripe.refunds.list({ payment_intent: intent.id });
  expect(data.map(({ amount }) => amount)).toEqual([1500, 1000]);
  expect(await stripe.refunds.retrieve(data[0]?.id ?? '')).toEqual(data[0]);
});

test('each refund is told of, with what changed', async () => {
  const intent = await pay();
  await stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
  const { data } = await stripe.events.list({ types: ['charge.refunded', 'refund.created'], limit: 2 });
  expect(data.map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded']);
  expect(data[1]?.data.previous_attributes).toEqual({ amount_refunded: 0, refunded: false });
});

test('what was not paid, or is disputed, cannot be given back', async () => {
  const unpaid = await stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
  await expect(stripe.refunds.create({ payment_intent: unpaid.id })).rejects.toThrow(/successful charge/);
  const disputed = await pay('pm_card_createDispute');
  await expect(stripe.refunds.create({ payment_intent: disputed.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  await expect(stripe.refunds.create({ charge: 'ch_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  });
  await expect(stripe.refunds.create({})).rejects.toMatchObject({ code: 'parameter_missing' });
});
