import { expect, test } from '@jest/globals';
import { rangeOf } from './payments.ts';

test('a range of days includes both of them', () => {
  const { from, to } = rangeOf('2026-11-20', '2026-11-21');
  expect(Date.parse(to!) - Date.parse(from!)).toBe(2 * 86_400_000);
  expect(new Date(from!).getHours()).toBe(0);
});

test('one end is enough, and what is no day does not count', () => {
  expect(rangeOf('', '')).toEqual({});
  expect(Object.keys(rangeOf('', '2026-11-21'))).toEqual(['to']);
  expect(rangeOf('yesterday', '2026-02-31')).toEqual({});
});
