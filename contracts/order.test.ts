import { describe, expect, test } from '@jest/globals';
import { addMonths } from './months.ts';
import {
  acceptsPhotos,
  isPlanted,
  ORDER_STATUSES,
  PLANTED_STATUSES,
  shortId,
  workerMayMove,
} from './order.ts';

describe('a worker', () => {
  test('moves an assignment from assigned to planted to completed, and no other way', () => {
    const allowed = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => workerMayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual(['assigned → planted', 'planted → completed']);
  });

  test('accepts photos only of planted trees', () => {
    expect(ORDER_STATUSES.filter(acceptsPhotos)).toEqual(['planted', 'completed']);
  });
});

test('the list of planted statuses matches the predicate', () => {
  expect(ORDER_STATUSES.filter(isPlanted)).toEqual([...PLANTED_STATUSES]);
});

test('the short id is the last six characters, upper case', () => {
  expect(shortId('65f0c0ffee0123456789abcd')).toBe('89ABCD');
});

test.each([
  ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
  ['2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
  ['2026-08-31T10:00:00.000Z', 6, '2027-02-28T10:00:00.000Z'],
  ['2026-10-31T23:59:59.999Z', 1, '2026-11-30T23:59:59.999Z'],
  ['2028-02-29T00:00:00.000Z', 12, '2029-02-28T00:00:00.000Z'],
  ['2026-11-22T15:04:05.006Z', 60, '2031-11-22T15:04:05.006Z'],
  ['2026-12-15T08:00:00.000Z', 3, '2027-03-15T08:00:00.000Z'],
  ['2026-11-22T15:04:05Z', 0, '2026-11-22T15:04:05.000Z'],
])('%s and %i months is %s', (from, months, to) => {
  expect(addMonths(from, months)).toBe(to);
});
