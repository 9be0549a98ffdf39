import { VERSION } from '@arboleda/contracts/version.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openDashboard, verify } from '../test/admin-dashboard.tsx';
import { page } from '../test/admin-orders.tsx';
import { ADMIN, adminOrder, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { Views } from './Views.tsx';

afterEach(cleanup);

test('shows its title, the admin, and two tabs with counts', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/manual-payments/pending-verification': () => ({ body: { orders: [], total: 3 } }),
  });
  await openDashboard();
  await screen.findByText('Every order, from its payment to its photos');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Admin Dashboard');
  expect(screen.getByText(ADMIN.email)).toBeTruthy();
  expect(screen.getByRole('contentinfo').textContent).toBe(`Arboleda ${VERSION}`);
  await screen.findByRole('link', { name: 'Manual Payment Verification 3' });
  await screen.findByRole('link', { name: 'Tree Planting Orders 1,284' });
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
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard();
  await screen.findByRole('row', { name: /06BBE0/ });
  const links = within(screen.getByRole('navigation', { name: 'Parts of the dashboard' })).getAllByRole(
    'link',
  );
  expect(links.map(({ textContent }) => views.find((view) => textContent.includes(view)))).toEqual(views);
});

test('says which part a role does not include, also by its address', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole: 'support' } } }),
    'GET /api/admin/orders/manage': () => page(),
  });
  await openDashboard('/admin-dashboard?view=payments');
  await screen.findByText(/Your role does not include this part/);
});

test('asks for the second factor when a call needs it, and goes on with it', async () => {
  let isGiven = false;
  const requests = fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/export': () => (isGiven ? { body: 'csv' } : refusal(403, 'step-up-required')),
    'POST /api/auth/admin/step-up': () => {
      isGiven = true;
      return { body: { token: 'fresh' } };
    },
  });
  await openDashboard();
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
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/export': () => refusal(403, 'step-up-required'),
  });
  await openDashboard();
  fireEvent.click(await screen.findByRole('button', { name: /CSV/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await screen.findByText('The file could not be written. Try again.');
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
