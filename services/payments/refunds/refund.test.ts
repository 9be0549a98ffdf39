import { describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { chargeFacts } from '../charges/charge.ts';
import { isDisputeNews } from '../disputes/dispute.ts';
import { isComplete, readArguments, table, USAGE } from '../operator/command.ts';
import {
  amountToRefund,
  committedMinor,
  observeRefund,
  type Refund,
  refundedMinor,
  type RefundStatus,
} from './refund.ts';

const aRefund = (amountMinor: number, status: RefundStatus): Refund => ({
  ...{ refundId: 'r-1', subject: 'payment', subjectId: 'p-1', orderId: 'o-1', amountMinor, currency: 'USD' },
  ...{ reason: 'x', method: 'stripe', status, createdAt: new Date(0) },
});

const paid = { isPaid: true, amountMinor: 2000 };

const all = { amountMinor: undefined, hasKey: false };

describe('what is left to give back', () => {
  const refunds = [aRefund(500, 'succeeded'), aRefund(300, 'failed'), aRefund(200, 'canceled')];

  test('is all that was not given back, or is about to be', () => {
    expect(amountToRefund(paid, [], all)).toBe(2000);
    expect(amountToRefund(paid, refunds, all)).toBe(1500);
    expect(amountToRefund(paid, [...refunds, aRefund(400, 'pending')], { ...all, hasKey: true })).toBe(1100);
    expect(committedMinor([aRefund(400, 'creating')])).toBe(400);
    expect(refundedMinor([...refunds, aRefund(400, 'pending')])).toBe(500);
  });

  test.each<[string, object, Refund[], object, string]>([
    ['more than that', paid, refunds, { amountMinor: 1501, hasKey: true }, 'validation-failed'],
    ['of what was not paid', { ...paid, isPaid: false }, [], all, 'nothing-to-refund'],
    ['of what was given back', paid, [aRefund(2000, 'succeeded')], all, 'nothing-to-refund'],
    ['without a key while one is in hand', paid, [aRefund(1, 'creating')], all, 'refund-in-hand'],
  ])('is not %s', (_what, subject, before, asked, type) => {
    expect(() => amountToRefund(subject as typeof paid, before, asked as typeof all)).toThrow(
      expect.objectContaining({ type }),
    );
  });
});

describe('a refund', () => {
  const seen = (status: Exclude<RefundStatus, 'creating'>) => ({ status, failureReason: undefined });

  test.each<[RefundStatus, Exclude<RefundStatus, 'creating'>]>([
    ['creating', 'pending'],
    ['creating', 'succeeded'],
    ['pending', 'requires_action'],
    ['requires_action', 'pending'],
    ['pending', 'succeeded'],
    ['pending', 'failed'],
    ['succeeded', 'failed'],
  ])('that is %s becomes %s', (before, after) => {
    expect(observeRefund({ status: before }, seen(after))).toEqual({
      ...seen(after),
      isNewlySucceeded: after === 'succeeded',
      isReturned: before === 'succeeded',
    });
  });

  test.each<[RefundStatus, Exclude<RefundStatus, 'creating'>]>([
    ['pending', 'pending'],
    ['succeeded', 'pending'],
    ['succeeded', 'succeeded'],
    ['failed', 'succeeded'],
    ['canceled', 'pending'],
  ])('that is %s stays so when %s comes late', (before, after) => {
    expect(observeRefund({ status: before }, seen(after))).toBeUndefined();
  });
});

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

test.each([
  [undefined, 'needs_response', true],
  ['needs_response', 'needs_response', false],
  ['needs_response', 'under_review', true],
  ['under_review', 'needs_response', false],
  ['warning_closed', 'needs_response', true],
  ['needs_response', 'warning_closed', false],
  ['won', 'under_review', false],
  ['won', 'lost', true],
  ['lost', 'appeal_needs_response', true],
  ['appeal_under_review', 'won', true],
  ['under_review', 'a_status_of_tomorrow', true],
])('after %s, %s is news: %s', (known, seen, expected) => {
  expect(isDisputeNews(known, seen)).toBe(expected);
});

const now = new Date('2026-11-22T12:00:00Z');

describe('npm run reconcile', () => {
  test.each([
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['12h', '2026-11-22T00:00:00.000Z'],
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00.000Z'],
  ])('--since %s looks back to %s', (since, expected) => {
    expect(readArguments(['--since', since], now).toISOString()).toBe(expected);
  });

  test.each([
    [[]],
    [['7d']],
    [['--since', 'yesterday']],
    [['--since', '7']],
    [['--since', '2027-01-01']],
    [['--all']],
  ])('with %j says how it is used', (args) => {
    expect(() => readArguments(args, now)).toThrow(USAGE);
  });

  test('shows each list in a row, and why one could not be read', () => {
    const reports = [
      { list: 'refunds', lookedAt: 120, repaired: 1, notOurs: 0, failed: 0 },
      { list: 'disputes', lookedAt: 0, repaired: 0, notOurs: 0, failed: 0, fault: 'no permission' },
    ] as const;
    expect(table(reports)).toBe(
      [
        'list       looked at   repaired   not ours   failed',
        'refunds          120          1          0        0',
        'disputes           0          0          0        0',
        'disputes: no permission',
      ].join('\n'),
    );
    expect(isComplete(reports)).toBe(false);
    expect(isComplete(reports.slice(0, 1))).toBe(true);
  });
});
