import { describe, expect, test } from '@jest/globals';
import { checkAmount, display, knownCurrency } from './currencies.ts';

describe('an amount', () => {
  test.each([
    ['usd', 50],
    ['usd', 99_999_999],
    ['cop', 8_230_000],
    ['cop', 9_999_999_999],
    ['clp', 4_700],
    ['jpy', 50],
  ])('of %s %d can be charged', (currency, amount) =>
    expect(() => checkAmount(amount, currency)).not.toThrow(),
  );

  test.each([
    ['usd', 49],
    ['usd', 100_000_000],
    ['cop', 100_000],
    ['clp', 100],
    ['mxn', 999],
    ['eur', 0],
  ])('of %s %d cannot', (currency, amount) => expect(() => checkAmount(amount, currency)).toThrow());
});

test('a currency may be written in capitals, but must be one that Stripe charges in', () => {
  expect(knownCurrency('COP')).toBe('cop');
  expect(() => knownCurrency('VES')).toThrow(/Invalid currency: ves/);
});

test('money is shown with its own decimals', () => {
  expect(display(1500, 'usd')).toBe('$15.00');
  expect(display(1500, 'jpy')).toBe('¥1,500');
});
