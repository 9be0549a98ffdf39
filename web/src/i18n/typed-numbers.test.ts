import { describe, expect, test } from '@jest/globals';
import { readAmount, readCount, readDegrees, readPair } from './typed-numbers.ts';

describe('a count', () => {
  test.each([
    ['2000', 2000],
    ['2.000', 2000],
    ['2,000', 2000],
    ['1.234.567', 1_234_567],
    ['2 000', 2000],
    ['2\u202f000', 2000],
    ["2'000", 2000],
    ['２０', 20],
    [' 12 ', 12],
    ['007', 7],
    ['0', 0],
    ['10.0', 10],
    ['7,00', 7],
    ['-3', -3],
    ['−3', -3],
    ['10.5', undefined],
    ['7,9', undefined],
    ['0.500', undefined],
    ['2e3', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['10²', undefined],
    ['1 2', undefined],
    ['12 345 67', undefined],
    ['1.234,567', undefined],
    ['5 trees', undefined],
    ['10%', undefined],
    ['10-20', undefined],
    ['', undefined],
    ['many', undefined],
    ['1,2,3', undefined],
    ['2.000.00', undefined],
    ['99999999999999999999', undefined],
  ])('%j is %p', (typed, count) => {
    expect(readCount(typed)).toBe(count);
  });
});

describe('an amount', () => {
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
    ['1.0050', 'USD', 101],
    ['0', 'USD', 0],
    ['0.005', 'USD', 1],
    ['2,400', 'JPY', 2400],
    ['2400.00', 'JPY', 2400],
    ['', 'COP', undefined],
    ['about 20', 'COP', undefined],
    ['288 050', 'COP', 28_805_000],
    ['20 5', 'COP', undefined],
    ['10²', 'COP', undefined],
    ['-20', 'COP', undefined],
    ['1,2,3', 'COP', undefined],
    ['20.555.1', 'COP', undefined],
    ['288,050,00', 'COP', undefined],
    ['24.50', 'JPY', undefined],
    ['99999999999999999999', 'COP', undefined],
  ])('%j of %s is %p', (typed, currency, minor) => {
    expect(readAmount(typed, currency)).toBe(minor);
  });

  test.each([
    ['es', '288.050', 28_805_000],
    ['es', '288,050', 'ambiguous'],
    ['en', '288,050', 28_805_000],
    ['en', '288.050', 'ambiguous'],
    ['en', '1.288.050', 128_805_000],
    ['es', '288.050,00', 28_805_000],
    ['en', '288.050,00', 28_805_000],
    ['es', '20.5', 2050],
  ] as const)('on a page in %s %j is %p', (language, typed, minor) => {
    expect(readAmount(typed, 'COP', language)).toBe(minor);
  });

  test('without decimals three digits are thousands in every language', () => {
    expect(readAmount('2.400', 'JPY', 'en')).toBe(2400);
    expect(readAmount('2,400', 'KRW', 'es')).toBe(2400);
  });
});

test.each([
  ['4.637214', 4.637214],
  ['4,637214', 4.637214],
  ['4.637', 4.637],
  ['-75.487031', -75.487031],
  ['−75,487031', -75.487031],
  ['75.487031° W', -75.487031],
  ['75,487031 O', -75.487031],
  ['4.637214°N', 4.637214],
  ['4.637.214', undefined],
  ['4,637.214', undefined],
  ['here', undefined],
  ['', undefined],
])('%j is %p degrees', (typed, degrees) => {
  expect(readDegrees(typed)).toBe(degrees);
});

test('splits a pair copied from a map into two halves', () => {
  expect(readPair('4.637214, -75.487031')).toEqual({ latitude: '4.637214', longitude: '-75.487031' });
  expect(readPair('4.637214° N, 75.487031° W')).toEqual({
    latitude: '4.637214° N',
    longitude: '75.487031° W',
  });
  expect(readPair('4.637214')).toBeUndefined();
});
