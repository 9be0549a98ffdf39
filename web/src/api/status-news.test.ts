import { expect, test } from '@jest/globals';
import { movedOrders } from './status-news.ts';

const at = (_id: string, status: string) => ({ _id, status });

test('an order that moved is news; one that stayed, came or went is not', () => {
  const before = [at('1', 'pending'), at('2', 'assigned'), at('3', 'planted')];
  const now = [at('1', 'assigned'), at('2', 'assigned'), at('4', 'completed')];
  expect(movedOrders(before, now)).toEqual([at('1', 'assigned')]);
});
