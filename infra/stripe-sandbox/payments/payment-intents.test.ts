import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { openSandbox, type TestSandbox } from '../testing/sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openSandbox();
  ({ stripe } = sandbox);
});
afterAll(() => sandbox.remove());

const NO_REDIRECTS = { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } } as const;
const anIntent = (overrides: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 2500, currency: 'usd', ...NO_REDIRECTS, ...overrides });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: Stripe.errors.StripeError) => error,
  );

describe('a new payment intent', () => {
  test('waits for a payment method and keeps what it was given', async () => {
    const intent = await anIntent({
      currency: 'COP',
      amount: 8_230_000,
      metadata: { quote: 'q_1', empty: '' },
      receipt_email: 'ana@example.com',
      description: '5 trees',
    });
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 8_230_000,
      amount_received: 0,
      currency: 'cop',
      description: '5 trees',
      latest_charge: null,
      livemode: false,
      metadata: { quote: 'q_1' },
      receipt_email: 'ana@example.com',
      status: 'requires_payment_method',
    });
    expect(intent.id).toMatch(/^pi_3\w{24}$/);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test.each([
    [{ amount: undefined }, 'parameter_missing', 'amount'],
    [{ currency: undefined }, 'parameter_missing', 'currency'],
    [{ amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1.5 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 49 }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ currency: 'tree' }, undefined, 'currency'],
    [{ receipt_email: 'nobody' }, 'email_invalid', 'receipt_email'],
    [{ colour: 'green' }, 'parameter_unknown', 'colour'],
    [{ payment_method: 'pm_nobody' }, 'resource_missing', 'payment_method'],
  ])('is refused with %j', async (wrong, code, param) => {
    const error = await refusal(anIntent(wrong as object));
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, code, param });
  });

  test('needs the secret key', async () => {
    const { status, body } = await sandbox.browser('POST', '/payment_intents', {
      amount: '2500',
      currency: 'usd',
    });
    expect(status).toBe(401);
    expect(body.error.code).toBe('secret_key_required');
    const answer = await fetch(`${sandbox.apiUrl}/v1/payment_intents`, {
      headers: { Authorization: 'Bearer sk_test_other' },
    });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('sk_test_other');
  });

  test('is in the list, newest first, page by page', async () => {
    const made = [await anIntent(), await anIntent(), await anIntent()].map(({ id }) => id).reverse();
    const first = await stripe.paymentIntents.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(first.has_more).toBe(true);
    const seen: string[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 2, created: { gte: 1 } }))
      seen.push(intent.id);
    expect(seen.slice(0, 3)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
    expect((await stripe.paymentIntents.list({ created: { lt: 1000 } })).data).toEqual([]);
  });

  test('can change until it is paid', async () => {
    const { id } = await anIntent({ metadata: { keep: '1', drop: '2' } });
    const changed = await stripe.paymentIntents.update(id, {
      amount: 3000,
      metadata: { drop: '', add: '3' },
    });
    expect(changed).toMatchObject({ amount: 3000, metadata: { keep: '1', add: '3' } });
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    const error = await refusal(stripe.paymentIntents.update(id, { amount: 1 }));
    expect(error.code).toBe('payment_intent_unexpected_state');
  });

  test('can be canceled, and then neither paid nor canceled again', async () => {
    const { id } = await anIntent();
    const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    for (const attempt of [
      stripe.paymentIntents.cancel(id),
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    ]) {
      expect((await refusal(attempt)).code).toBe('payment_intent_unexpected_state');
    }
  });
});

describe('confirming', () => {
  test('with a good card pays: the charge tells card and fee', async () => {
    const { id } = await anIntent();
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge.balance_transaction'],
    });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2500, next_action: null });
    const charge = paid.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({
      paid: true,
      captured: true,
      amount: 2500,
      payment_intent: id,
      status: 'succeeded',
    });
    expect(charge.payment_method_details?.card).toMatchObject({ brand: 'visa', last4: '4242' });
    expect(charge.balance_transaction).toMatchObject({
      amount: 2500,
      fee: 103,
      net: 2397,
      source: charge.id,
    });
    const again = await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
    expect(again).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 });
    expect(again.payment_intent?.status).toBe('succeeded');
  });

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
    [
      'pm_card_chargeDeclinedIncorrectCvc',
      'incorrect_cvc',
      'incorrect_cvc',
      "Your card's security code is incorrect.",
    ],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error', /processing your card/],
  ])('with %s is declined, and another card may be tried', async (method, code, declineCode, message) => {
    const { id } = await anIntent();
    const error = await refusal(stripe.paymentIntents.confirm(id, { payment_method: method }));
    expect(error).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code: declineCode,
    });
    expect(error.message).toMatch(message);
    expect(error.payment_intent).toMatchObject({
      id,
      status: 'requires_payment_method',
      payment_method: null,
    });
    const kept = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(kept.last_payment_error).toMatchObject({ code, charge: (kept.latest_charge as Stripe.Charge).id });
    expect(kept.latest_charge).toMatchObject({ status: 'failed', failure_code: code, paid: false });
    expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe(
      'succeeded',
    );
  });

  test('from the server needs a return_url when methods may redirect', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
    const error = await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
    expect(error.param).toBe('return_url');
  });

  test('without a payment method is refused', async () => {
    const { id } = await anIntent();
    expect((await refusal(stripe.paymentIntents.confirm(id))).message).toMatch(/missing a payment method/);
  });

  test('can happen while creating', async () => {
    const paid = await anIntent({ confirm: true, payment_method: 'pm_card_mastercard' });
    expect(paid.status).toBe('succeeded');
  });

  test('with a slow method is processing until it settles', async () => {
    const { id } = await anIntent();
    const waiting = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_processing' });
    expect(waiting).toMatchObject({ status: 'processing', latest_charge: null });
    await sandbox.control('POST', `/payment_intents/${id}/settle`, { outcome: 'succeeded' });
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
    await expect(sandbox.control('POST', `/payment_intents/${id}/settle`)).rejects.toThrow(/processing/);

    const other = await anIntent({ confirm: true, payment_method: 'pm_card_processing' });
    await sandbox.control('POST', `/payment_intents/${other.id}/settle`, { outcome: 'failed' });
    expect(await stripe.paymentIntents.retrieve(other.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
  });
});
