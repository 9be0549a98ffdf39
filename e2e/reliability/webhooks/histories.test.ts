import { describe, expect, test } from '@jest/globals';
import { histories, isLossy } from './histories.ts';

describe('the ways in which events can arrive', () => {
  test('are all orders with repeats and losses', () => {
    expect(histories(1, 100)).toEqual([[], [0], [0, 0]]);
    expect(histories(2, 100)).toHaveLength(19);
    expect(histories(3, 1000)).toHaveLength(271);
    expect(new Set(histories(3, 1000).map(String)).size).toBe(271);
  });

  test('are no more than wanted, the plain orders among them', () => {
    const some = histories(4, 100);
    expect(some).toHaveLength(100);
    expect(new Set(some.map(String)).size).toBe(100);
    const plain = some.filter((history) => history.length === 4 && new Set(history).size === 4);
    expect(plain).toHaveLength(24);
  });

  test('are some of each kind when few are wanted', () => {
    const some = histories(4, 8);
    expect(some.filter((history) => history.length === 4 && new Set(history).size === 4)).toHaveLength(4);
    expect(some.filter((history) => isLossy(history, 4)).length).toBeGreaterThan(0);
  });

  test('lose something or nothing', () => {
    expect(isLossy([0, 0], 2)).toBe(true);
    expect(isLossy([1, 0, 1], 2)).toBe(false);
  });
});
