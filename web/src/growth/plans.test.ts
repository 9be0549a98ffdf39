import { expect, test } from '@jest/globals';
import { plansOf } from './plans.ts';

const OFFERED = [
  { photoPackageType: 'lifetime', priceId: 'price_l', amount: 3500, currency: 'USD' },
  { photoPackageType: 'first_year', priceId: 'price_f', amount: 1500, currency: 'USD' },
  { photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' },
] as const;

test('the three packages of the product spec, with their updates, unit prices and savings', () => {
  expect(
    plansOf([...OFFERED]).map(({ type, price, months, saving, popular }) => [
      type, price?.amount, price?.unitAmount, months.length, saving, popular,
    ]),
  ).toEqual([
    ['first_year', 1500, 500, 3, 0, false],
    ['three_year', 2500, 357, 7, 0.29, true],
    ['lifetime', 3500, 350, 10, 0.3, false],
  ]);
}); // prettier-ignore

test('what is not offered is not shown; without prices the savings are those of the spec', () => {
  const plans = plansOf([
    { photoPackageType: 'three_year', priceId: 'price_t' },
    { photoPackageType: 'first_year', priceId: 'price_f' },
  ]);
  expect(plans.map(({ type, price, saving }) => [type, price, saving])).toEqual([
    ['first_year', undefined, 0],
    ['three_year', undefined, 0.29],
  ]);
});

test('a saving follows what is charged here', () => {
  const plans = plansOf([
    { photoPackageType: 'first_year', priceId: 'f', amount: 6_000_000, currency: 'COP' },
    { photoPackageType: 'lifetime', priceId: 'l', amount: 10_000_000, currency: 'COP' },
  ]);
  expect(plans.map(({ saving }) => saving)).toEqual([0, 0.5]);
});
