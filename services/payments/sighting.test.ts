import { describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { paymentIdOf, sightingOf } from './sighting.ts';

const intent = (parts: object): Stripe.PaymentIntent =>
  ({
    id: 'pi_1',
    object: 'payment_intent',
    status: 'requires_payment_method',
    currency: 'cop',
    amount: 8_230_000,
    amount_received: 0,
    last_payment_error: null,
    latest_charge: null,
    metadata: { paymentId: 'p-1' },
    ...parts,
  }) as unknown as Stripe.PaymentIntent;

const charge = {
  id: 'ch_1',
  object: 'charge',
  created: 1_795_262_400,
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
};

describe('an intent of Stripe says', () => {
  test.each(['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'])(
    'with %s that it waits',
    (status) => expect(sightingOf(intent({ status }))).toEqual({ intentId: 'pi_1', outcome: 'waiting' }),
  );

  test.each(['processing', 'canceled'] as const)('%s in the same word', (status) => {
    expect(sightingOf(intent({ status }))).toEqual({ intentId: 'pi_1', outcome: status });
  });

  test('what was received, in our units, and by which card', () => {
    expect(
      sightingOf(
        intent({ status: 'succeeded', amount_received: 18_720, currency: 'clp', latest_charge: charge }),
      ),
    ).toEqual({
      intentId: 'pi_1',
      outcome: 'succeeded',
      received: { amountMinor: 1_872_000, currency: 'CLP' },
      card: { brand: 'visa', last4: '4242' },
      paidAt: '2026-11-21T12:00:00.000Z',
    });
  });

  test.each([
    ['is only named', 'ch_1'],
    ['is absent', null],
  ])('nothing of the card when the charge %s', (_what, latest_charge) => {
    const seen = sightingOf(intent({ status: 'succeeded', amount_received: 8_230_000, latest_charge }));
    expect(seen).toMatchObject({ outcome: 'succeeded', card: undefined, paidAt: undefined });
  });

  test('nothing of the card when it was paid otherwise', () => {
    const link = { ...charge, payment_method_details: { type: 'link', link: {} } };
    expect(sightingOf(intent({ status: 'succeeded', latest_charge: link }))).toMatchObject({
      card: undefined,
    });
  });

  test.each([
    [
      { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', charge: 'ch_1' },
      'ch_1',
      'lost_card',
    ],
    [{ type: 'card_error', code: 'expired_card', charge: 'ch_2' }, 'ch_2', 'expired_card'],
    [
      {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        payment_method: { id: 'pm_1' },
      },
      'pm_1',
      'payment_intent_authentication_failure',
    ],
    [{ type: 'api_error' }, 'api_error', 'api_error'],
  ])('why the last attempt failed: %j', (last_payment_error, attemptId, reason) => {
    expect(sightingOf(intent({ last_payment_error }))).toEqual({
      intentId: 'pi_1',
      outcome: 'failed',
      failure: { attemptId, reason },
    });
  });

  test('nothing of an earlier failure while the next attempt is under way', () => {
    const last_payment_error = { type: 'card_error', code: 'card_declined', charge: 'ch_1' };
    for (const status of ['requires_action', 'requires_confirmation', 'processing']) {
      expect(sightingOf(intent({ status, last_payment_error })).outcome).not.toBe('failed');
    }
  });
});

test('an intent that others made belongs to no payment', () => {
  expect(paymentIdOf(intent({}))).toBe('p-1');
  expect(paymentIdOf(intent({ metadata: {} }))).toBeUndefined();
  expect(paymentIdOf(intent({ metadata: undefined }))).toBeUndefined();
});
