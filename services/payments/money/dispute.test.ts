import { expect, test } from '@jest/globals';
import { disputeOf, isDisputeNews, lostMinorOf } from './dispute.ts';

test('a dispute is read from Stripe, with its amount in our minor units', () => {
  const object = {
    id: 'dp_1',
    amount: 1_234_500,
    currency: 'cop',
    created: 1_795_000_000,
    payment_intent: 'pi_1',
    reason: 'fraudulent',
    status: 'needs_response',
  };
  const dispute = {
    disputeId: 'dp_1',
    intentId: 'pi_1',
    amountMinor: 1_234_500,
    currency: 'COP',
    reason: 'fraudulent',
    status: 'needs_response',
    createdAt: new Date('2026-11-18T11:06:40.000Z'),
  };
  expect(disputeOf(object)).toEqual(dispute);
  expect(disputeOf({ ...object, payment_intent: { id: 'pi_2' } }).intentId).toBe('pi_2');
  expect(() => disputeOf({ ...object, amount: 'much' })).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ path: 'data.object.amount' })] }),
  );
});

test.each([
  [undefined, 'a_status_of_tomorrow', true],
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
])('after %s, %s counts as newer: %s', (known, seen, expected) => {
  expect(isDisputeNews(known, seen)).toBe(expected);
});

test.each([
  ['won', 500, 'USD', 0],
  ['needs_response', 500, 'USD', 0],
  ['lost', 500, 'USD', 500],
  ['lost', 3_000, 'USD', 2_000],
  ['lost', 500, 'COP', 2_000],
])('a dispute that is %s about %i %s loses %i of 2000 USD', (status, amountMinor, currency, lost) => {
  expect(lostMinorOf({ status, amountMinor, currency }, { amountMinor: 2_000, currency: 'USD' })).toBe(lost);
});
