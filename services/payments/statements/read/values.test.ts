import { describe, expect, test } from '@jest/globals';
import { dmy } from '../testing/files.ts';
import { amountOf, dayOf, dayStyle, decimalStyle } from './values.ts';

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
  ] as const)('of %j has its cents after %j', (amounts, style) => {
    expect(decimalStyle(amounts)).toBe(style);
  });
});

describe('a day', () => {
  test.each([
    ['2026-03-12', '2026-03-12'],
    ['20260312', '2026-03-12'],
    ['12/03/2026', '2026-03-12'],
    ['12.3.26', '2026-03-12'],
    ['12 mar 2026', '2026-03-12'],
    ['12 de marzo de 2026', '2026-03-12'],
    ['12-DIC-2026', '2026-12-12'],
    ['Mar 12, 2026', '2026-03-12'],
    ['12/03/2026 08:15:00', '2026-03-12'],
    ['2026-03-12T08:15:00Z', '2026-03-12'],
    ['30/02/2026', undefined],
    ['yesterday', undefined],
  ])('%s is %s', (text, day) => {
    expect(dayOf(text, 'dmy')).toBe(day);
  });

  test('in two ways is not asked when both are the same', () => {
    expect(dayStyle(['04/04/2026', dmy('2026-05-05')])).toBe('ymd');
  });
});
