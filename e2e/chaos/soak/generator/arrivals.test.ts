import { expect, test } from '@jest/globals';
import { arrivals, picked, randomOf } from './arrivals.ts';

test('people come at their rate, at uneven times, and alike in each run', () => {
  const times = [...arrivals(50, 100, randomOf(1))];
  expect(times.length).toBeGreaterThan(4_700);
  expect(times.length).toBeLessThan(5_300);
  expect(times).toEqual([...arrivals(50, 100, randomOf(1))]);
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  expect(gaps.every((gap) => gap >= 0)).toBe(true);
  // Of exponential gaps one in e is longer than the mean.
  const long = gaps.filter((gap) => gap > 20).length / gaps.length;
  expect(long).toBeCloseTo(1 / Math.E, 1);
});

test('kinds are picked by their weight', () => {
  const kinds = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 3 },
  ];
  expect([0, 0.24, 0.26, 0.99, 1].map((chance) => picked(kinds, chance).name)).toEqual([
    'a',
    'a',
    'b',
    'b',
    'b',
  ]);
});
