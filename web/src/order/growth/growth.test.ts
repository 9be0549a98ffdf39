import { expect, test } from '@jest/globals';
import { startI18n } from '../../i18n/setup.ts';
import { datesInWords } from './dates-in-words.ts';
import { plansOf } from './plans.ts';
import { axisAfterPlanting, axisOfYears, mayGrow, stateOf, visitDates } from './schedule.ts';

const FIRST_YEAR = [3, 6, 12];

const THREE_YEARS = [0, 6, 12, 18, 24, 30, 36];

test.each([
  ['en', FIRST_YEAR, '2026-12-12', 'March, June and December 2027'],
  ['es', FIRST_YEAR, '2026-12-12', 'Marzo, junio y diciembre de 2027'],
  ['en', FIRST_YEAR, '2026-09-12', 'December 2026, March 2027 and September 2027'],
  ['es', FIRST_YEAR, '2026-09-12', 'Diciembre de 2026, marzo de 2027 y septiembre de 2027'],
  ['en', THREE_YEARS, '2026-12-12', 'Every June and December, December 2026 to December 2029'],
  ['es', THREE_YEARS, '2026-12-12', 'Cada junio y diciembre, de diciembre de 2026 a diciembre de 2029'],
  ['en', THREE_YEARS, '2027-03-12', 'Every March and September, March 2027 to March 2030'],
] as const)('%s %p from %s: %s', async (language, months, from, words) => {
  const i18n = await startI18n(language);
  await i18n.loadNamespaces('growth');
  const visits = visitDates(months, `${from}T15:00:00Z`, new Date('2020-01-01'))!;
  expect(datesInWords(visits, language, i18n.getFixedT(language, ['growth']))).toBe(words);
});

const OFFERED = [
  { photoPackageType: 'lifetime', priceId: 'price_l', amount: 3500, currency: 'USD' },
  { photoPackageType: 'first_year', priceId: 'price_f', amount: 1500, currency: 'USD' },
  { photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' },
] as const;

test('offers the three packages of the product spec, with their updates, unit prices and savings', () => {
  expect(
    plansOf([...OFFERED]).map(({ type, price, months, saving, popular }) => [
      type,
      price?.amount,
      price?.unitAmount,
      months.length,
      saving,
      popular,
    ]),
  ).toEqual([
    ['first_year', 1500, 500, 3, 0, false],
    ['three_year', 2500, 357, 7, 0.29, true],
    ['lifetime', 3500, 350, 10, 0.3, false],
  ]);
});

test('hides what is not offered; without prices savings follow the spec', () => {
  const plans = plansOf([
    { photoPackageType: 'three_year', priceId: 'price_t' },
    { photoPackageType: 'first_year', priceId: 'price_f' },
  ]);
  expect(plans.map(({ type, price, saving }) => [type, price, saving])).toEqual([
    ['first_year', undefined, 0],
    ['three_year', undefined, 0.29],
  ]);
});

test('savings follow the charged prices', () => {
  const plans = plansOf([
    { photoPackageType: 'first_year', priceId: 'f', amount: 6_000_000, currency: 'COP' },
    { photoPackageType: 'lifetime', priceId: 'l', amount: 10_000_000, currency: 'COP' },
  ]);
  expect(plans.map(({ saving }) => saving)).toEqual([0, 0.5]);
});

const NOW = new Date('2026-12-13T10:00:00Z');

test('updates count from the later of planting and purchase, and have no dates before the planting', () => {
  expect(visitDates([3, 6, 12], '2024-05-01T10:00:00Z', NOW)).toEqual([
    '2027-03-13T10:00:00.000Z',
    '2027-06-13T10:00:00.000Z',
    '2027-12-13T10:00:00.000Z',
  ]);
  expect(visitDates([0, 6], '2027-01-31T10:00:00Z', NOW)).toEqual([
    '2027-01-31T10:00:00.000Z',
    '2027-07-31T10:00:00.000Z',
  ]);
  expect(visitDates([3], undefined, NOW)).toBeUndefined();
});

test('all visits fit on the axis in order, with each year labeled in its middle', () => {
  const visits = visitDates([0, 6, 12, 60], '2026-01-01T00:00:00Z', NOW)!;
  const { ticks, place } = axisOfYears(visits);
  expect(ticks.map(({ label }) => label)).toEqual(['2027', '2028', '2029', '2030', '2031']);
  const places = visits.map(place);
  expect(places[0]).toBeGreaterThan(0);
  expect(places.at(-1)).toBeLessThan(1);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  expect(axisOfYears(['2026-12-13T10:00:00Z']).ticks).toHaveLength(1);
});

test('before the planting the axis counts years after it', () => {
  const { ticks, place } = axisAfterPlanting((number) => `Year ${number}`);
  expect(ticks.map(({ label }) => label)).toEqual(['Year 1', 'Year 2', 'Year 3', 'Year 4', 'Year 5']);
  expect(place(6)).toBeCloseTo(ticks[0]!.at);
  expect(place(60)).toBeLessThan(1);
});

test.each([
  [{ dueAt: '2026-12-13T09:00:00Z' }, 'due'],
  [{ dueAt: '2026-12-13T11:00:00Z' }, 'ahead'],
  [{ dueAt: '2027-12-13T11:00:00Z', completedAt: '2026-12-13T09:00:00Z' }, 'done'],
] as const)('%o is %s', (visit, state) => {
  expect(stateOf(visit, NOW)).toBe(state);
});

test.each([
  [{ amount: 500 }, true],
  [{ amount: 500, growth: [{ completedAt: '2026-01-01T00:00:00Z' }] }, true],
  [{ amount: 500, growth: [{}] }, false],
  [{ amount: 500, withdrawn: true }, false],
  [{ amount: 500, refundedAmount: 499 }, true],
  [{ amount: 500, refundedAmount: 500 }, false],
  [{ amount: 500, manualPayment: { verificationStatus: 'pending' } }, false],
  [{ amount: 500, manualPayment: { verificationStatus: 'approved' } }, true],
] as const)('%o may grow: %s', (order, expected) => {
  expect(mayGrow(order)).toBe(expected);
});
