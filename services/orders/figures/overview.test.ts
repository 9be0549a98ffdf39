import { describe, expect, test } from '@jest/globals';
import { lastDays, soldOn } from './overview.ts';

describe('the last days', () => {
  test('end with today in Colombia, which is yesterday in Europe', () => {
    expect(lastDays(new Date('2026-11-22T04:59:59Z'), 3)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
    expect(lastDays(new Date('2026-11-22T05:00:00Z'), 1)).toEqual(['2026-11-22']);
  });

  test('cross months and leap days', () => {
    expect(lastDays(new Date('2028-03-01T12:00:00Z'), 2)).toEqual(['2028-02-29', '2028-03-01']);
  });
});

describe('what was sold on a day', () => {
  const sold = {
    '2026-11-21 USD': { count: 2, sums: { trees: 21, amountMinor: 7000, refundedMinor: 500 } },
    '2026-11-21 COP': { count: 1, sums: { trees: 5, amountMinor: 8_230_000, refundedMinor: 0 } },
    '2026-11-20 COP': { count: 1, sums: { trees: 1, amountMinor: 1, refundedMinor: 0 } },
  };

  test('is told by currency, with what of it was given back', () => {
    expect(soldOn(['2026-11-20', '2026-11-21'], sold)).toEqual([
      { day: '2026-11-20', orders: 1, trees: 1, amounts: [{ currency: 'COP', amount: 1, refunded: 0 }] },
      {
        ...{ day: '2026-11-21', orders: 3, trees: 26 },
        amounts: [
          { currency: 'COP', amount: 8_230_000, refunded: 0 },
          { currency: 'USD', amount: 7000, refunded: 500 },
        ],
      },
    ]);
  });

  test('is nothing on a quiet day', () => {
    expect(soldOn(['2026-11-19'], sold)).toEqual([{ day: '2026-11-19', orders: 0, trees: 0, amounts: [] }]);
  });
});
