import { expect, test } from '@jest/globals';
import { filtersOf, isNarrowed, queryOf } from './filters.ts';

const payments = (address: string) =>
  filtersOf(
    'GET /api/admin/payments',
    {
      q: 'Search',
      status: { label: 'Status', any: 'All', of: (status) => status.toUpperCase() },
      from: 'From',
      to: 'To',
    },
    (name) => new URLSearchParams(address).get(name),
  );

const asked = (address: string) => queryOf('GET /api/admin/payments', payments(address));

test('a range of days includes both ends', () => {
  expect(asked('from=2026-11-20&to=2026-11-21')).toEqual({
    from: '2026-11-20T05:00:00.000Z',
    to: '2026-11-22T05:00:00.000Z',
  });
});

test('accepts one end only, and ignores an invalid day', () => {
  expect(asked('')).toEqual({});
  expect(Object.keys(asked('to=2026-11-21'))).toEqual(['to']);
  expect(asked('from=yesterday&to=2026-02-31')).toEqual({});
});

test('the contract names the choices and bounds the words', () => {
  const [q, status] = payments(`q=${'x'.repeat(200)}&status=rejected`);
  expect(q!.sent).toHaveLength(120);
  expect(status!.value).toBe('rejected');
  expect(status!.choices.slice(0, 2)).toEqual([
    { value: '', text: 'All' },
    { value: 'succeeded', text: 'SUCCEEDED' },
  ]);
});

test('what the contract does not know is not asked for and narrows nothing', () => {
  expect(asked('status=lost&q=%20&of=trees')).toEqual({});
  expect(isNarrowed(payments('status=lost'))).toBe(false);
  expect(isNarrowed(payments('status=open'))).toBe(true);
});

test('a parameter with a default is always asked for, and does not narrow', () => {
  const LIST = 'GET /api/admin/manual-payments/pending-verification';
  const transfers = (address: string) =>
    filtersOf(
      LIST,
      { status: { at: 'state', label: 'State', only: ['pending', 'approved'], of: String } },
      (name) => new URLSearchParams(address).get(name),
    );
  expect(queryOf(LIST, transfers(''))).toEqual({ status: 'pending' });
  expect(queryOf(LIST, transfers('state=approved'))).toEqual({ status: 'approved' });
  expect(queryOf(LIST, transfers('state=all'))).toEqual({ status: 'pending' });
  expect(isNarrowed(transfers('state=approved'))).toBe(false);
});

test('what is typed may be sent in another form', () => {
  const filters = filtersOf(
    'GET /api/admin/audit-log',
    { object: { label: 'Object', sent: (typed) => typed.replace('#', '') } },
    () => '#06BBE0',
  );
  expect(filters[0]).toMatchObject({ value: '#06BBE0', sent: '06BBE0' });
});
