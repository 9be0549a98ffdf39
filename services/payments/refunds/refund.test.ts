import { describe, expect, test } from '@jest/globals';
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
