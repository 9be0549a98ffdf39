import { expect, test } from '@jest/globals';
import { whereOf } from './filter.ts';

const PAID = { unpaid: { exists: false } };

test('nothing asked for finds every order whose money is there', () => {
  expect(whereOf({})).toEqual(PAID);
  expect(whereOf({ q: ' , ' })).toEqual(PAID);
});

test('all that is asked for must hold', () => {
  expect(whereOf({ status: 'planted', q: 'María #7F3A' })).toEqual({
    ...PAID,
    'progress.status': 'planted',
    words: { all: ['maria', '7f3a'] },
  });
});

test.each([
  [{ from: '2026-11-21' }, { gte: '2026-11-21T00:00:00.000Z' }],
  [{ to: '2026-11-21' }, { lt: '2026-11-22T00:00:00.000Z' }],
  [{ to: '2026-12-31' }, { lt: '2027-01-01T00:00:00.000Z' }],
  [
    { from: '2026-11-21T05:00:00Z', to: '2026-11-22T04:59:59Z' },
    { gte: '2026-11-21T05:00:00.000Z', lte: '2026-11-22T04:59:59.000Z' },
  ],
])('%p is a range of the day of the order', (filter, createdAt) => {
  expect(whereOf(filter)).toEqual({ ...PAID, createdAt });
});

test('the end of all years is no end', () => {
  expect(whereOf({ to: '9999-12-31' })).toEqual(PAID);
});
