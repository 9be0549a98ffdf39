import { expect, test } from '@jest/globals';
import { compare, MOVES } from './fingerprint.ts';

test('what differs, is missing or is too many is named; what moves by itself is not looked at', () => {
  const before = new Map([
    ['auth.accounts', '2 rows a'],
    ['orders.orders', '1 rows b'],
    ['media.photos', '3 rows c'],
    ['graphile_worker._private_jobs', '9 rows d'],
  ]);
  const after = new Map([
    ['auth.accounts', '2 rows a'],
    ['orders.orders', '1 rows x'],
    ['payments.payments', '1 rows e'],
    ['graphile_worker._private_jobs', '8 rows f'],
  ]);
  expect(compare(before, after, MOVES)).toEqual({
    same: 1,
    rows: 4,
    differences: [
      'media.photos: 3 rows c became nothing',
      'orders.orders: 1 rows b became 1 rows x',
      'payments.payments: not there became 1 rows e',
    ],
  });
});
