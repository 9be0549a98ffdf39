import { expect, test } from '@jest/globals';
import { adminOrder } from '../../test/fixtures.ts';
import { applyChange, hiddenChanges, NO_ROWS, updateRows } from './order-page.ts';

const row = (id: string, changes = {}) => adminOrder({ _id: id, ...changes });

const ids = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id).join('');

const looking = updateRows(NO_ROWS, 'all', [row('b'), row('a')]);

test('shows another list immediately', () => {
  expect(ids(updateRows(looking, 'planted', [row('z')]).rows)).toBe('z');
});

test('new orders wait behind a notice with their count', () => {
  const stable = updateRows(looking, 'all', [row('d'), row('c'), row('b')]);
  expect(ids(stable.rows)).toBe('ba');
  expect(hiddenChanges(stable)).toEqual({ arrived: 2, moved: true });
});

test('updates changed rows in place', () => {
  const stable = updateRows(looking, 'all', [row('b', { status: 'planted' }), row('a')]);
  expect(stable.rows[0]!.status).toBe('planted');
  expect(hiddenChanges(stable)).toEqual({ arrived: 0, moved: false });
});

test('keeps a row that no longer matches the filter until the reader refreshes', () => {
  const stable = updateRows(looking, 'all', [row('a')]);
  expect(ids(stable.rows)).toBe('ba');
  expect(hiddenChanges(stable)).toEqual({ arrived: 0, moved: true });
});

test('orders appear on their own in an empty list', () => {
  expect(ids(updateRows(updateRows(NO_ROWS, 'all', []), 'all', [row('a')]).rows)).toBe('a');
});

test('applies a live change immediately; an older one does not undo it', () => {
  const stable = applyChange(looking, { orderId: 'a', status: 'completed', revision: 4 });
  expect(stable.rows[1]!.status).toBe('completed');
  expect(applyChange(stable, { orderId: 'a', status: 'assigned', revision: 2 })).toBe(stable);
});
