import { describe, expect, test } from '@jest/globals';
import { median, percentile, pointOf, spread, withSpread } from './figures.ts';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  test.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('%d of 1…100 is %d', (share, expected) => expect(percentile(hundred, share)).toBe(expected));

  test('one value is every percentile of itself', () => expect(percentile([7], 0.99)).toBe(7));
  test('nothing measured is not a number', () => expect(percentile([], 0.5)).toBeNaN());
  test('leaves the measurements as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('the spread names the least and the most', () => expect(spread([2, 10.26, 4])).toBe('2.0 – 10.3'));

test('rounds are told and drawn by their median and what was seen', () => {
  expect(withSpread([2, 10.26, 4])).toBe('4.0 (2.0 – 10.3)');
  expect(withSpread([2, 10.26, 4], 0)).toBe('4 (2 – 10)');
  expect(pointOf('GET', [2, 10, 4])).toEqual({ x: 'GET', y: 4, low: 2, high: 10 });
});
