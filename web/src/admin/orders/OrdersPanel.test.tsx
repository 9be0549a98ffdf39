import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { formatsOf } from '../../i18n/format.ts';
import { ADMIN, adminOrder, refusal } from '../../testing/fixtures.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fakeApi } from '../../testing/server.ts';
import { applyChange, hiddenChanges, NO_ROWS, updateRows } from './order-page.ts';
import {
  filterQuery,
  foundOn,
  isNarrowed,
  listingOf,
  pageQuery,
  placeOf,
  withListing,
} from './use-listing.ts';
import { OrdersPanel } from './OrdersPanel.tsx';
import { actionOf, rowAfter } from './Shortcuts.tsx';
import { describeChanges } from './History.tsx';

describe('OrdersPanel', () => {
  beforeEach(() => localStorage.clear());

  afterEach(cleanup);

  const COUNTS = { all: 1284, pending: 37, assigned: 112, planted: 689, completed: 446 };

  const page = (...orders: object[]) => ({ body: { orders, counts: COUNTS } });

  const nothing = () => undefined;

  const session = { person: ADMIN, call, logIn: nothing, logOut: nothing };

  function Address() {
    return <output data-testid="address">{useLocation().search}</output>;
  }

  const address = () => screen.getByTestId('address').textContent;

  const open = (at = '/') =>
    renderScreen(
      <>
        <OrdersPanel session={session} />
        <Address />
      </>,
      { texts: ['admin'], at },
    );

  const asked = (requests: { key: string; url: string }[]) =>
    requests
      .filter(({ key }) => key === 'GET /api/admin/orders/manage')
      .at(-1)!
      .url.split('?')[1];

  const choose = async (status: string) => {
    fireEvent.click(await screen.findByRole('combobox', { name: 'Status of order 06BBE0: Pending' }));
    fireEvent.click(await screen.findByRole('option', { name: status }));
  };

  const QUESTION = 'Change order status from Pending to Planted?';

  test('another status asks for confirmation in the spec’s words and a reason for the history', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/manage': () => page(adminOrder()),
      'PUT /api/admin/orders/{id}/status': () => ({
        body: { order: adminOrder({ status: 'planted', revision: 2 }) },
      }),
    });
    await open();
    await choose('Planted');
    const question = within(await screen.findByRole('dialog', { name: QUESTION }));
    expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
    fireEvent.change(question.getByLabelText('Reason'), { target: { value: ' Seen. ' } });
    fireEvent.click(question.getByRole('button', { name: 'Change status' }));
    await screen.findByRole('combobox', { name: 'Status of order 06BBE0: Planted' });
    expect(requests.find(({ key }) => key.startsWith('PUT'))!.body).toEqual({
      status: 'planted',
      reason: 'Seen.',
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a row shows refunds of the order and its packages', async () => {
    const growth = [
      {
        photoPackageType: 'first_year' as const,
        currency: 'USD' as const,
        visits: [],
        purchasedAt: '2026-11-21T12:00:00Z',
        lostAmount: 1500,
      },
    ];
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder({ refundedAmount: 500, growth })) });
    await open();
    await screen.findByText(/^USD\s5\.00 refunded$/);
    screen.getByText(/^Package: USD\s15\.00 lost in a dispute$/);
  });

  test('shows statuses in Spanish', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await renderScreen(<OrdersPanel session={session} />, { texts: ['admin'], language: 'es' });
    fireEvent.click(await screen.findByRole('combobox', { name: 'Estado del pedido 06BBE0: Pendiente' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Sembrado' }));
    await screen.findByRole('dialog', { name: '¿Cambiar el estado del pedido de Pendiente a Sembrado?' });
  });

  test('choosing the current status changes nothing', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await open();
    await choose('Pending');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
  });

  test('a failed change reports in the spec’s words, stays open, and reloads the list', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/manage': () => page(adminOrder()),
      'PUT /api/admin/orders/{id}/status': () => refusal(409, 'conflict'),
    });
    await open();
    await choose('Planted');
    const before = requests.length;
    fireEvent.click(await screen.findByRole('button', { name: 'Change status' }));
    await screen.findByText(
      'Failed to update order status. This was changed meanwhile. Please load it again.',
    );
    expect(screen.getByRole('dialog', { name: QUESTION })).toBeTruthy();
    await waitFor(() =>
      expect(requests.slice(before).some(({ key }) => key === 'GET /api/admin/orders/manage')).toBe(true),
    );
  });

  test('searches when typing pauses', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await open();
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'emm' } });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'emma ' } });
    expect(address()).toBe('');
    await waitFor(() => expect(asked(requests)).toBe('q=emma'));
    expect(address()).toBe('?q=emma');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('emma ');
  });

  test('column heads sort and say how; a second press returns to the newest', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await open();
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
    await open('/?from=2026-11-22&to=2026-11-01');
    await screen.findByText('The first day is after the last one.');
    fireEvent.click(await screen.findByRole('button', { name: 'Show all orders' }));
    expect(address()).toBe('');
  });

  /** More than the server counts. */
  const many = (more: object) => ({
    body: {
      orders: [adminOrder()],
      counts: { all: 1000, pending: 3, assigned: 90, planted: 601, completed: 307 },
      countsAtLeast: true,
      ...more,
    },
  });

  test('shows lower bounds beyond the counting limit, and no count by status that may be wrong', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => many({ nextCursor: 'next' }) });
    await open('/?q=emma');
    await screen.findByRole('button', { name: 'All 1,000+' });
    for (const name of ['Pending', 'Assigned', 'Planted', 'Completed'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Export 1,000+ orders (CSV)' })).toBeTruthy();
    expect(screen.getByText('1–1 of 1,000+')).toBeTruthy();
  });

  test('paging continues beyond the counting limit, and the last page shows the exact count', async () => {
    fakeApi({
      'GET /api/admin/orders/manage': ({ url }) =>
        many(url.includes('cursor=last') ? {} : { nextCursor: 'last' }),
    });
    await open('/?q=emma&cursor=here&page=41');
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
        many(url.includes('pending') ? {} : { nextCursor: 'next' }),
    });
    await open('/?q=emma&status=planted');
    await screen.findByText('1–1 and more');
    expect(screen.getByRole('button', { name: 'CSV' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Pending' }));
    await screen.findByText('1–1 of 1');
  });

  test('formats large counts in Spanish', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => many({ nextCursor: 'next' }) });
    await renderScreen(<OrdersPanel session={session} />, {
      texts: ['admin'],
      language: 'es',
      at: '/?q=emma',
    });
    await screen.findByRole('button', { name: 'Todos 1.000+' });
    expect(screen.getByRole('button', { name: 'Exportar 1.000+ pedidos (CSV)' })).toBeTruthy();
    expect(screen.getByText('1–1 de 1.000+')).toBeTruthy();
  });

  test('reports a failed export', async () => {
    fakeApi({
      'GET /api/admin/orders/manage': () => page(adminOrder()),
      'GET /api/admin/orders/export': () => 'lost',
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Export 1,284 orders (CSV)' }));
    await screen.findByText('The file could not be written. Try again.');
  });

  test('a failed query shows no rows of the previous filter', async () => {
    fakeApi({
      'GET /api/admin/orders/manage': ({ url }) => (url.includes('planted') ? 'lost' : page(adminOrder())),
    });
    await open();
    await screen.findByRole('row', { name: /06BBE0/ });
    fireEvent.click(screen.getByRole('button', { name: /^Planted/ }));
    await screen.findByText('We could not load the orders');
    expect(screen.queryByRole('row', { name: /06BBE0/ })).toBeNull();
  });
});

