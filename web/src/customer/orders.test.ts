import { expect, test } from '@jest/globals';
import { customerOrder } from '../testing/orders.ts';
import { ordersOf } from './orders.ts';

test('an order that slid onto the next page while that one was read is shown once, as it was read first', () => {
  const newest = customerOrder({ _id: 'a'.repeat(24) });
  const slid = customerOrder({ _id: 'b'.repeat(24), status: 'planted' });
  const last = customerOrder({ _id: 'c'.repeat(24) });
  expect(ordersOf([{ orders: [newest, slid] }, { orders: [{ ...slid, status: 'assigned' }, last] }])).toEqual(
    [newest, slid, last],
  );
});
