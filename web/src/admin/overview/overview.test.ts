import { expect, test } from '@jest/globals';
import { byCurrency, ceilingOf, totalsOf } from './overview.ts';

const days = [
  { day: '2026-11-20', orders: 2, trees: 6, amounts: [{ currency: 'COP', amount: 500, refunded: 0 }] },
  { day: '2026-11-21', orders: 0, trees: 0, amounts: [] },
  {
    day: '2026-11-22',
    orders: 3,
    trees: 30,
    amounts: [
      { currency: 'COP', amount: 700, refunded: 200 },
      { currency: 'USD', amount: 90, refunded: 0 },
    ],
  },
] as Parameters<typeof byCurrency>[0];

test('amounts stay in their currency, with a value for every day', () => {
  expect(byCurrency(days)).toEqual([
    { currency: 'COP', amountMinor: 1200, refundedMinor: 200, byDay: [500, 0, 700] },
    { currency: 'USD', amountMinor: 90, refundedMinor: 0, byDay: [0, 0, 90] },
  ]);
});

test('orders and trees are added', () => {
  expect(totalsOf(days)).toEqual({ orders: 5, trees: 36 });
});

test.each([
  [[], 1],
  [[0, 0], 1],
  [[3, 1], 5],
  [[11], 20],
  [[100], 100],
  [[2076], 5000],
])('a scale for %j ends at %d', (values, end) => {
  expect(ceilingOf(values)).toBe(end);
});
