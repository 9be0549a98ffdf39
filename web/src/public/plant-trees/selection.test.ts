import { expect, test } from '@jest/globals';
import { inDollars } from '../../api/package-prices.ts';
import { countProblem, parseTrees, totalOf } from './selection.ts';

test('fixed packages cost what the list says, with the saving against single trees', () => {
  const prices = inDollars();
  expect(totalOf({ packageType: 'grove', customTrees: '10' }, prices)).toEqual({
    trees: 5, amountMinor: 2000, unitAmountMinor: 400, savingMinor: 500, currency: 'USD',
  }); // prettier-ignore
  expect(totalOf({ packageType: 'patch', customTrees: '10' }, prices).savingMinor).toBe(3000);
});

test('one’s own number costs the single price for each tree', () => {
  expect(totalOf({ packageType: 'custom', customTrees: '12' }, inDollars())).toMatchObject({
    trees: 12,
    amountMinor: 6000,
  });
});

test('a count is read as a whole number, and as one when it is none', () => {
  expect(parseTrees('12')).toBe(12);
  expect(parseTrees('7.9')).toBe(7);
  expect(parseTrees('many')).toBe(1);
  expect(parseTrees('')).toBe(1);
});

test.each([
  ['0', 'at-least-one'],
  ['-3', 'at-least-one'],
  ['1', undefined],
  ['10000', undefined],
  ['10001', 'at-most'],
])('a custom count of %s: %s', (customTrees, problem) => {
  expect(countProblem({ packageType: 'custom', customTrees })).toBe(problem);
  expect(countProblem({ packageType: 'grove', customTrees })).toBeUndefined();
});
