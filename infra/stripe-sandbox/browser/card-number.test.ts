import { describe, expect, test } from '@jest/globals';
import { brandOf, caretAfter, formatExpiry, groupNumber, passesLuhn, problemsOf } from './card-number.js';

describe('a card number', () => {
  test.each([
    ['4242', 'visa'],
    ['5555', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['2720990000000007', 'mastercard'],
    ['34', 'amex'],
    ['6011', 'discover'],
    ['36', 'diners'],
    ['35', 'jcb'],
    ['62', 'unionpay'],
    ['9', 'unknown'],
    ['', 'unknown'],
  ])('%s is of %s', (digits, brand) => expect(brandOf(digits).name).toBe(brand));

  test.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242 4242 42', '4242 4242 42'],
    ['378282246310005', '3782 822463 10005'],
    ['42424242424242421', '4242 4242 4242 4242'],
    ['abc', ''],
  ])('%s is shown as %s', (typed, shown) => expect(groupNumber(typed)).toBe(shown));

  test('has a check digit', () => {
    expect(passesLuhn('4242424242424242')).toBe(true);
    expect(passesLuhn('4242424242424241')).toBe(false);
    expect(passesLuhn('')).toBe(false);
  });
});

describe('an expiry date', () => {
  test.each([
    ['1', '1'],
    ['12', '12 / '],
    ['4', '04 / '],
    ['1234', '12 / 34'],
    ['12/34', '12 / 34'],
    ['12 / 2034', '12 / 34'],
  ])('%s is shown as %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));

  test('can be deleted over the slash', () => expect(formatExpiry('12 /', true)).toBe('12'));
});

test('the caret stays behind the digit that was typed', () => {
  expect(caretAfter('4242 4242', 4)).toBe(4);
  expect(caretAfter('4242 4242', 5)).toBe(6);
  expect(caretAfter('12 / ', 2)).toBe(5);
  expect(caretAfter('12 / 34', 0)).toBe(0);
});

describe('what is wrong', () => {
  const good = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123', country: 'CO' };
  const now = new Date(2026, 10, 21);

  test('with a good card: nothing', () => expect(problemsOf(good, now)).toEqual({}));

  test.each([
    [{ number: '4242' }, { number: 'incomplete_number' }],
    [{ number: '4242 4242 4242 4241' }, { number: 'invalid_number' }],
    [{ expiry: '1' }, { expiry: 'incomplete_expiry' }],
    [{ expiry: '13 / 30' }, { expiry: 'invalid_expiry_month' }],
    [{ expiry: '10 / 26' }, { expiry: 'invalid_expiry_month_past' }],
    [{ expiry: '12 / 25' }, { expiry: 'invalid_expiry_year_past' }],
    [{ expiry: '12 / 99' }, { expiry: 'invalid_expiry_year' }],
    [{ cvc: '12' }, { cvc: 'incomplete_cvc' }],
    [{ number: '378282246310005' }, { cvc: 'incomplete_cvc' }],
    [{ country: '' }, { country: 'incomplete_country' }],
  ])('with %j', (change, problems) => expect(problemsOf({ ...good, ...change }, now)).toEqual(problems));

  test('with a card of this month: nothing', () => {
    expect(problemsOf({ ...good, expiry: '11 / 26' }, now)).toEqual({});
  });
});
