import { expect, test } from '@jest/globals';
import { hasReceipt, isUnderWay, moneyStateOf } from './money-state.ts';

test.each([
  ['a card payment', {}, 'paid', true, true],
  [
    'a transfer nobody found yet',
    { manualPayment: { verificationStatus: 'pending' } },
    'to-verify',
    true,
    false,
  ],
  ['a transfer that was found', { manualPayment: { verificationStatus: 'approved' } }, 'paid', true, true],
  [
    'a transfer that was not found',
    { manualPayment: { verificationStatus: 'rejected' } },
    'rejected',
    false,
    false,
  ],
  [
    'money that was refunded',
    { withdrawn: true, manualPayment: { verificationStatus: 'approved' } },
    'withdrawn',
    false,
    true,
  ],
  ['money that the bank took back', { withdrawn: true, lostAmount: 2000 }, 'taken-back', false, true],
] as const)('%s', (_name, order, standing, underWay, receipt) => {
  expect([moneyStateOf(order), isUnderWay(order), hasReceipt(order)]).toEqual([standing, underWay, receipt]);
});
