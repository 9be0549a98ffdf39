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
    orders: { '2026-11-21': 3 },
    trees: { '2026-11-21': 26 },
    amounts: { '2026-11-21 USD': 7000, '2026-11-21 COP': 8_230_000, '2026-11-20 COP': 1 },
    refunded: { '2026-11-21 USD': 500 },
  };

  test('is told by currency, with what of it was given back', () => {
    expect(soldOn('2026-11-21', sold)).toEqual({
      ...{ day: '2026-11-21', orders: 3, trees: 26 },
      amounts: [
        { currency: 'COP', amount: 8_230_000, refunded: 0 },
        { currency: 'USD', amount: 7000, refunded: 500 },
      ],
    });
  });

  test('is nothing on a quiet day', () => {
    expect(soldOn('2026-11-19', sold)).toEqual({ day: '2026-11-19', orders: 0, trees: 0, amounts: [] });
  });
});
