import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { openReceiver, openSandbox, type TestSandbox } from '../test/sandbox.ts';
import { checkAmount, display, knownCurrency } from './money.ts';

let stripe: Stripe;

describe('payment intents', () => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await openSandbox();
    ({ stripe } = sandbox);
  });

  afterAll(() => sandbox.remove());

  const anIntent = (overrides: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    stripe.paymentIntents.create({ amount: 2500, currency: 'usd', ...overrides });

  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error('It was not refused.');
      },
      (error: Stripe.errors.StripeError) => error,
    );

  describe('a new payment intent', () => {
    test('waits for a payment method and keeps its parameters', async () => {
      const intent = await anIntent({
        currency: 'COP',
        amount: 8_230_000,
        metadata: { quote: 'q_1', empty: '' },
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
      [{ colour: 'green' }, 'parameter_unknown', 'colour'],
      [{ payment_method: 'pm_nobody' }, 'resource_missing', 'payment_method'],
    ])('is rejected with %j', async (wrong, code, param) => {
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
    test('with a good card pays: the charge shows the card, and no fee yet', async () => {
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
      expect(charge.balance_transaction).toBeNull();
      const again = await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
      expect(again).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 });
      expect(again.payment_intent?.status).toBe('succeeded');
    });

    test.each([
      ['usd', 2500, { currency: 'usd', exchange_rate: null, amount: 2500, fee: 103, net: 2397 }],
      ['cop', 8_230_000, { currency: 'usd', exchange_rate: 0.00025, amount: 2058, fee: 111, net: 1947 }],
      ['clp', 20_000, { currency: 'usd', exchange_rate: 0.00107, amount: 2140, fee: 113, net: 2027 }],
    ])('in %s is settled later, in dollars, with a charge.updated event', async (currency, amount, moved) => {
      const { id } = await anIntent({ amount, currency });
      const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
      const chargeId = String(paid.latest_charge);
      await sandbox.control('POST', `/charges/${chargeId}/settle`);
      const charge = await stripe.charges.retrieve(chargeId, { expand: ['balance_transaction'] });
      expect(charge.balance_transaction).toMatchObject({ ...moved, source: chargeId, type: 'charge' });
      const { events } = await sandbox.control('GET', `/events?object=${chargeId}&type=charge.updated`);
      expect(events).toMatchObject([
        {
          data: {
            previous_attributes: { balance_transaction: null },
            object: { balance_transaction: expect.stringMatching(/^txn_/) },
          },
        },
      ]);
      await sandbox.control('POST', `/charges/${chargeId}/settle`);
      expect(
        (await sandbox.control('GET', `/events?object=${chargeId}&type=charge.updated`)).events,
      ).toHaveLength(1);
    });

    test('is settled by itself after a while, with a webhook', async () => {
      const receiver = await openReceiver();
      const other = await openSandbox({ settleAfterMs: 100, webhookUrl: receiver.url });
      try {
        const made = { amount: 2500, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' };
        await other.stripe.paymentIntents.create(made);
        const [event] = await receiver.received(1, 'charge.updated');
        expect(event!.data.object).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) });
      } finally {
        await other.remove();
        await receiver.close();
      }
    });

    test.each([
      ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
      [
        'pm_card_chargeDeclinedInsufficientFunds',
        'card_declined',
        'insufficient_funds',
        'Your card has insufficient funds.',
      ],
      ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
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
      expect(kept.last_payment_error).toMatchObject({
        code,
        charge: (kept.latest_charge as Stripe.Charge).id,
      });
      expect(kept.latest_charge).toMatchObject({ status: 'failed', failure_code: code, paid: false });
      expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe(
        'succeeded',
      );
    });

    test('without a payment method is rejected', async () => {
      const { id } = await anIntent();
      expect((await refusal(stripe.paymentIntents.confirm(id))).message).toMatch(/missing a payment method/);
    });

    test('can happen while creating', async () => {
      const paid = await anIntent({ confirm: true, payment_method: 'pm_card_visa' });
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
});

describe('an amount', () => {
  test.each([
    ['usd', 50],
    ['usd', 99_999_999],
    ['cop', 8_230_000],
    ['cop', 9_999_999_999],
    ['clp', 4_700],
    ['jpy', 50],
  ])('of %s %d can be charged', (currency, amount) =>
    expect(() => checkAmount(amount, currency)).not.toThrow(),
  );

  test.each([
    ['usd', 49],
    ['usd', 100_000_000],
    ['cop', 100_000],
    ['clp', 100],
    ['mxn', 999],
    ['eur', 0],
  ])('of %s %d cannot be charged', (currency, amount) =>
    expect(() => checkAmount(amount, currency)).toThrow(),
  );
});

test('a currency may be in capitals, but must be one that Stripe can charge', () => {
  expect(knownCurrency('COP')).toBe('cop');
  expect(() => knownCurrency('VES')).toThrow(/Invalid currency: ves/);
});

test('money is shown with its own decimals', () => {
  expect(display(1500, 'usd')).toBe('$15.00');
  expect(display(1500, 'jpy')).toBe('¥1,500');
});

describe('afterwards', () => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await openSandbox();
    ({ stripe } = sandbox);
  });

  afterAll(() => sandbox.remove());

  const pay = () =>
    stripe.paymentIntents.create({
      amount: 2500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });

  const typesOf = async (objectId: string) =>
    (await stripe.events.list({ limit: 100 })).data
      .filter(({ data }) => (data.object as { id?: string }).id === objectId)
      .map(({ type }) => type)
      .reverse();

  test('a failed refund is reported, and can be repeated', async () => {
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
      mode: 'payment',
      success_url: 'https://shop.example/thanks',
      line_items: [{ price: 'price_first_year', quantity: 1 }],
    });
    const answer = await fetch(`${session.url}/intent`, { method: 'POST' });
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
});
