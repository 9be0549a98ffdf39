import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { address, asked, many, openOrders, page, workers } from '../../test/admin-orders.tsx';
import { adminOrder } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';
import {
  filterQuery,
  foundOn,
  isNarrowed,
  listingOf,
  pageQuery,
  placeOf,
  withListing,
} from './use-listing.ts';

describe('the list of orders', () => {
  beforeEach(() => localStorage.clear());

  afterEach(cleanup);

  test('searches when typing pauses', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await openOrders();
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'emm' } });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'emma ' } });
    expect(address()).toBe('');
    await waitFor(() => expect(asked(requests)).toBe('q=emma'));
    expect(address()).toBe('?q=emma');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('emma ');
  });

  test('column heads sort and say how; a second press returns to the newest', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await openOrders();
    expect((await screen.findByRole('columnheader', { name: 'Date' })).getAttribute('aria-sort')).toBe(
      'descending',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Trees' }));
    await waitFor(() => expect(asked(requests)).toBe('sort=trees'));
    expect(screen.getByRole('columnheader', { name: 'Trees' }).getAttribute('aria-sort')).toBe('descending');
    fireEvent.click(screen.getByRole('button', { name: 'Trees' }));
    expect(address()).toBe('');
    fireEvent.click(screen.getByRole('button', { name: 'Date' }));
    expect(address()).toBe('?sort=oldest');
  });

  test('reports a reversed date range beside it', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page() });
    await openOrders('/?from=2026-11-22&to=2026-11-01');
    await screen.findByText('The first day is after the last one.');
    fireEvent.click(await screen.findByRole('button', { name: 'Show all orders' }));
    expect(address()).toBe('');
  });

  test('shows lower bounds beyond the counting limit, and no count by status that may be wrong', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => many(adminOrder(), { nextCursor: 'next' }) });
    await openOrders('/?q=emma');
    await screen.findByRole('button', { name: 'All 1,000+' });
    for (const name of ['Pending', 'Assigned', 'Planted', 'Completed'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Export 1,000+ orders (CSV)' })).toBeTruthy();
    expect(screen.getByText('1–1 of 1,000+')).toBeTruthy();
  });

  test('paging continues beyond the counting limit, and the last page shows the exact count', async () => {
    fakeApi({
      'GET /api/admin/orders/manage': ({ url }) =>
        many(adminOrder(), url.includes('cursor=last') ? {} : { nextCursor: 'last' }),
    });
    await openOrders('/?q=emma&cursor=here&page=41');
    await screen.findByText('1,001–1,001 and more');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('1,026–1,026 of 1,026');
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Export 1,026 orders (CSV)' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await screen.findByText('1,001–1,001 and more');
  });

  test('shows that more orders follow when the count of a status is unknown', async () => {
    fakeApi({
      'GET /api/admin/orders/manage': ({ url }) =>
        many(adminOrder(), url.includes('pending') ? {} : { nextCursor: 'next' }),
    });
    await openOrders('/?q=emma&status=planted');
    await screen.findByText('1–1 and more');
    expect(screen.getByRole('button', { name: 'Export (CSV)' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Pending' }));
    await screen.findByText('1–1 of 1');
  });

  test('formats large counts in Spanish', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => many(adminOrder(), { nextCursor: 'next' }) });
    await openOrders('/?q=emma', 'es');
    await screen.findByRole('button', { name: 'Todos 1.000+' });
    expect(screen.getByRole('button', { name: 'Exportar 1.000+ pedidos (CSV)' })).toBeTruthy();
    expect(screen.getByText('1–1 de 1.000+')).toBeTruthy();
  });

  test('filters by worker, region, method, refunds and flags live in the address', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/manage': () => page(adminOrder()),
      'GET /api/admin/workers/workloads': workers,
    });
    await openOrders();
    await screen.findByRole('option', { name: 'Beto' });
    const choose = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    choose('Worker', 'w-Beto');
    choose('Region', 'Huila');
    choose('Method', 'transfer');
    fireEvent.click(screen.getByRole('button', { name: 'Refunded' }));
    fireEvent.click(screen.getByRole('button', { name: 'Needs a look' }));
    const all = 'worker=w-Beto&region=Huila&method=transfer&refunded=true&flagged=true';
    await waitFor(() => expect(asked(requests)).toBe(all));
    expect(address()).toBe(`?${all}`);
    fireEvent.click(screen.getByRole('button', { name: 'Refunded' }));
    choose('Worker', 'none');
    await waitFor(() =>
      expect(asked(requests)).toBe('worker=none&region=Huila&method=transfer&flagged=true'),
    );
  });

  test('shows the filters of its address, also a worker who is not known here', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await openOrders('/?worker=w-gone&region=Nari%C3%B1o&flagged=true');
    expect((await screen.findByLabelText<HTMLSelectElement>('Worker')).value).toBe('w-gone');
    expect(screen.getByLabelText<HTMLSelectElement>('Region').value).toBe('Nariño');
    expect(screen.getByRole('button', { name: 'Needs a look' }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('button', { name: 'Filters (3)' })).toBeTruthy();
  });

  test('the status is a select as well, for phones', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await openOrders();
    await screen.findByRole('option', { name: 'Planted 689' });
    fireEvent.change(screen.getByRole('combobox', { name: 'Filter by status' }), {
      target: { value: 'planted' },
    });
    expect(address()).toBe('?status=planted');
  });
});

