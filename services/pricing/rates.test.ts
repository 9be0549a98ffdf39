import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import { describe, expect, test } from '@jest/globals';
import { acceptRates, COMMITTED_RATES, currentTable, type RateTable } from './rates.ts';

const table = (asOf: string, rates: Partial<RateTable['rates']> = {}): RateTable => ({
  asOf,
  source: 'rates.test',
  rates: { ...COMMITTED_RATES.rates, ...rates },
});

describe('the committed table', () => {
  test('has a rate for every currency that can be charged, a day and a source', () => {
    expect(Object.keys(COMMITTED_RATES.rates).sort()).toEqual([...CURRENCIES].sort());
    for (const rate of Object.values(COMMITTED_RATES.rates)) expect(rate).toBeGreaterThan(0);
    expect(COMMITTED_RATES.rates.USD).toBe(1);
    expect(new Date(COMMITTED_RATES.asOf).getTime()).toBeLessThan(Date.now());
    expect(COMMITTED_RATES.source).not.toBe('');
  });

  test('is used until a table was taken over, and again once it is the newer one', () => {
    expect(currentTable(undefined)).toBe(COMMITTED_RATES);
    expect(currentTable(table('2001-01-01'))).toBe(COMMITTED_RATES);
    expect(currentTable(table('2099-01-01', { COP: 4000 })).rates.COP).toBe(4000);
  });

  test('fills in for currencies that a kept table does not know', () => {
    const { KRW: _unknown, ...rates } = COMMITTED_RATES.rates;
    const kept = { asOf: '2099-01-01', source: 'old', rates } as RateTable;
    expect(currentTable(kept).rates.KRW).toBe(COMMITTED_RATES.rates.KRW);
  });
});

describe('rates that a provider offers', () => {
  const known = table('2026-01-01', { COP: 4000 });

  test.each([4000, 3200, 4800])('COP at %d is believed after 4000', (COP) => {
    const { table: taken, refused } = acceptRates(known, {
      asOf: '2026-01-02',
      source: 'there',
      rates: { COP },
    });
    expect(taken).toEqual({ asOf: '2026-01-02', source: 'there', rates: { ...known.rates, COP } });
    expect(refused).toEqual([]);
  });

  test.each([3199, 4801, 40, 400_000, 0, -4000, Number.NaN, Number.POSITIVE_INFINITY])(
    'COP at %d is refused after 4000, and the other currencies are taken',
    (COP) => {
      const { table: taken, refused } = acceptRates(known, {
        asOf: '2026-01-02',
        source: 'there',
        rates: { COP, EUR: 0.9 },
      });
      expect(taken?.rates).toEqual({ ...known.rates, EUR: 0.9 });
      expect(refused).toEqual([{ currency: 'COP', known: 4000, offered: COP }]);
    },
  );

  test('a dollar that is not a dollar is refused', () => {
    const { table: taken, refused } = acceptRates(known, {
      asOf: '2026-01-02',
      source: 'there',
      rates: { USD: 1.1 },
    });
    expect(taken?.rates.USD).toBe(1);
    expect(refused).toHaveLength(1);
  });

  test('of an earlier day change nothing', () => {
    expect(acceptRates(known, { asOf: '2025-12-31', source: 'there', rates: { COP: 4001 } })).toEqual({
      refused: [],
    });
  });

  test('of the same day are news only when they differ', () => {
    const offer = (COP: number) => ({ asOf: '2026-01-01', source: 'there', rates: { COP } });
    expect(acceptRates(known, offer(4000)).table).toBeUndefined();
    expect(acceptRates(known, offer(4001)).table?.rates.COP).toBe(4001);
  });
});
