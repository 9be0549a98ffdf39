import { expect, test } from '@jest/globals';
import { axisAfterPlanting, axisOfYears, mayGrow, stateOf, visitDates } from './schedule.ts';

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

test('all visits fit on the axis in their order, with the name of each year in its middle', () => {
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
