import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openDashboard, verify } from '../../test/admin-dashboard.tsx';
import { address, page } from '../../test/admin-orders.tsx';
import { ADMIN, adminOrder, finishedAdminOrder, refusal } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

afterEach(cleanup);

const lists = (requests: { url: string }[]) =>
  requests
    .map(({ url }) => url)
    .filter((url) => url.startsWith('/api/admin/orders/manage') && !url.endsWith('?limit=1'));

test('shows short id, status, customer, trees, amount and date of each order', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard();
  const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
  for (const text of ['Pending', 'emma@mail.test', '5', 'USD 20.00', '20 November 2026'])
    expect(row.getByText(text)).toBeTruthy();
  expect(screen.getByText('lucia@mail.test')).toBeTruthy();
});

test('an admin who only reads orders is offered no change of them', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': () => ({ body: { user: { ...ADMIN, adminRole: 'support' } } }),
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard();
  const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
  expect(row.getByText('Pending')).toBeTruthy();
  expect(row.queryByRole('combobox')).toBeNull();
  expect(row.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: /CSV/ })).toBeNull();
});

test('shows the count of each status in localized figures', async () => {
  fakeApi({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page() });
  await openDashboard();
  await screen.findByRole('button', { name: 'All 1,284' });
  for (const name of ['Pending 37', 'Assigned 112', 'Planted 689', 'Completed 446'])
    expect(screen.getByRole('button', { name })).toBeTruthy();
});

test('keeps the filter in the address and applies it on the server', async () => {
  const requests = fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard();
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
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard('/admin-dashboard?status=completed');
  await screen.findByRole('row', { name: /06BBE0/ });
  cleanup();
  await openDashboard('/admin-dashboard?status=lost');
  await screen.findByRole('row', { name: /06BBE0/ });
  expect(lists(requests)).toEqual(['/api/admin/orders/manage?status=completed', '/api/admin/orders/manage']);
});

test('pages forward and back by cursor', async () => {
  const requests = fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': ({ url }) =>
      url.includes('cursor')
        ? page(adminOrder({ _id: '65f0c0ffee0000000006bbe9', shortId: '06BBE9' }))
        : { body: { ...page(adminOrder()).body, nextCursor: 'next one' } },
  });
  await openDashboard();
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
    'GET /api/admin/orders/manage': () => page(adminOrder()),
  });
  await openDashboard('/admin-dashboard?cursor=kept&page=3');
  fireEvent.click(await screen.findByRole('button', { name: 'First page' }));
  expect(address()).toBe('');
});

test('shows the empty state without orders', async () => {
  fakeApi({ 'GET /api/auth/admin/verify': verify, 'GET /api/admin/orders/manage': () => page() });
  await openDashboard();
  await screen.findByText('No orders found');
});

test('can reload orders after a failure', async () => {
  let online = false;
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => (online ? page(adminOrder()) : 'lost'),
  });
  await openDashboard();
  await screen.findByText('We could not load the orders');
  online = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('row', { name: /06BBE0/ });
});

const serveOne = (order: object) =>
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
  });

test('opens order details in a dialog kept in the address', async () => {
  serveOne(finishedAdminOrder());
  await openDashboard();
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
  await openDashboard('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
  fireEvent.click(await screen.findByRole('img', { name: /^Photo 1 of 1/ }));
  const photo = within(screen.getByRole('dialog', { name: 'Photos from the field' }));
  // The gallery loads with the first photo.
  fireEvent.click(await photo.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Photos from the field' })).toBeNull());
  expect(screen.getByText('Visa ending 4242')).toBeTruthy();
});

test('shows open steps of an unassigned order', async () => {
  serveOne(adminOrder({ timeline: [] }));
  await openDashboard('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
  await screen.findByText('Nobody yet');
  expect(screen.getByText('Known after planting')).toBeTruthy();
});

test('an unknown order shows a notice and no form', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/{id}': () => refusal(404, 'not-found'),
  });
  await openDashboard('/admin-dashboard?order=65f0c0ffee0000000006bbe0');
  await screen.findByText('There is no order with this address.');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
