import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { openSandbox, type TestSandbox } from '../test/sandbox.ts';

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
  });

const chargeOf = (intent: Stripe.PaymentIntent) => intent.latest_charge as string;

test('refunds a payment in full', async () => {
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

test('sends an event for each refund, with the changes', async () => {
  const intent = await pay();
  await stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
  const { data } = await stripe.events.list({ types: ['charge.refunded', 'refund.created'], limit: 2 });
  expect(data.map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded']);
  expect(data[1]?.data.previous_attributes).toEqual({ amount_refunded: 0, refunded: false });
});

test('rejects refunds of unpaid or disputed payments', async () => {
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

const anIntent = (overrides: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 2500, currency: 'usd', ...overrides });

describe('3D Secure', () => {
  const asked = async () => {
    const intent = await anIntent();
    return stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_authenticationRequired' });
  };
  const answer = (intent: Stripe.PaymentIntent, outcome: string) =>
    sandbox.browser('POST', `/payment_intents/${intent.id}/authenticate`, {
      client_secret: intent.client_secret ?? '',
      outcome,
    });

  test('requires an action, and pays once it is done', async () => {
    const intent = await asked();
    expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    expect((await answer(intent, 'succeeded')).body.status).toBe('succeeded');
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ amount_received: 2500 });
    expect((await answer(intent, 'succeeded')).status).toBe(400);
  });

  test('leaves nothing paid when it fails, and another card may be tried', async () => {
    const intent = await asked();
    await answer(intent, 'failed');
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: { code: 'payment_intent_authentication_failure', type: 'invalid_request_error' },
    });
    expect((await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })).status).toBe(
      'succeeded',
    );
  });
});

describe('the browser, with the publishable key', () => {
  const CARD = { type: 'card', 'card[exp_month]': '12', 'card[exp_year]': '2034', 'card[cvc]': '123' };
  const card = (number: string) =>
    sandbox.browser('POST', '/payment_methods', { ...CARD, 'card[number]': number });

  test('pays with its own card, and sees neither metadata nor charge', async () => {
    const intent = await anIntent({ metadata: { secret: 'x' } });
    const { body: method } = await card('5555 5555 5555 4444');
    expect(method.card).toMatchObject({ brand: 'mastercard', last4: '4444', exp_year: 2034 });
    const { status, body } = await sandbox.browser('POST', `/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      payment_method: method.id,
    });
    expect(status).toBe(200);
    expect(body.status).toBe('succeeded');
    expect(body).not.toHaveProperty('metadata');
    expect(body).not.toHaveProperty('latest_charge');
  });

  test('sees an intent only with its client secret', async () => {
    const intent = await anIntent();
    const look = (params: Record<string, string>) =>
      sandbox.browser('GET', `/payment_intents/${intent.id}`, params);
    expect((await look({ client_secret: intent.client_secret ?? '' })).body.id).toBe(intent.id);
    expect((await look({ client_secret: `${intent.id}_secret_guess` })).status).toBe(400);
    expect((await look({ 'client_secret[guess]': '1' })).status).toBe(400);
    expect((await look({})).status).toBe(401);
  });

  test('cannot use a card that is not for tests', async () => {
    const { status, body } = await card('4111111111111111');
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', decline_code: 'live_mode_test_card' });
  });

  test('may call from any origin', async () => {
    const preflight = await fetch(`${sandbox.apiUrl}/v1/payment_methods`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });
});
