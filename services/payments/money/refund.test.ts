import { describe, expect, test } from '@jest/globals';
import { chargeFacts } from '../cards/payment.ts';
import { isComplete, readArguments, table, USAGE } from '../operator/command.ts';
import {
  type Account,
  amountToRefund,
  committedMinor,
  isGivenBack,
  isGoingBack,
  observeRefund,
  owedMinor,
  type Refund,
  refundedMinor,
  type RefundStatus,
} from './refund.ts';

const aRefund = (amountMinor: number, status: RefundStatus): Refund => ({
  refundId: 'r-1',
  subject: 'payment',
  subjectId: 'p-1',
  orderId: 'o-1',
  amountMinor,
  currency: 'USD',
  reason: 'x',
  method: 'card',
  status,
  createdAt: new Date(0),
});

const paid = { isPaid: true, amountMinor: 2000, currency: 'USD' };

const account = (refunds: Refund[] = [], disputes: Account['disputes'] = [], subject = paid) => ({
  subject,
  refunds,
  disputes,
});
const lost = { amountMinor: 700, currency: 'USD', status: 'lost' };

const all = { amountMinor: undefined, hasKey: false };

describe('the amount left to refund', () => {
  const refunds = [aRefund(500, 'succeeded'), aRefund(300, 'failed'), aRefund(200, 'canceled')];

  test('excludes what is refunded or about to be', () => {
    expect(amountToRefund(account(), all)).toBe(2000);
    expect(amountToRefund(account(refunds), all)).toBe(1500);
    expect(amountToRefund(account([...refunds, aRefund(400, 'pending')]), { ...all, hasKey: true })).toBe(
      1100,
    );
    expect(amountToRefund(account(refunds, [lost]), all)).toBe(800);
    expect(amountToRefund(account(refunds, [{ ...lost, status: 'needs_response' }]), all)).toBe(1500);
    expect(committedMinor([aRefund(400, 'creating')])).toBe(400);
    expect(refundedMinor([...refunds, aRefund(400, 'pending')])).toBe(500);
  });

  test.each<[string, object, Refund[], object, string]>([
    ['more than that', paid, refunds, { amountMinor: 1501, hasKey: true }, 'validation-failed'],
    ['of what was not paid', { ...paid, isPaid: false }, [], all, 'nothing-to-refund'],
    ['of what was given back', paid, [aRefund(2000, 'succeeded')], all, 'nothing-to-refund'],
    ['without a key while one is pending', paid, [aRefund(1, 'creating')], all, 'refund-in-hand'],
  ])('is not %s', (_what, subject, before, asked, type) => {
    expect(() => amountToRefund(account(before, [], subject as typeof paid), asked as typeof all)).toThrow(
      expect.objectContaining({ type }),
    );
  });
});

test.each<[string, Refund[], Account['disputes'], boolean, boolean]>([
  ['nothing', [], [], false, false],
  ['a part', [aRefund(1999, 'succeeded')], [], false, false],
  ['all', [aRefund(500, 'succeeded'), aRefund(1500, 'succeeded')], [], true, true],
  ['all, some of it under way', [aRefund(500, 'succeeded'), aRefund(1500, 'pending')], [], false, true],
  ['a refund and a lost dispute of the rest', [aRefund(1300, 'succeeded')], [lost], true, true],
  ['a lost dispute in another currency', [], [{ ...lost, amountMinor: 3, currency: 'EUR' }], true, true],
  ['a dispute that is won', [aRefund(1300, 'succeeded')], [{ ...lost, status: 'won' }], false, false],
  ['a refund that failed', [aRefund(2000, 'failed')], [], false, false],
])('%s went back', (_what, refunds, disputes, isBack, isOnItsWay) => {
  expect(isGivenBack(account(refunds, disputes))).toBe(isBack);
  expect(isGoingBack(account(refunds, disputes))).toBe(isOnItsWay);
});

describe('the amount still owed', () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const made = (amountMinor: number, status: RefundStatus, begun: number, settled?: number): Refund => ({
    ...aRefund(amountMinor, status),
    createdAt: at(begun),
    ...(settled !== undefined && { settledAt: at(settled) }),
  });

  const dismissed = (refund: Refund): Refund => ({
    ...refund,
    dismissed: { by: { role: 'admin' }, reason: 'They gave it', at: '2026-11-22T12:00:00.000Z' },
  });

  test.each<[string, Refund[], number]>([
    ['is nothing while no refund failed', [made(2000, 'pending', 1)], 0],
    ['is what a refund that failed was to give back', [made(2000, 'failed', 1, 9)], 2000],
    [
      'is what no other refund has given back since',
      [made(900, 'failed', 1, 9), made(400, 'succeeded', 10, 10)],
      500,
    ],
    [
      'is the same again when the next one fails, too',
      [made(500, 'failed', 1, 9), made(500, 'failed', 10, 19)],
      500,
    ],
    ['is not less for a refund made before', [made(500, 'succeeded', 1, 2), made(500, 'failed', 3, 9)], 500],
    ['is nothing when the next one is under way', [made(500, 'failed', 1, 9), made(500, 'creating', 10)], 0],
    ['is no more than what is left', [made(2000, 'failed', 5, 9), made(1500, 'succeeded', 1, 2)], 500],
    ['is nothing when an admin said that it stays', [dismissed(made(500, 'failed', 1, 9))], 0],
    ['is zero for a canceled refund', [made(500, 'canceled', 1, 9)], 0],
  ])('%s', (_what, refunds, expected) => {
    expect(owedMinor(account(refunds))).toBe(expected);
  });

  test('excludes what the bank took back in a dispute', () => {
    expect(owedMinor(account([made(2000, 'failed', 1, 9)], [lost]))).toBe(1300);
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

const bare = { id: 'ch_1', created: 1_764_000_000 };
const moved = { id: 'txn_1', fee: 152, net: 1848, currency: 'usd', exchange_rate: 0.000243 };

describe('a charge', () => {
  test('keeps its receipt, and its fee in the payout currency', () => {
    const charge = { ...bare, receipt_url: 'https://pay.stripe.test/r', balance_transaction: moved };
    expect(chargeFacts(charge)).toEqual({
      chargeId: 'ch_1',
      receiptUrl: 'https://pay.stripe.test/r',
      fee: { feeMinor: 152, netMinor: 1848, currency: 'USD', exchangeRate: 0.000243 },
    });
  });

  test('has amounts in our units for zero-decimal currencies', () => {
    const charge = {
      ...bare,
      receipt_url: null,
      balance_transaction: { ...moved, currency: 'clp', exchange_rate: null },
    };
    expect(chargeFacts(charge)).toEqual({
      chargeId: 'ch_1',
      receiptUrl: undefined,
      fee: { feeMinor: 15_200, netMinor: 184_800, currency: 'CLP', exchangeRate: undefined },
    });
  });

  test.each([
    ['is not there', null],
    ['is only named', 'ch_1'],
    ['is not settled', { ...bare, balance_transaction: null }],
    ['has a settlement that is only named', { ...bare, balance_transaction: 'txn_1' }],
  ])('nothing while it %s', (_what, charge) => {
    expect(chargeFacts(charge)).toBeUndefined();
  });
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

  test('prints one row per list, and why one could not be read', () => {
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