const at = (search: string) => new URLSearchParams(search);

test('an empty address requests the newest page', () => {
  expect(pageQuery(listingOf(at('view=orders')))).toEqual({});
  expect(isNarrowed(listingOf(at('')))).toBe(false);
});

test('sends all filters of the address to the server', () => {
  const listing = listingOf(
    at('status=planted&q=+ana++&from=2026-11-01&to=2026-11-22&sort=trees&limit=50&cursor=abc&page=3'),
  );
  expect(pageQuery(listing)).toEqual({
    status: 'planted',
    q: 'ana',
    from: '2026-11-01',
    to: '2026-11-22',
    sort: 'trees',
    limit: 50,
    cursor: 'abc',
  });
  expect(filterQuery(listing)).not.toHaveProperty('cursor');
  expect(placeOf(listing, 7)).toEqual({ first: 101, last: 107 });
});

test('ignores invalid parameters of the address', () => {
  const search = at('status=lost&from=2026-13-40&to=soon&sort=random&limit=9999&cursor=abc&page=-2');
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

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

const idle = { isTaken: false, isOnRow: false, lettersOn: true };

test('letter keys act anywhere on the list, arrows on its rows', () => {
  expect(actionOf(press('/'), idle)).toBe('search');
  expect(actionOf(press('j'), idle)).toBe('down');
  expect(actionOf(press('?'), idle)).toBe('help');
  expect(actionOf(press('ArrowDown'), idle)).toBeUndefined();
  expect(actionOf(press('ArrowUp'), { ...idle, isOnRow: true })).toBe('up');
});

test('ignores keys while typing and in browser shortcuts', () => {
  expect(actionOf(press('/'), { ...idle, isTaken: true })).toBeUndefined();
  expect(actionOf(press('k', { ctrlKey: true }), idle)).toBeUndefined();
});

test('letter keys can be switched off; arrows stay', () => {
  const off = { ...idle, isOnRow: true, lettersOn: false };
  expect(actionOf(press('j'), off)).toBeUndefined();
  expect(actionOf(press('ArrowDown'), off)).toBe('down');
});

test('row focus starts at the near end and stops at the last row', () => {
  expect(rowAfter(-1, 'down', 3)).toBe(0);
  expect(rowAfter(-1, 'up', 3)).toBe(2);
  expect(rowAfter(2, 'down', 3)).toBe(2);
  expect(rowAfter(1, 'up', 3)).toBe(0);
});

test('describes an edit with form labels, money, places and empty values', () => {
  const described = describeChanges(
    [
      { field: 'amountMinor', from: 2000, to: 8_230_000 },
      { field: 'currency', from: 'USD', to: 'COP' },
      { field: 'customer.name', from: 'Emma', to: 'Emma Clarke' },
      { field: 'coordinates', to: { latitude: 4.5, longitude: -75.25 } },
      { field: 'trees', from: 1000, to: 2000 },
    ],
    'COP',
    formatsOf('en'),
  );
  expect(described).toEqual([
    { field: 'amount', from: 'USD\u00a020.00', to: 'COP\u00a082,300.00' },
    { field: 'currency', from: 'USD', to: 'COP' },
    { field: 'customerName', from: 'Emma', to: 'Emma Clarke' },
    { field: 'coordinates', from: '', to: '4.500000, -75.250000' },
    { field: 'trees', from: '1,000', to: '2,000' },
  ]);
});

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
