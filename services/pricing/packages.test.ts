import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { expect, test } from '@jest/globals';
import { packagePrices, photoPackagePrices } from './packages.ts';
import { COMMITTED_RATES } from './rates.ts';

test('growth updates cost and save in dollars what the product promises', () => {
  expect(photoPackagePrices(1, 'USD')).toEqual([
    { photoPackageType: 'first_year', amount: 1500, unitAmount: 500, updates: 3, months: [3, 6, 12] },
    {
      ...{ photoPackageType: 'three_year', amount: 2500, unitAmount: 357, savingPercent: 29, popular: true },
      ...{ updates: 7, months: [0, 6, 12, 18, 24, 30, 36] },
    },
    {
      ...{ photoPackageType: 'lifetime', amount: 3500, unitAmount: 350, savingPercent: 30 },
      ...{ updates: 10, months: [6, 12, 18, 24, 30, 36, 42, 48, 54, 60] },
    },
  ]);
});

test('trees cost and save in dollars what the product promises', () => {
  expect(packagePrices(1, 'USD')).toEqual([
    { packageType: 'individual', trees: 1, amount: 500, unitAmount: 500, savingAmount: 0 },
    { packageType: 'grove', trees: 5, amount: 2000, unitAmount: 400, savingAmount: 500 },
    { packageType: 'patch', trees: 20, amount: 7000, unitAmount: 350, savingAmount: 3000 },
    { packageType: 'custom', trees: 1, amount: 500, unitAmount: 500, savingAmount: 0 },
  ]);
});

test('savings on growth updates are the same in every currency', () => {
  for (const currency of CURRENCIES) {
    const prices = photoPackagePrices(COMMITTED_RATES.rates[currency], currency);
    expect(prices.map(({ savingPercent }) => savingPercent)).toEqual([undefined, 29, 30]);
  }
});

test('every price can be charged exactly, in every currency', () => {
  for (const currency of CURRENCIES) {
    const rate = COMMITTED_RATES.rates[currency];
    for (const { amount } of [...packagePrices(rate, currency), ...photoPackagePrices(rate, currency)]) {
      expect(amount).toBeGreaterThan(0);
      expect(Number.isInteger(toStripeAmount(amount, currency))).toBe(true);
    }
  }
});
