import { describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { chargeFacts } from './charge.ts';

const intent = (latest_charge: unknown) => ({ id: 'pi_1', latest_charge }) as Stripe.PaymentIntent;
const moved = { id: 'txn_1', fee: 152, net: 1848, currency: 'usd', exchange_rate: 0.000243 };

describe('of a charge we keep', () => {
  test('its receipt, and its fee in the currency that Stripe pays out', () => {
    const charge = { id: 'ch_1', receipt_url: 'https://pay.stripe.test/r', balance_transaction: moved };
    expect(chargeFacts(intent(charge))).toEqual({
      chargeId: 'ch_1',
      receiptUrl: 'https://pay.stripe.test/r',
      fee: { feeMinor: 152, netMinor: 1848, currency: 'USD', exchangeRate: 0.000243 },
    });
  });

  test('amounts in our units where Stripe knows no cents', () => {
    const charge = {
      id: 'ch_1',
      receipt_url: null,
      balance_transaction: { ...moved, currency: 'clp', exchange_rate: null },
    };
    expect(chargeFacts(intent(charge))).toEqual({
      chargeId: 'ch_1',
      receiptUrl: undefined,
      fee: { feeMinor: 15_200, netMinor: 184_800, currency: 'CLP', exchangeRate: undefined },
    });
  });

  test.each([
    ['is not there', null],
    ['is only named', 'ch_1'],
    ['is not settled', { id: 'ch_1', balance_transaction: null }],
    ['has a settlement that is only named', { id: 'ch_1', balance_transaction: 'txn_1' }],
  ])('nothing while it %s', (_what, charge) => {
    expect(chargeFacts(intent(charge))).toBeUndefined();
  });
});
