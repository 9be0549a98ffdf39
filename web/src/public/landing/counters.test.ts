import { expect, test } from '@jest/globals';
import { hectaresFigure, timeLeftToday, treesFigure } from './counters.ts';

test('both counters show an ellipsis while the number is loading', () => {
  expect(treesFigure(undefined)).toBe('…');
  expect(hectaresFigure(undefined)).toBe('…');
});

test.each([
  [50_000, '50k+', '503+'],
  [50_499, '50k+', '507+'],
  [50_500, '51k+', '508+'],
  [1000, '1k+', '13+'],
  [999, '999', '12+'],
  [0, '0', '3+'],
])('%i trees are shown as %s on %s hectares', (trees, figure, hectares) => {
  expect(treesFigure(trees)).toBe(figure);
  expect(hectaresFigure(trees)).toBe(hectares);
});

test('the countdown runs to the next midnight of the visitor’s own clock', () => {
  expect(timeLeftToday(new Date(2026, 10, 21, 16, 17, 42))).toEqual({ hours: 7, minutes: 42, seconds: 18 });
  expect(timeLeftToday(new Date(2026, 11, 31, 23, 59, 59, 500))).toEqual({
    hours: 0,
    minutes: 0,
    seconds: 1,
  });
  expect(timeLeftToday(new Date(2026, 0, 1, 0, 0, 0))).toEqual({ hours: 24, minutes: 0, seconds: 0 });
});
