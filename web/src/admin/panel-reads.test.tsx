import type { Api } from '@arboleda/contracts/api.ts';
import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { ADMIN_ROLES, mayDo, type Permission } from '@arboleda/contracts/permissions.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { READ_DEADLINE_MS } from '../api/client.ts';
import { createQueryClient } from '../api/query-client.ts';
import { keepToken } from '../session/token-store.ts';
import { ADMIN, managedAdmin, adminOrder, examplePayment } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { AdminDashboard } from './AdminDashboard.tsx';
import type { PanelName } from './panels.ts';

/** Permission of the endpoint that a request reaches. @param request "GET /api/admin/orders/123" */
function permissionOf(request: string): Permission | undefined {
  const [method, path] = request.split(' ') as [string, string];
  const key = Object.keys(ENDPOINTS).find((one) => {
    const [wanted, pattern] = one.split(' ') as [string, string];
    return wanted === method && new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  });
  const endpoints: Record<string, Endpoint> = ENDPOINTS;
  return endpoints[request in endpoints ? request : (key ?? '')]?.permission;
}

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
    texts: ['portal', 'admin', 'panels'],
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
      texts: ['portal', 'admin', 'panels'],
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
