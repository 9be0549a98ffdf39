import { expect, test } from '@jest/globals';
import { examplePayment, exampleRefund } from '../../testing/payments.ts';
import { amountOf, leftOf } from './refund.ts';

test('what is left is what was paid, without what goes back already', () => {
  expect(leftOf(examplePayment())).toBe(2000);
  const refunds = [
    exampleRefund({ amount: 500 }),
    exampleRefund({ amount: 300, status: 'pending' }),
    exampleRefund({ amount: 900, status: 'failed' }),
  ];
  expect(leftOf(examplePayment({ refunds }))).toBe(1200);
  expect(leftOf(examplePayment({ status: 'open' }))).toBe(0);
});

test('an amount is read exactly, with a point or a comma', () => {
  expect(amountOf('20.15', 'USD')).toBe(2015);
  expect(amountOf(' 1,5 ', 'COP')).toBe(150);
  expect(amountOf('1500', 'JPY')).toBe(1500);
});

test.each([
  ['', 'USD'],
  ['1.005', 'USD'],
  ['-3', 'USD'],
  ['1,000.00', 'USD'],
  ['15.5', 'JPY'],
  ['ten', 'USD'],
])('%j is no amount of %s', (typed, currency) => {
  expect(amountOf(typed, currency)).toBeUndefined();
});
