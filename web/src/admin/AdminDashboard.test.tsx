import type { Api } from '@arboleda/contracts/api.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { READ_DEADLINE_MS } from '../api/client.ts';
import { createQueryClient } from '../app/query-client.ts';
import { keepToken } from '../session/token-store.ts';
import { adminOrder, finishedAdminOrder } from '../testing/admin-orders.ts';
import { examplePayment } from '../testing/payments.ts';
import { ADMIN, refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { AdminDashboard } from './AdminDashboard.tsx';
import { durationText } from './desk/duration.ts';
import type { PanelName } from './panels.ts';
import { Views } from './Views.tsx';

afterEach(cleanup);

describe('AdminDashboard', () => {
  beforeEach(() => {
    localStorage.clear();
    keepToken('admin', 'kept');
  });

  const COUNTS = { all: 1284, pending: 37, assigned: 112, planted: 689, completed: 446 };

  const verify = () => ({ body: { user: ADMIN } });

  const page = (orders: object[], nextCursor?: string) => ({ body: { orders, counts: COUNTS, nextCursor } });

  function Address() {
    return <output data-testid="address">{useLocation().search}</output>;
  }

  const address = () => screen.getByTestId('address').textContent;

  const open = (at = '/admin-dashboard') =>
    renderScreen(
      <>
        <AdminDashboard />
        <Address />
      </>,
      { texts: ['portal', 'admin'], at },
    );

  const lists = (requests: { url: string }[]) =>
    requests
      .map(({ url }) => url)
      .filter((url) => url.startsWith('/api/admin/orders/manage') && !url.endsWith('?limit=1'));

  test('every order has its row: short id, status, customer, trees, amount, date', async () => {
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open();
    const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
    for (const text of ['Pending', 'emma@mail.test', '5', 'USD 20.00', '20 November 2026'])
      expect(row.getByText(text)).toBeTruthy();
    expect(screen.getByText('lucia@mail.test')).toBeTruthy();
  });

  test('each status shows its count, in the reader’s figures', async () => {
    answer({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page([]) });
    await open();
    await screen.findByRole('button', { name: 'All 1,284' });
    for (const name of ['Pending 37', 'Assigned 112', 'Planted 689', 'Completed 446'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  test('the filter lives in the address and is asked of the server', async () => {
    const requests = answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: /^Planted/ }));
    expect(address()).toBe('?status=planted');
    await waitFor(() => expect(lists(requests).at(-1)).toBe('/api/admin/orders/manage?status=planted'));
    expect(screen.getByRole('button', { name: /^Planted/ }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: /^All/ }));
    expect(address()).toBe('');
  });

  test('an address with a filter opens with it; an unknown one shows all', async () => {
    const requests = answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open('/admin-dashboard?status=completed');
    await screen.findByRole('row', { name: /06BBE0/ });
    cleanup();
    await open('/admin-dashboard?status=lost');
    await screen.findByRole('row', { name: /06BBE0/ });
    expect(lists(requests)).toEqual([
      '/api/admin/orders/manage?status=completed',
      '/api/admin/orders/manage',
    ]);
  });

  test('pages are turned by the cursor, forth and back', async () => {
    const requests = answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': ({ url }) =>
        url.includes('cursor')
          ? page([adminOrder({ _id: '65f0c0ffee0000000006bbe9', shortId: '06BBE9' })])
          : page([adminOrder()], 'next one'),
    });
    await open();
    await screen.findByText('1–1 of 1,284');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('row', { name: /06BBE9/ });
    expect(screen.getByText('26–26 of 1,284')).toBeTruthy();
    expect(address()).toBe('?cursor=next+one&page=2');
    expect(lists(requests).at(-1)).toBe('/api/admin/orders/manage?cursor=next+one');
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await screen.findByRole('row', { name: /06BBE0/ });
    expect(address()).toBe('');
  });

  test('a page whose beginning nobody remembers leads back to the first', async () => {
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open('/admin-dashboard?cursor=kept&page=3');
    fireEvent.click(await screen.findByRole('button', { name: 'First page' }));
    expect(address()).toBe('');
  });

  test('without orders it says so', async () => {
    answer({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page([]) });
    await open();
    await screen.findByText('No orders found');
  });

  test('orders that cannot be loaded can be asked for again', async () => {
    let online = false;
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => (online ? page([adminOrder()]) : 'lost'),
    });
    await open();
    await screen.findByText('We could not load the orders');
    online = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('row', { name: /06BBE0/ });
  });

  const serveOne = (order: object) =>
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    });

  test('the details of an order open in a dialog that the address keeps', async () => {
    serveOne(finishedAdminOrder());
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'View details of order 06BBE0' }));
    expect(address()).toBe('?order=65f0c0ffee0000000006bbe0');
    const dialog = within(await screen.findByRole('dialog', { name: 'Order 06BBE0' }));
    await dialog.findByText('Visa ending 4242');
    for (const text of [
      '5 trees',
      'Emma Clarke',
      'emma@mail.test',
      'Marleny Ospina · SQ-014',
      'marleny@mail.test',
      'Quindío',
      'La Carbonera, Salento, Quindío',
      '4.637214',
      '-75.487031',
      'pi_1',
      'Upper edge of the plot.',
    ])
      expect(dialog.getByText(text)).toBeTruthy();
    expect(dialog.getByRole('img', { name: /^Photo 1 of 1/ })).toBeTruthy();
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0]!);
    expect(address()).toBe('');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('closing a photo leaves the order open', async () => {
    serveOne(finishedAdminOrder());
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    fireEvent.click(await screen.findByRole('img', { name: /^Photo 1 of 1/ }));
    const photo = within(screen.getByRole('dialog', { name: 'Photos from the field' }));
    // The gallery comes when the first photo is opened.
    fireEvent.click(await photo.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Photos from the field' })).toBeNull());
    expect(screen.getByText('Visa ending 4242')).toBeTruthy();
  });

  test('an order that nobody has yet says what is still open', async () => {
    serveOne(adminOrder({ timeline: [] }));
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    await screen.findByText('Nobody yet');
    expect(screen.getByText('Known when the trees are planted')).toBeTruthy();
  });

  test('an address of no order says so, and asks nothing of the reader', async () => {
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/{id}': () => refusal(404, 'not-found'),
    });
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    await screen.findByText('There is no order with this address.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('the desk has its title, whose it is, and two tabs with their counts', async () => {
    answer({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/manual-payments/pending-verification': () => ({ body: { orders: [], total: 3 } }),
    });
    await open();
    await screen.findByText('Every order, from its payment to its photos');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Admin Dashboard');
    expect(screen.getByText(ADMIN.email)).toBeTruthy();
    await screen.findByRole('link', { name: 'Manual Payment Verification 3' });
    await screen.findByRole('link', { name: 'Tree Planting Orders 1,284' });
  });
});

