import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Api } from '@arboleda/contracts/api.ts';
import { READ_DEADLINE_MS } from '../api/client.ts';
import { createQueryClient } from '../app/query-client.ts';
import { keepToken } from '../session/token-store.ts';
import { adminOrder } from '../testing/admin-orders.ts';
import { examplePayment } from '../testing/payments.ts';
import { ADMIN } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { AdminDashboard } from './AdminDashboard.tsx';
import type { PanelName } from './panels.ts';

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
      days: [{ day: '2026-11-20', orders: 0, trees: 0, amounts: [] }], notPlanted: [],
      asOf: '2026-11-22T12:00:00Z', deadLetters: 0, transfers: QUIET, waitingForWorker: QUIET,
    },
    'Everything arrived',
  ],
  payments: ['GET /api/admin/payments', { payments: [examplePayment()] }, 'Emma Clarke'],
  workers: ['GET /api/admin/workers', { workers: [] }, 'No workers found'],
  mails: ['GET /api/admin/mails', { mails: [] }, 'No mails found'],
  photos: ['GET /api/admin/photos', { photos: [] }, 'Nothing to look at'],
  security: ['GET /api/auth/admin/second-factor', { enabled: false, recoveryCodesLeft: 0 }, 'Two-factor log-in is off'],
}; // prettier-ignore
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
