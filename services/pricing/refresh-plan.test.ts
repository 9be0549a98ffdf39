import { expect, test } from '@jest/globals';
import { isDue, pauseMs } from './refresh-plan.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const pace = { refreshMs: 6 * HOUR_MS, retryMs: MINUTE_MS };
const now = new Date('2026-11-22T12:00:00.000Z');
const last = (agoMs: number, failures = 0) => ({
  attemptedAt: new Date(now.getTime() - agoMs),
  failures,
  refused: [],
});

test('a provider that was never asked is asked at once', () => {
  expect(isDue(undefined, pace, now)).toBe(true);
});

test('after a success it is left alone for the whole pause', () => {
  expect(isDue(last(6 * HOUR_MS - 1), pace, now)).toBe(false);
  expect(isDue(last(6 * HOUR_MS), pace, now)).toBe(true);
});

test('after a failure it is asked again soon', () => {
  expect(isDue(last(MINUTE_MS - 1, 1), pace, now)).toBe(false);
  expect(isDue(last(MINUTE_MS, 1), pace, now)).toBe(true);
});

test.each([
  [0, 6 * HOUR_MS],
  [1, MINUTE_MS],
  [2, 2 * MINUTE_MS],
  [5, 16 * MINUTE_MS],
  [10, 6 * HOUR_MS],
  [10_000, 6 * HOUR_MS],
])('after %d failures in a row it is left alone for %d ms', (failures, expected) => {
  expect(pauseMs(failures, pace)).toBe(expected);
});