test('the orders say how many there are, and where one is', async () => {
  await renderScreen(<Views chosen="orders" counts={{ orders: 1284 }} />, { texts: ['admin'] });
  const orders = screen.getByRole('link', { name: 'Tree Planting Orders 1,284' });
  expect(orders.getAttribute('aria-current')).toBe('page');
  expect(orders.getAttribute('href')).toBe('/?view=orders');
});

test('a count that is not known yet is an ellipsis', async () => {
  await renderScreen(<Views chosen="orders" counts={{ orders: undefined }} />, { texts: ['admin'] });
  expect(screen.getByRole('link', { name: 'Tree Planting Orders …' })).toBeTruthy();
});

const MINUTE = 60_000;

const HOUR = 60 * MINUTE;

test.each([
  [0, 'en', '0 mins'],
  [-5 * MINUTE, 'en', '0 mins'],
  [20 * MINUTE, 'es', '20 min'],
  [19 * HOUR + 20 * MINUTE, 'en', '19 hrs 20 mins'],
  [2 * HOUR, 'es', '2 h'],
  [50 * HOUR + 30 * MINUTE, 'en', '2 days 2 hrs'],
  [24 * HOUR, 'en', '1 day'],
  [72 * HOUR, 'es', '3 días'],
])('%d ms in %s are %j', (ms, language, text) => {
  expect(durationText(ms, language).replace(/\u00a0|\u202f/g, ' ')).toBe(text);
});

