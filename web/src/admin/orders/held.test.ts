import { expect, test } from '@jest/globals';
import { adminOrder } from '../../testing/admin-orders.ts';
import { hold, newsOf, NOTHING_HELD, withChange } from './held.ts';

const row = (id: string, changes = {}) => adminOrder({ _id: id, ...changes });
const ids = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id).join('');
const looking = hold(NOTHING_HELD, 'all', [row('b'), row('a')]);

test('another list is shown at once', () => {
  expect(ids(hold(looking, 'planted', [row('z')]).rows)).toBe('z');
});

test('new orders wait, and say how many they are', () => {
  const held = hold(looking, 'all', [row('d'), row('c'), row('b')]);
  expect(ids(held.rows)).toBe('ba');
  expect(newsOf(held)).toEqual({ arrived: 2, moved: true });
});

test('what changed in a row shows in its place', () => {
  const held = hold(looking, 'all', [row('b', { status: 'planted' }), row('a')]);
  expect(held.rows[0]!.status).toBe('planted');
  expect(newsOf(held)).toEqual({ arrived: 0, moved: false });
});

test('a row that the filter does not find any more stays until the reader asks', () => {
  const held = hold(looking, 'all', [row('a')]);
  expect(ids(held.rows)).toBe('ba');
  expect(newsOf(held)).toEqual({ arrived: 0, moved: true });
});

test('orders appear by themselves where nothing was', () => {
  expect(ids(hold(hold(NOTHING_HELD, 'all', []), 'all', [row('a')]).rows)).toBe('a');
});

test('a change that was told shows at once; an older one does not undo it', () => {
  const held = withChange(looking, { orderId: 'a', status: 'completed', revision: 4 });
  expect(held.rows[1]!.status).toBe('completed');
  expect(withChange(held, { orderId: 'a', status: 'assigned', revision: 2 })).toBe(held);
});
