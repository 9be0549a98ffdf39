import { describe, expect, test } from '@jest/globals';
import { CURRENCIES } from './countries.ts';
import { toStripeAmount } from './money.ts';
import { FIXED_PACKAGES, MAX_TREES, PACKAGE_TYPES, PHOTO_PACKAGES, priceOf } from './packages.ts';

describe('prices in dollars', () => {
  test.each([
    ['individual', 1, 500, 500, 0],
    ['grove', 5, 2000, 400, 500],
    ['patch', 20, 7000, 350, 3000],
    ['custom', 1, 500, 500, 0],
    ['custom', 10, 5000, 500, 0],
    ['custom', 10_000, 5_000_000, 500, 0],
  ] as const)('%s of %d trees costs %d cents', (type, trees, amountMinor, unitAmountMinor, savingMinor) => {
    expect(priceOf(type, trees, 1, 'USD')).toEqual({ trees, amountMinor, unitAmountMinor, savingMinor });
  });
});

describe('prices elsewhere', () => {
  test('a grove at 4115 pesos a dollar costs 82,300 pesos and saves one tree', () => {
    expect(priceOf('grove', 5, 4115, 'COP')).toEqual({
      trees: 5,
      amountMinor: 8_230_000,
      unitAmountMinor: 1_646_000,
      savingMinor: 2_057_500,
    });
  });

  test('a custom count costs exactly its unit price times the count, in every currency', () => {
    for (const currency of CURRENCIES) {
      for (const rate of [0.7413, 1, 18.437, 936.61, 4115.77]) {
        const one = priceOf('custom', 1, rate, currency)!;
        for (const trees of [2, 3, 7, 10, 999, MAX_TREES]) {
          expect(priceOf('custom', trees, rate, currency)!.amountMinor).toBe(one.amountMinor * trees);
        }
      }
    }
  });

  test('Stripe can charge every price exactly, and no package costs more than its trees one by one', () => {
    for (const currency of CURRENCIES) {
      for (let rate = 0.31; rate < 9000; rate *= 1.237) {
        const single = priceOf('individual', 1, rate, currency)!.amountMinor;
        for (const type of PACKAGE_TYPES) {
          const trees = type === 'custom' ? 10 : FIXED_PACKAGES[type].trees;
          const price = priceOf(type, trees, rate, currency)!;
          expect(() => toStripeAmount(price.amountMinor, currency)).not.toThrow();
          expect(price.amountMinor + price.savingMinor).toBe(single * trees);
        }
      }
    }
  });
});

describe('what is not sold', () => {
  test.each([
    ['individual', 2],
    ['grove', 4],
    ['grove', 20],
    ['patch', 5],
    ['custom', 0],
    ['custom', -1],
    ['custom', 1.5],
    ['custom', MAX_TREES + 1],
    ['custom', 1e9],
    ['custom', Number.NaN],
    ['custom', Number.POSITIVE_INFINITY],
  ] as const)('%s of %d trees', (type, trees) => {
    expect(priceOf(type, trees, 1, 'USD')).toBeUndefined();
  });
});

describe('photo packages', () => {
  test('have as many updates as they promise', () => {
    expect(PHOTO_PACKAGES.first_year.months).toEqual([3, 6, 12]);
    expect(PHOTO_PACKAGES.three_year.months).toHaveLength(7);
    expect(PHOTO_PACKAGES.lifetime.months).toHaveLength(10);
    expect(Math.max(...PHOTO_PACKAGES.lifetime.months)).toBe(5 * 12);
  });

  test('never look at a tree twice in one month, nor back in time', () => {
    for (const { months } of Object.values(PHOTO_PACKAGES)) {
      expect([...new Set(months)].sort((a, b) => a - b)).toEqual([...months]);
    }
  });
});
