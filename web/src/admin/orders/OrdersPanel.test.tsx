import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { address, openOrders, page } from '../../test/admin-orders.tsx';
import { adminOrder, finishedAdminOrder, refusal } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

beforeEach(() => localStorage.clear());

afterEach(cleanup);

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
  await openOrders();
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
  await openOrders();
  await screen.findByText(/^USD\s5\.00 refunded$/);
  screen.getByText(/^Package: USD\s15\.00 lost in a dispute$/);
});

test('shows statuses in Spanish', async () => {
  fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
  await openOrders('/', 'es');
  fireEvent.click(await screen.findByRole('combobox', { name: 'Estado del pedido 06BBE0: Pendiente' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Sembrado' }));
  await screen.findByRole('dialog', { name: '¿Cambiar el estado del pedido de Pendiente a Sembrado?' });
});

test('choosing the current status changes nothing', async () => {
  const requests = fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
  await openOrders();
  await choose('Pending');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
});

test('a failed change reports in the spec’s words, stays open, and reloads the list', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'PUT /api/admin/orders/{id}/status': () => refusal(409, 'conflict'),
  });
  await openOrders();
  await choose('Planted');
  const before = requests.length;
  fireEvent.click(await screen.findByRole('button', { name: 'Change status' }));
  await screen.findByText(
    'Failed to update order status. This was changed in the meantime. Please load it again.',
  );
  expect(screen.getByRole('dialog', { name: QUESTION })).toBeTruthy();
  await waitFor(() =>
    expect(requests.slice(before).some(({ key }) => key === 'GET /api/admin/orders/manage')).toBe(true),
  );
});

test('a row shows its worker and region, and that it needs a look', async () => {
  const { assignedWorker } = finishedAdminOrder();
  fakeApi({
    'GET /api/admin/orders/manage': () =>
      page(adminOrder({ assignedWorker, region: 'Quindío', flagged: true })),
  });
  await openOrders();
  const row = within(await screen.findByRole('row', { name: /06BBE0/ }));
  for (const text of ['Marleny Ospina', 'Quindío', 'Needs a look']) expect(row.getByText(text)).toBeTruthy();
});

test('a click on a row opens the order, one on its controls does not', async () => {
  fakeApi({ 'GET /api/admin/orders/manage': () => page(adminOrder()) });
  await openOrders();
  const row = await screen.findByRole('row', { name: /06BBE0/ });
  fireEvent.click(within(row).getByRole('checkbox', { name: 'Choose order 06BBE0' }));
  fireEvent.click(within(row).getByRole('combobox'));
  expect(address()).toBe('');
  fireEvent.click(within(row).getByText('emma@mail.test'));
  expect(address()).toBe('?order=65f0c0ffee0000000006bbe0');
});

test('reports a failed export', async () => {
  fakeApi({
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/export': () => 'lost',
  });
  await openOrders();
  fireEvent.click(await screen.findByRole('button', { name: 'Export 1,284 orders (CSV)' }));
  await screen.findByText('The file could not be written. Try again.');
});

test('a failed query shows no rows of the previous filter', async () => {
  fakeApi({
    'GET /api/admin/orders/manage': ({ url }) => (url.includes('planted') ? 'lost' : page(adminOrder())),
  });
  await openOrders();
  await screen.findByRole('row', { name: /06BBE0/ });
  fireEvent.click(screen.getByRole('button', { name: /^Planted/ }));
  await screen.findByText('We could not load the orders');
  expect(screen.queryByRole('row', { name: /06BBE0/ })).toBeNull();
});