describe('slow server', () => {
  type Read = readonly [key: keyof Api, body: object, shows: string];

  const ORDERS = {
    orders: [adminOrder()],
    counts: { all: 1, pending: 1, assigned: 0, planted: 0, completed: 0 },
  };

  const QUIET = { orders: 0, trees: 0 };

  /** What each panel reads, and a word of it when it has come. */
  const PANEL_READS: Record<PanelName, Read> = {
    orders: ['GET /api/admin/orders/manage', ORDERS, 'emma@mail.test'],
    transfers: [
      'GET /api/admin/manual-payments/pending-verification',
      { orders: [], total: 0 },
      'No pending manual payments.',
    ],
    overview: [
      'GET /api/admin/overview',
      {
        days: [{ day: '2026-11-20', orders: 0, trees: 0, amounts: [] }],
        notPlanted: [],
        asOf: '2026-11-22T12:00:00Z',
        deadLetters: 0,
        transfers: QUIET,
        waitingForWorker: QUIET,
      },
      'Everything arrived',
    ],
    payments: ['GET /api/admin/payments', { payments: [examplePayment()] }, 'Emma Clarke'],
    workers: ['GET /api/admin/workers', { workers: [] }, 'No workers found'],
    mails: ['GET /api/admin/mails', { mails: [] }, 'No mails found'],
    photos: ['GET /api/admin/photos', { photos: [] }, 'Nothing to look at'],
    security: [
      'GET /api/auth/admin/second-factor',
      { enabled: false, recoveryCodesLeft: 0 },
      'Two-factor log-in is off',
    ],
  };

  const ID = '65f0c0ffee0000000006bbe0';

  const DIALOG_READS: Record<string, Read> = {
    'view=orders&order': ['GET /api/admin/orders/{id}', { order: adminOrder() }, 'Nobody yet'],
    'view=payments&payment': ['GET /api/admin/payments/{id}', { payment: examplePayment() }, 'Emma Clarke'],
  };

  beforeEach(() => {
    localStorage.clear();
    keepToken('admin', 'kept');
    jest.useFakeTimers({ advanceTimers: true });
  });

  afterEach(() => {
    cleanup();
    jest.useRealTimers();
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  async function expectToEnd([key, body, shows]: Read, address: string): Promise<void> {
    let isSilent = true;
    const requests = answer({
      'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }),
      // What stands behind a dialog.
      'GET /api/admin/orders/manage': () => ({ body: ORDERS }),
      'GET /api/admin/payments': () => ({ body: { payments: [] } }),
      [key]: () => (isSilent ? 'never' : { body }),
    });
    const asked = () => requests.filter((request) => request.key === key).length;
    await renderScreen(<AdminDashboard />, {
      texts: ['portal', 'admin', 'desk'],
      at: `/admin-dashboard?${address}`,
      queryClient: createQueryClient(),
    });
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    await pass(READ_DEADLINE_MS);
    await screen.findByRole('button', { name: 'Try again' });
    const before = asked();
    // It stays until somebody asks: nothing takes the button away.
    await pass(READ_DEADLINE_MS * 2);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    isSilent = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(document.body.textContent).toContain(shows));
    expect(asked()).toBeGreaterThan(before);
  }

  test.each(Object.entries(PANEL_READS))(
    'a server that says nothing: %s are given up in time, and come when asked again',
    (name, read) => expectToEnd(read, `view=${name}`),
  );

  test.each(Object.entries(DIALOG_READS))(
    'a server that says nothing: the dialog at %s is given up in time, and comes when asked again',
    (name, read) => expectToEnd(read, `${name}=${ID}`),
  );
});
