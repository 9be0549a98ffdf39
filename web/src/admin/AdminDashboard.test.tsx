import type { Api } from '@arboleda/contracts/api.ts';
import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { ADMIN_ROLES, mayDo, type Permission } from '@arboleda/contracts/permissions.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { READ_DEADLINE_MS } from '../api/client.ts';
import { createQueryClient } from '../app/query-client.ts';
import { keepToken } from '../session/token-store.ts';
import {
  ADMIN,
  managedAdmin,
  adminOrder,
  examplePayment,
  finishedAdminOrder,
  refusal,
} from '../testing/fixtures.ts';
import { renderScreen } from '../testing/render.tsx';
import { fakeApi } from '../testing/server.ts';
import { AdminDashboard } from './AdminDashboard.tsx';
import { durationText } from './shared/duration.ts';
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

  test('shows short id, status, customer, trees, amount and date of each order', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open();
    const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
    for (const text of ['Pending', 'emma@mail.test', '5', 'USD 20.00', '20 November 2026'])
      expect(row.getByText(text)).toBeTruthy();
    expect(screen.getByText('lucia@mail.test')).toBeTruthy();
  });

  test.each([
    ['support', ['Orders', 'Overview', 'Emails', 'Photos', 'Security']],
    [
      'auditor',
      [
        'Verification',
        'Orders',
        'Overview',
        'Payments',
        'statements',
        'Workers',
        'Emails',
        'Photos',
        'Admins',
        'Audit',
        'Security',
      ],
    ],
    ['coordinator', ['Orders', 'Overview', 'Workers', 'Emails', 'Photos', 'Security']],
    ['finance', ['Verification', 'Orders', 'Overview', 'Payments', 'statements', 'Emails', 'Security']],
  ] as const)('an admin with the role %s sees its parts of the dashboard', async (adminRole, views) => {
    fakeApi({
      'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole } } }),
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open();
    await screen.findByRole('row', { name: /06BBE0/ });
    const links = within(screen.getByRole('navigation', { name: 'Parts of the dashboard' })).getAllByRole(
      'link',
    );
    expect(links.map(({ textContent }) => views.find((view) => textContent.includes(view)))).toEqual(views);
  });

  test('an admin who only reads orders is offered no change of them', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole: 'support' } } }),
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open();
    const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
    expect(row.getByText('Pending')).toBeTruthy();
    expect(row.queryByRole('combobox')).toBeNull();
    expect(row.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /CSV/ })).toBeNull();
  });

  test('says which part a role does not include, also by its address', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole: 'support' } } }),
      'GET /api/admin/orders/manage': () => page([]),
    });
    await open('/admin-dashboard?view=payments');
    await screen.findByText(/Your role does not include this part/);
  });

  test('asks for the second factor when a call needs it, and goes on with it', async () => {
    let isGiven = false;
    const requests = fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/export': () => (isGiven ? { body: 'csv' } : refusal(403, 'step-up-required')),
      'POST /api/auth/admin/step-up': () => {
        isGiven = true;
        return { body: { token: 'fresh' } };
      },
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: /CSV/ }));
    fireEvent.change(await screen.findByLabelText(/^Code/), { target: { value: '123456' } });
    await waitFor(() =>
      expect(
        requests
          .filter(({ url }) => url.startsWith('/api/admin/orders/export'))
          .map(({ headers }) => headers.authorization),
      ).toEqual(['Bearer kept', 'Bearer fresh']),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('who declines to give the second factor is told that it is needed', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/export': () => refusal(403, 'step-up-required'),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: /CSV/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await screen.findByText('The file could not be written. Try again.');
  });

  test('shows the count of each status in localized figures', async () => {
    fakeApi({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page([]) });
    await open();
    await screen.findByRole('button', { name: 'All 1,284' });
    for (const name of ['Pending 37', 'Assigned 112', 'Planted 689', 'Completed 446'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  test('keeps the filter in the address and applies it on the server', async () => {
    const requests = fakeApi({
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

  test('opens with the filter of its address, and with all orders for an unknown one', async () => {
    const requests = fakeApi({
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

  test('pages forward and back by cursor', async () => {
    const requests = fakeApi({
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

  test('returns to the first page when the previous cursor is unknown', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
    });
    await open('/admin-dashboard?cursor=kept&page=3');
    fireEvent.click(await screen.findByRole('button', { name: 'First page' }));
    expect(address()).toBe('');
  });

  test('shows the empty state without orders', async () => {
    fakeApi({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page([]) });
    await open();
    await screen.findByText('No orders found');
  });

  test('can reload orders after a failure', async () => {
    let online = false;
    fakeApi({
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
    fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    });

  test('opens order details in a dialog kept in the address', async () => {
    serveOne(finishedAdminOrder());
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'View details of order 06BBE0' }));
    expect(address()).toBe('?order=65f0c0ffee0000000006bbe0');
    const dialog = within(await screen.findByRole('dialog', { name: 'Order 06BBE0' }));
    await dialog.findByText('Visa ending 4242');
    for (const text of [
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
    expect(dialog.getByText('Trees').parentElement!.textContent).toBe('Trees 5');
    expect(dialog.getByText('Total').parentElement!.textContent).toMatch(/^Total USD\s20\.00$/);
    expect(dialog.getByRole('img', { name: /^Photo 1 of 1/ })).toBeTruthy();
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0]!);
    expect(address()).toBe('');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('closing a photo keeps the order open', async () => {
    serveOne(finishedAdminOrder());
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    fireEvent.click(await screen.findByRole('img', { name: /^Photo 1 of 1/ }));
    const photo = within(screen.getByRole('dialog', { name: 'Photos from the field' }));
    // The gallery loads with the first photo.
    fireEvent.click(await photo.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Photos from the field' })).toBeNull());
    expect(screen.getByText('Visa ending 4242')).toBeTruthy();
  });

  test('shows open steps of an unassigned order', async () => {
    serveOne(adminOrder({ timeline: [] }));
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    await screen.findByText('Nobody yet');
    expect(screen.getByText('Known after planting')).toBeTruthy();
  });

  test('an unknown order shows a notice and no form', async () => {
    fakeApi({
      'GET /api/auth/admin/verify': verify,
      'GET /api/admin/orders/manage': () => page([adminOrder()]),
      'GET /api/admin/orders/{id}': () => refusal(404, 'not-found'),
    });
    await open('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
    await screen.findByText('There is no order with this address.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('shows its title, the admin, and two tabs with counts', async () => {
    fakeApi({
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

test('the list shows the total and the current position', async () => {
  await renderScreen(<Views chosen="orders" counts={{ orders: 1284 }} />, { texts: ['admin'] });
  const orders = screen.getByRole('link', { name: 'Tree Planting Orders 1,284' });
  expect(orders.getAttribute('aria-current')).toBe('page');
  expect(orders.getAttribute('href')).toBe('/?view=orders');
});

test('shows an ellipsis for an unknown count', async () => {
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

/** Of the endpoint at a path whose parameters may be filled in. */
function permissionOf(request: string): Permission | undefined {
  const [method, path] = request.split(' ') as [string, string];
  const key = Object.keys(ENDPOINTS).find((one) => {
    const [wanted, pattern] = one.split(' ') as [string, string];
    return wanted === method && new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  });
  const endpoints: Record<string, Endpoint> = ENDPOINTS;
  return endpoints[request in endpoints ? request : (key ?? '')]?.permission;
}

describe('slow server', () => {
  type Read = readonly [key: keyof Api, body: object, shows: string];

  const ORDERS = {
    orders: [adminOrder()],
    counts: { all: 1, pending: 1, assigned: 0, planted: 0, completed: 0 },
  };

  const QUIET = { orders: 0, trees: 0 };

  /** Calls of each panel, and a text that appears once they succeed. */
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
        days: [{ day: '2026-11-20', orders: 0, trees: 0, amounts: [], packageAmounts: [] }],
        notPlanted: [],
        reports: [],
        asOf: '2026-11-22T12:00:00Z',
        deadLetters: 0,
        transfers: QUIET,
        waitingForWorker: QUIET,
        withdrawals: { ...QUIET, overdue: 0 },
      },
      'All delivered',
    ],
    payments: ['GET /api/admin/payments', { payments: [examplePayment()] }, 'Emma Clarke'],
    statements: [
      'GET /api/admin/statement-rows',
      { rows: [], counts: { sure: 0, perhaps: 0, unknown: 0, withoutOrder: 0 } },
      'Nothing to approve',
    ],
    workers: ['GET /api/admin/workers', { workers: [] }, 'No workers found'],
    mails: ['GET /api/admin/mails', { mails: [] }, 'No emails found'],
    admins: ['GET /api/admin/admins', { admins: [managedAdmin()] }, 'lucia@mail.test'],
    photos: ['GET /api/admin/photos', { photos: [] }, 'Nothing to review'],
    audit: ['GET /api/admin/audit-log', { rows: [], unavailable: [] }, 'No entries'],
    security: [
      'GET /api/auth/admin/second-factor',
      { enabled: false, recoveryCodesLeft: 0 },
      'Two-factor login is off',
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
    const requests = fakeApi({
      'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }),
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
    // No automatic retry removes the button.
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

  const ASKED = ADMIN_ROLES.flatMap((role) =>
    [...Object.entries(PANEL_READS), ...Object.entries(DIALOG_READS)].map(([name, read]) => ({
      role,
      name,
      read,
    })),
  );

  test.each(ASKED)(
    'for $role the dashboard at $name asks only for what the role may read',
    async ({ role, name, read }) => {
      const [key, body, shows] = read;
      const requests = fakeApi({
        'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole: role } } }),
        'GET /api/admin/orders/manage': () => ({ body: ORDERS }),
        'GET /api/admin/payments': () => ({ body: { payments: [] } }),
        [key]: () => ({ body }),
      });
      const isDialog = name in DIALOG_READS;
      await renderScreen(<AdminDashboard />, {
        texts: ['portal', 'admin', 'desk'],
        at: `/admin-dashboard?${isDialog ? `${name}=${ID}` : `view=${name}`}`,
        queryClient: createQueryClient(),
      });
      const mayRead = mayDo(role, permissionOf(key));
      await waitFor(() =>
        expect(document.body.textContent).toContain(mayRead ? shows : 'Your role does not include this part'),
      );
      for (const { key: asked } of requests)
        expect([asked, mayDo(role, permissionOf(asked))]).toEqual([asked, true]);
    },
  );

  test.each(Object.entries(DIALOG_READS))(
    'a server that says nothing: the dialog at %s is given up in time, and comes when asked again',
    (name, read) => expectToEnd(read, `${name}=${ID}`),
  );
});
