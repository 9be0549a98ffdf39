import { expect, test } from '@jest/globals';
import { compareTimes } from './statistics.ts';

const times = (from: number) => Array.from({ length: 50 }, (_, at) => from + ((at * 7) % 50) / 10);

test('times that are alike look alike', () => {
  const { ratio, p } = compareTimes(times(10), times(10.01));
  expect([ratio, p > 0.5]).toEqual([expect.closeTo(1, 1), true]);
});

test('times that differ look different', () => {
  const { ratio, p } = compareTimes(times(10), times(14));
  expect(ratio).toBeLessThan(0.8);
  expect(p).toBeLessThan(1e-6);
});
