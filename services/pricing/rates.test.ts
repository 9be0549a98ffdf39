import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import { describe, expect, test } from '@jest/globals';
import {
  acceptRates,
  ageDays,
  COMMITTED_RATES,
  currentTable,
  type OfferedRates,
  type RateTable,
} from './rates.ts';

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
  const accept = (offer: OfferedRates, from = known) =>
    acceptRates(from, offer, new Date('2026-01-03T12:00:00Z'));

  test.each([4000, 3200, 4800])('COP at %d is believed after 4000', (COP) => {
    const { table: taken, refused } = accept({
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
      const { table: taken, refused } = accept({
        asOf: '2026-01-02',
        source: 'there',
        rates: { COP, EUR: 0.9 },
      });
      expect(taken?.rates).toEqual({ ...known.rates, EUR: 0.9 });
      expect(refused).toEqual([{ currency: 'COP', known: 4000, offered: COP }]);
    },
  );

  test('a dollar that is not a dollar is refused', () => {
    const { table: taken, refused } = accept({
      asOf: '2026-01-02',
      source: 'there',
      rates: { USD: 1.1 },
    });
    expect(taken?.rates.USD).toBe(1);
    expect(refused).toHaveLength(1);
  });

  test('of an earlier day change nothing', () => {
    expect(accept({ asOf: '2025-12-31', source: 'there', rates: { COP: 4001 } })).toEqual({
      refused: [],
    });
  });

  test('of the same day are news only when they differ', () => {
    const offer = (COP: number) => ({ asOf: '2026-01-01', source: 'there', rates: { COP } });
    expect(accept(offer(4000)).table).toBeUndefined();
    expect(accept(offer(4001)).table?.rates.COP).toBe(4001);
  });

  test('of a day that has not come anywhere are a mistake', () => {
    expect(() => accept({ asOf: '2026-01-05', source: 'there', rates: { COP: 4001 } })).toThrow('2026-01-05');
    expect(accept({ asOf: '2026-01-04', source: 'there', rates: { COP: 4001 } }).table).toBeDefined();
  });

  test('may have moved further the longer nobody looked, but never by half', () => {
    const lastYear = table('2025-01-03', { COP: 4000 });
    const offer = (COP: number) => ({ asOf: '2026-01-03', source: 'there', rates: { COP } });
    expect(accept(offer(5900), lastYear).refused).toEqual([]);
    expect(accept(offer(6100), lastYear).refused).toHaveLength(1);
    expect(accept(offer(1900), lastYear).refused).toHaveLength(1);
  });
});

test.each([
  ['2026-01-03T00:00:00Z', 0],
  ['2026-01-03T23:59:59Z', 0],
  ['2026-01-04T00:00:00Z', 1],
  ['2026-01-02T12:00:00Z', 0],
  ['2027-01-03T00:00:00Z', 365],
])('at %s rates of 3 January 2026 are %d days old', (now, days) => {
  expect(ageDays('2026-01-03', new Date(now))).toBe(days);
});
