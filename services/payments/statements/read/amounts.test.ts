import { describe, expect, test } from '@jest/globals';
import { amountOf, currencyIn, decimalStyle, isAmount } from './amounts.ts';

describe('an amount', () => {
  test.each([
    ['(1.234,50)', -123_450],
    ['1.234,50-', -123_450],
    ['−1.234,50', -123_450],
    ['$ 1.234,50', 123_450],
    ['COP 288.050', 28_805_000],
    ['1.234,50 DB', -123_450],
    ['1.234,50 CR', 123_450],
    ['0,5', 50],
    ['$(12,34)', -1_234],
    ['($30,00)', -3_000],
    ['$+1500,00', 150_000],
    ['- $ 5', -500],
    ['1.234,50 D', -123_450],
    ['1.234,50 H', 123_450],
    ['1.234,50 S', -123_450],
    ['-5 DB', -500],
    ["1'234'567,50", 123_456_750],
    ['1 234 567,50', 123_456_750],
    ['--21,78', undefined],
    ['-21,78-', undefined],
    ['+-5', undefined],
    ['-(5)', undefined],
    ['(-5)', undefined],
    ['((5))', undefined],
    ['−−5', undefined],
    ['-5 CR', undefined],
    ['+5 DB', undefined],
    ['12 34,50', undefined],
    ['5 kg', undefined],
    ['US$ 5 EUR', undefined],
    ['12.34,50', undefined],
    ['1,234', undefined],
    ['(5', undefined],
    ['=5', undefined],
    ['9'.repeat(20), undefined],
  ])('%s is %d', (text, minor) => {
    expect(amountOf(text, ',', 'COP')).toBe(minor);
  });

  test('without cents is whole in a currency that has none', () => {
    expect(amountOf('1,234', '.', 'JPY')).toBe(1234);
    expect(amountOf('1,234.5', '.', 'JPY')).toBeUndefined();
  });

  test.each([
    [['288.050'], ','],
    [['288,050'], '.'],
    [['288.05'], '.'],
    [['0.500'], '.'],
    [['2880.500'], '.'],
    [['288050'], undefined],
    [['1.000', '1,50'], ','],
    [['1.50', '1,50'], 'mixed'],
    [['1.50', '12.500'], 'mixed'],
    [['2880.500', '12.500'], 'thousandths'],
    [['0,500', '12,345'], 'thousandths'],
    [['1,234.567', '12.500'], 'thousandths'],
    [['2880.567'], 'thousandths'],
    [['1.234,50', '288.050,00', '5'], ','],
  ] as const)('of %j has its cents after %j', (amounts, style) => {
    expect(decimalStyle(amounts)).toBe(style);
  });
});

test.each([
  ['$ 5', undefined],
  ['COP$ 5', 'COP'],
  ['5 pesos', 'COP'],
  ['US$ 5', 'USD'],
  ['€5', 'EUR'],
  ['5,00 €', 'EUR'],
  ['R$ 5', 'BRL'],
  ['CHF 5', 'CHF'],
  ['5 USD', 'USD'],
  ['$ 5 USD', 'USD'],
  ['£5', 'GBP'],
])('%s is in %s', (text, currency) => {
  expect([isAmount(text), currencyIn(text, 'COP')]).toEqual([true, currency]);
});
