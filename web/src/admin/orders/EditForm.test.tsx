import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openOrder, typeInto } from '../../test/admin-orders.tsx';
import { finishedAdminOrder, refusal } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

afterEach(cleanup);

const order = finishedAdminOrder();

/** @returns how often the dialog asked to be closed */
async function edit(): Promise<() => number> {
  const closed = await openOrder();
  fireEvent.click(await screen.findByRole('button', { name: 'Edit order' }));
  await screen.findByLabelText('Trees');
  return closed;
}

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));

const saved = (requests: ReturnType<typeof fakeApi>) =>
  requests.filter(({ key }) => key === 'PUT /api/admin/orders/{id}');

async function discard(): Promise<void> {
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
}

test('an edit sends changed fields with the version that was read, and confirms in the spec’s words', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}': () => ({ body: { order: { ...order, trees: 6, version: 2 } } }),
  });
  await edit();
  typeInto('Trees', '6');
  typeInto('Amount', '24.5');
  save();
  await screen.findByText('Order updated successfully!');
  const [put] = saved(requests);
  expect(put!.body).toEqual({ trees: 6, amount: 2450, currency: 'USD' });
  expect(put!.headers['If-Match']).toBe('"1"');
});

test('reads numbers in the page’s format and shows how they were understood', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: { ...order, currency: 'COP' } } }),
    'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
  });
  await openOrder('es');
  fireEvent.click(await screen.findByRole('button', { name: 'Editar pedido' }));
  await screen.findByLabelText('Árboles');
  expect(screen.getByLabelText<HTMLInputElement>('Valor').value).toBe('20,00');
  typeInto('Árboles', '2.000');
  typeInto('Valor', '288.050,00');
  typeInto('Latitud', '4.637215, -75.487032');
  expect(screen.getByText('Entendido: 2.000')).toBeTruthy();
  expect(screen.getByText('Entendido: COP 288.050')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Guardar cambios' }));
  await waitFor(() =>
    expect(saved(requests)[0]?.body).toEqual({
      trees: 2000,
      amount: 28_805_000,
      currency: 'COP',
      coordinates: { latitude: 4.637215, longitude: -75.487032 },
    }),
  );
});

test('shows problems beside their fields and sends nothing', async () => {
  const requests = fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
  await edit();
  typeInto('Trees', '');
  typeInto('Longitude', '');
  typeInto('Customer email', 'emma@mail');
  save();
  await screen.findByText('Please enter at least 1 tree');
  await screen.findByText('Latitude and longitude go together: fill in both or none');
  await screen.findByText('This address is not complete. Example: name@mail.com');
  expect(screen.getByLabelText('Trees').getAttribute('aria-invalid')).toBe('true');
  expect(saved(requests)).toEqual([]);
  await discard();
});

test('offers to swap exchanged coordinates with one press', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
  });
  await edit();
  typeInto('Latitude', '-75.487');
  typeInto('Longitude', '4.637');
  save();
  await screen.findByText('Latitude and longitude look swapped');
  expect(saved(requests)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Swap latitude and longitude' }));
  await waitFor(() => expect(screen.queryByText('Latitude and longitude look swapped')).toBeNull());
  save();
  await waitFor(() =>
    expect(saved(requests)[0]?.body).toEqual({ coordinates: { latitude: 4.637, longitude: -75.487 } }),
  );
});

test('clears the problem of a place when its other half is corrected', async () => {
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
  await edit();
  typeInto('Latitude', '-75.487');
  typeInto('Longitude', '4.637');
  save();
  await screen.findByText('Latitude and longitude look swapped');
  typeInto('Longitude', '-75.487');
  await screen.findByText('This place is not in Colombia. Check both numbers');
  typeInto('Latitude', '4.637');
  await waitFor(() => expect(screen.queryByText(/not in Colombia|look swapped/)).toBeNull());
  await discard();
});

test('a failed edit shows the reason and keeps the input', async () => {
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}': () => refusal(500, 'unknown'),
  });
  await edit();
  typeInto('Notes', 'By the gate.');
  save();
  await screen.findByText('Failed to update order');
  expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('By the gate.');
  await discard();
});

test('shows a concurrent change, keeps the input, and saves over the new version', async () => {
  const fresh = { ...order, trees: 8, version: 2 };
  let changed = false;
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: changed ? fresh : order } }),
    'PUT /api/admin/orders/{id}': ({ headers }) =>
      headers['If-Match'] === '"2"' ? { body: { order: fresh } } : refusal(412, 'precondition-failed'),
  });
  await edit();
  typeInto('Notes', 'By the gate.');
  changed = true;
  save();
  const alert = within(await screen.findByRole('alert'));
  expect((await alert.findByRole('listitem')).textContent).toMatch(/Trees: 5 → to 8/);
  expect((screen.getByLabelText('Trees') as HTMLInputElement).value).toBe('8');
  expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('By the gate.');
  save();
  await screen.findByText('Order updated successfully!');
  expect(saved(requests).at(-1)!.body).toEqual({ notes: 'By the gate.' });
});

test('asks before closing with unsaved input, and restores the draft later', async () => {
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
  const closedBefore = await edit();
  typeInto('Notes', 'Half a thought');
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
  await screen.findByRole('dialog', { name: 'Discard your changes?' });
  expect(closedBefore()).toBe(0);
  cleanup();

  const closed = await openOrder();
  await screen.findByText('This is what you had typed and not saved.');
  expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('Half a thought');
  await discard();
  expect(closed()).toBe(1);
});

test('an edit offers eight currencies, and places to a millionth of a degree', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
  });
  await edit();
  const currencies = within(screen.getByLabelText('Currency')).getAllByRole<HTMLOptionElement>('option');
  expect(currencies.map(({ value }) => value)).toEqual([
    'USD',
    'EUR',
    'GBP',
    'CAD',
    'AUD',
    'COP',
    'MXN',
    'BRL',
  ]);
  typeInto('Latitude', '4.6372149');
  typeInto('Longitude', '-75.4870316');
  save();
  await waitFor(() =>
    expect(saved(requests)[0]?.body).toEqual({
      coordinates: { latitude: 4.637215, longitude: -75.487032 },
    }),
  );
});

test('the arrow keys move a place by a millionth of a degree', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
  });
  await edit();
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  fireEvent.keyDown(field('Latitude'), { key: 'ArrowUp' });
  fireEvent.keyDown(field('Longitude'), { key: 'ArrowDown' });
  await waitFor(() => expect(field('Latitude').value).toBe('4.637215'));
  expect(field('Longitude').value).toBe('-75.487032');
  save();
  await waitFor(() =>
    expect(saved(requests)[0]?.body).toEqual({
      coordinates: { latitude: 4.637215, longitude: -75.487032 },
    }),
  );
});
