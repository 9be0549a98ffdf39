import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { formatsOf } from '../../i18n/format.ts';
import { ADMIN, adminOrder, finishedAdminOrder, refusal } from '../../testing/fixtures.ts';
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
    expect(screen.getByRole('button', { name: 'Export (CSV)' })).toBeTruthy();
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

  const WORKERS = 'GET /api/admin/workers/workloads';

  const workload = (name: string, changes: object = {}) => ({
    workerId: `w-${name}`,
    code: 'QU-014',
    name,
    region: 'Quindío',
    active: true,
    capacityTrees: 100,
    openTrees: 40,
    openAssignments: 3,
    freeTrees: 60,
    visitsDue: 0,
    treesPlanted: 10,
    ...changes,
  });

  const workers = () => ({
    body: {
      workers: [
        workload('Ana'),
        workload('Beto', { region: 'Huila', freeTrees: 4 }),
        workload('Caro', { active: false }),
      ],
    },
  });

  test('filters by worker, region, method, refunds and flags live in the address', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/manage': () => page(adminOrder()),
      [WORKERS]: workers,
    });
    await open();
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
    await open('/?worker=w-gone&region=Nari%C3%B1o&flagged=true');
    expect((await screen.findByLabelText<HTMLSelectElement>('Worker')).value).toBe('w-gone');
    expect(screen.getByLabelText<HTMLSelectElement>('Region').value).toBe('Nariño');
    expect(screen.getByRole('button', { name: 'Needs a look' }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('button', { name: 'Filters (3)' })).toBeTruthy();
  });

  test('the status is a select as well, for phones', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await open();
    await screen.findByRole('option', { name: 'Planted 689' });
    fireEvent.change(screen.getByRole('combobox', { name: 'Filter by status' }), {
      target: { value: 'planted' },
    });
    expect(address()).toBe('?status=planted');
  });

  test('a row shows its worker and region, and that it needs a look', async () => {
    const { assignedWorker } = finishedAdminOrder();
    fakeApi({
      'GET /api/admin/orders/manage': () =>
        page(adminOrder({ assignedWorker, region: 'Quindío', flagged: true })),
    });
    await open();
    const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
    for (const text of ['Marleny Ospina', 'Quindío', 'Needs a look'])
      expect(row.getByText(text)).toBeTruthy();
  });

  test('a click on a row opens the order, one on its controls does not', async () => {
    fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
    await open();
    const row = await screen.findByRole('row', { name: /06BBE0/ });
    fireEvent.click(within(row).getByRole('checkbox', { name: 'Choose order 06BBE0' }));
    fireEvent.click(within(row).getByRole('combobox'));
    expect(address()).toBe('');
    fireEvent.click(within(row).getByText('emma@mail.test'));
    expect(address()).toBe('?order=65f0c0ffee0000000006bbe0');
  });

  describe('several orders', () => {
    const one = adminOrder({ _id: '65f0c0ffee0000000000aaa1', shortId: '00AAA1', customerName: 'Ona' });
    const two = adminOrder({ _id: '65f0c0ffee0000000000aaa2', shortId: '00AAA2', customerName: 'Tao' });
    const three = adminOrder({
      _id: '65f0c0ffee0000000000aaa3',
      shortId: '00AAA3',
      customerName: 'Tess',
      status: 'planted',
    });

    const idOf = (url: string) => /orders\/([0-9a-f]{24})/.exec(url)![1];

    const serve = (handlers: Parameters<typeof fakeApi>[0]) =>
      fakeApi({
        'GET /api/admin/orders/manage': () => page(one, two, three),
        'GET /api/admin/orders/export': () => 'lost',
        'GET /api/admin/orders/{id}': ({ url }) => ({
          body: { order: [one, two, three].find(({ _id }) => _id === idOf(url)) },
        }),
        [WORKERS]: workers,
        ...handlers,
      });

    const chooseAll = async (act: string) => {
      fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose all orders of this page' }));
      await screen.findByRole('option', { name: 'Beto' });
      fireEvent.click(screen.getByRole('button', { name: act }));
      return within(await screen.findByRole('dialog'));
    };

    const lines = (dialog: Pick<typeof screen, 'getAllByRole'>) =>
      dialog.getAllByRole('listitem').map(({ textContent }) => textContent);

    test('change their status after one question, and each says what happened to it', async () => {
      const requests = serve({
        'PUT /api/admin/orders/{id}/status': ({ url }) =>
          idOf(url) === two._id
            ? refusal(409, 'order-unpaid')
            : { body: { order: { ...one, status: 'planted' } } },
      });
      await open();
      const dialog = await chooseAll('Change status…');
      fireEvent.change(dialog.getByLabelText('New status'), { target: { value: 'planted' } });
      expect(lines(dialog)).toEqual([
        '00AAA1OnaPending → Planted',
        '00AAA2TaoPending → Planted',
        '00AAA3TessStays as it is: it has this status',
      ]);
      expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
      fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Seen.' } });
      fireEvent.click(dialog.getByRole('button', { name: 'Change 2 orders' }));
      await dialog.findByText(/^1 order changed\. 1 stayed as it was\. 1 was not changed/);
      expect(lines(dialog)[0]).toBe('00AAA1OnaDone');
      expect(lines(dialog)[1]).toMatch(/^00AAA2Tao(?!Done)/);
      const sent = requests.filter(({ key }) => key.startsWith('PUT'));
      expect(sent.map(({ url }) => idOf(url)).sort()).toEqual([one._id, two._id]);
      expect(sent[0]!.body).toEqual({ status: 'planted', reason: 'Seen.' });
      fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!);
      // What failed stays chosen.
      await screen.findByText('1 order chosen');
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose order 00AAA2' }).checked).toBe(
        true,
      );
    });

    test('are not changed when somebody else was faster', async () => {
      const requests = serve({
        'GET /api/admin/orders/{id}': () => ({ body: { order: { ...one, status: 'completed' } } }),
      });
      await open();
      const dialog = await chooseAll('Change status…');
      fireEvent.click(dialog.getByRole('button', { name: 'Change 3 orders' }));
      await dialog.findByText(/3 were not changed/);
      expect(lines(dialog)[0]).toBe('00AAA1OnaNot changed: someone else changed it first');
      expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
    });

    test('go to a worker of the list, best first', async () => {
      const requests = serve({
        'GET /api/admin/orders/{id}/assignment': () => ({ body: { assignment: { revision: 4 } } }),
        'PUT /api/admin/orders/{id}/assignment': () => ({
          body: { assignment: {}, changed: true, overCapacityTrees: 0 },
        }),
      });
      await open();
      const dialog = await chooseAll('Assign…');
      const radios = dialog.getAllByRole<HTMLInputElement>('radio');
      expect(radios.map(({ value }) => value)).toEqual(['w-Ana', 'w-Beto']);
      expect(dialog.getByText('11 trees over capacity')).toBeTruthy();
      fireEvent.click(dialog.getByRole('button', { name: /^Assign 3 orders/ }));
      await dialog.findByText('Choose a worker');
      fireEvent.click(radios[0]!);
      expect(lines(dialog)[0]).toBe('00AAA1OnaNobody yet → Ana');
      fireEvent.click(dialog.getByRole('button', { name: 'Assign 3 orders to Ana' }));
      await dialog.findByText('3 orders changed.');
      const sent = requests.filter(({ key }) => key === 'PUT /api/admin/orders/{id}/assignment');
      expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ workerId: 'w-Ana' }));
      expect(sent[0]!.headers['If-Match']).toBe('"4"');
    });

    test('are exported after a question that lists them', async () => {
      const requests = serve({});
      await open();
      const dialog = await chooseAll('Export (CSV)…');
      expect(lines(dialog)).toHaveLength(3);
      fireEvent.click(dialog.getByRole('button', { name: 'Export 3 orders' }));
      await dialog.findByText('The file could not be written. Try again.');
      const asked = requests.find(({ key }) => key === 'GET /api/admin/orders/export')!;
      expect(new URLSearchParams(asked.url.split('?')[1]).get('ids')).toBe(
        [one, two, three].map(({ _id }) => _id).join(),
      );
    });
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
