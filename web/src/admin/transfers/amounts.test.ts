import { expect, test } from '@jest/globals';
import { compareAmounts, parseAmount } from './amounts.ts';

test.each([
  ['288050', 'COP', 28_805_000],
  ['288,050.00', 'COP', 28_805_000],
  ['288.050,00', 'COP', 28_805_000],
  ['288.050', 'COP', 28_805_000],
  ['288,050', 'COP', 28_805_000],
  ['1.288.050,5', 'COP', 128_805_050],
  ['$ 288.050', 'COP', 28_805_000],
  ['COP 288,050.00', 'COP', 28_805_000],
  ['20.5', 'USD', 2050],
  ['20,05', 'EUR', 2005],
  ['0', 'USD', 0],
  ['2,400', 'JPY', 2400],
  ['2400.00', 'JPY', 2400],
])('%j of %s is understood', (typed, currency, minor) => {
  expect(parseAmount(typed, currency)).toBe(minor);
});

test.each([
  ['', 'COP'],
  ['about 20', 'COP'],
  ['-20', 'COP'],
  ['1,2,3', 'COP'],
  ['20.555.1', 'COP'],
  ['288,050,00', 'COP'],
  ['24.50', 'JPY'],
  ['99999999999999999999', 'COP'],
])('%j of %s is no amount', (typed, currency) => {
  expect(parseAmount(typed, currency)).toBeUndefined();
});

test('what came in is the same, or differs by so much', () => {
  expect(compareAmounts(500, 500)).toEqual({ kind: 'same' });
  expect(compareAmounts(500, 450)).toEqual({ kind: 'less', byMinor: 50 });
  expect(compareAmounts(500, 700)).toEqual({ kind: 'more', byMinor: 200 });
});