const at = (search: string) => new URLSearchParams(search);

test('an empty address requests the newest page', () => {
  expect(pageQuery(listingOf(at('view=orders')))).toEqual({});
  expect(isNarrowed(listingOf(at('')))).toBe(false);
});

test('sends all filters of the address to the server', () => {
  const listing = listingOf(
    at(
      'status=planted&q=+ana++&from=2026-11-01&to=2026-11-22&worker=w1&region=Huila&method=card&refunded=true' +
        '&flagged=true&assignedTo=2026-11-20T10:00:00.000Z&sort=trees&limit=50&cursor=abc&page=3',
    ),
  );
  expect(pageQuery(listing)).toEqual({
    status: 'planted',
    q: 'ana',
    from: '2026-11-01',
    to: '2026-11-22',
    worker: 'w1',
    region: 'Huila',
    method: 'card',
    refunded: 'true',
    flagged: 'true',
    assignedTo: '2026-11-20T10:00:00.000Z',
    sort: 'trees',
    limit: 50,
    cursor: 'abc',
  });
  expect(filterQuery(listing)).not.toHaveProperty('cursor');
  expect(placeOf(listing, 7)).toEqual({ first: 101, last: 107 });
});

test('ignores invalid parameters of the address', () => {
  const search = at(
    'status=lost&from=2026-13-40&to=soon&worker=a+b&method=cash&refunded=1&flagged=no&assignedFrom=now' +
      '&sort=random&limit=9999&cursor=abc&page=-2',
  );
  expect(pageQuery(listingOf(search))).toEqual({});
});

test('a filter change returns to the first page and keeps the other filters', () => {
  const search = at('view=orders&order=1&status=planted&cursor=abc&page=3');
  expect(withListing(search, { q: 'ana' }).toString()).toBe('view=orders&order=1&status=planted&q=ana');
  expect(withListing(search, { status: 'all' }).toString()).toBe('view=orders&order=1');
});

test('paging keeps the filter', () => {
  const next = withListing(at('status=planted'), { cursor: 'abc', page: 2 });
  expect(next.toString()).toBe('status=planted&cursor=abc&page=2');
  expect(withListing(next, { cursor: '', page: 1 }).toString()).toBe('status=planted');
});

test('the last page shows the total when the count is unknown', () => {
  const second = listingOf(at('q=ana&cursor=abc&page=2'));
  const least = { count: 10, isLeast: true };
  expect(foundOn(second, { found: least, rows: 7, isLast: true })).toEqual({ count: 32, isLeast: false });
  expect(foundOn(second, { found: undefined, rows: 7, isLast: true })).toEqual({ count: 32, isLeast: false });
  expect(foundOn(second, { found: least, rows: 25, isLast: false })).toBe(least);
  const exact = { count: 33, isLeast: false };
  expect(foundOn(second, { found: exact, rows: 7, isLast: true })).toBe(exact);
  expect(foundOn(listingOf(at('q=ana')), { found: undefined, rows: 0, isLast: true })?.count).toBe(0);
});
