import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { ADMIN, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi, lastOf } from '../../test/server.ts';
import type { AuditRow } from './AuditDetails.tsx';
import { AuditPanel } from './AuditPanel.tsx';

afterEach(cleanup);

const LIST = 'GET /api/admin/audit-log';
const EXPORT = 'GET /api/admin/audit-log/export';
const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };

const row = (changes: Partial<AuditRow> = {}): AuditRow => ({
  service: 'orders',
  seq: 7,
  at: '2026-11-21T15:00:00Z',
  by: { kind: 'admin', id: 'a1', name: 'Ana Gómez', email: 'ana@example.org', role: 'finance' },
  action: 'order.edited',
  object: { type: 'order', id: '65f0c0ffee0000000006bbe0' },
  orderId: '65f0c0ffee0000000006bbe0',
  before: { trees: 5, status: 'pending', active: false },
  after: { trees: 6, status: 'planted', active: true },
  withheld: ['customerEmail'],
  correlationId: 'corr-12345',
  ...changes,
});

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

const open = (at = '/?view=audit', language: 'en' | 'es' = 'en') =>
  renderScreen(
    <>
      <AuditPanel session={session} />
      <Address />
    </>,
    { texts: ['admin', 'panels', 'audit'], at, language },
  );
const address = () => screen.getByTestId('address').textContent;

test('a row says who did what to which order and when, and leads to the order', async () => {
  fakeApi({ [LIST]: () => ({ body: { rows: [row()], unavailable: [] } }) });
  await open();
  const line = await screen.findByRole('row', { name: /Edited the order/ });
  expect(line.textContent).toContain('Ana Gómez');
  expect(line.textContent).toContain('Finance · ana@example.org');
  expect(within(line).getByRole('link', { name: 'Order 06BBE0' }).getAttribute('href')).toBe(
    '/?view=orders&order=65f0c0ffee0000000006bbe0',
  );
});

test('a row opens to the fields before and after, and names those whose values are not kept', async () => {
  fakeApi({ [LIST]: () => ({ body: { rows: [row()], unavailable: [] } }) });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: /^Details: Edited the order/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Edited the order' });
  const cells = (name: string) =>
    within(within(dialog).getByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect([cells('Trees'), cells('Status'), cells('Active')]).toEqual([
    ['5', '6'],
    ['Pending', 'Planted'],
    ['No', 'Yes'],
  ]);
  expect(dialog.textContent).toContain(
    'the values are not kept here, because they may be personal: Customer’s email.',
  );
  expect(dialog.textContent).toContain('corr-12345');
  expect(address()).toContain('entry=orders-7');
});

test('operators, the product and lists are told in plain words, in Spanish too', async () => {
  const rows = [
    row({
      seq: 1,
      by: { kind: 'operator' },
      action: 'customer.erased',
      object: { type: 'customer', id: 'c1' },
    }),
    row({ seq: 2, by: { kind: 'system' }, action: 'statement.row_approved' }),
    row({ seq: 3, action: 'order.listed', after: { status: 'planted' }, withheld: ['q'] }),
  ];
  fakeApi({ [LIST]: () => ({ body: { rows, unavailable: [] } }) });
  await open('/?view=audit', 'es');
  const text = (await screen.findByRole('table')).textContent;
  for (const told of [
    'Eliminó los datos de un donante',
    'Operador',
    'Aprobó un pedido por su fila',
    'Abrió la lista de pedidos',
  ])
    expect(text).toContain(told);
  fireEvent.click(screen.getByRole('button', { name: /Abrió la lista de pedidos/ }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Buscó con palabras que no se guardan aquí: Palabras buscadas.');
});

test('roles have their names from the tab of the team, in Spanish too', async () => {
  const changed = row({
    by: { kind: 'admin', id: 'a1', name: 'Ana Gómez', email: 'ana@example.org', role: 'owner' },
    action: 'admin.changed',
    object: { type: 'admin', id: 'a2' },
    before: { role: 'support' },
    after: { role: 'coordinator' },
    withheld: [],
  });
  fakeApi({ [LIST]: () => ({ body: { rows: [changed], unavailable: [] } }) });
  await open('/?view=audit', 'es');
  expect((await screen.findByRole('table')).textContent).toContain('Dirección · ana@example.org');
  fireEvent.click(screen.getByRole('button', { name: /Cambió un administrador/ }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('row', { name: /^Rol/ }).textContent).toBe('RolAtenciónCoordinación');
});

test('filters are in the address and in the request', async () => {
  const requests = fakeApi({ [LIST]: () => ({ body: { rows: [], unavailable: [] } }) });
  await open('/?view=audit&who=ana&object=%2306BBE0&from=2026-11-20&to=2026-11-21');
  await screen.findByText('No entries');
  fireEvent.change(screen.getByLabelText('Area'), { target: { value: 'refund' } });
  await waitFor(() => expect(address()).toContain('area=refund'));
  await waitFor(() => expect(lastOf(requests, LIST)!.url).toContain('area=refund'));
  const { searchParams } = new URL(lastOf(requests, LIST)!.url, 'https://arboleda.test');
  expect(Object.fromEntries(searchParams)).toMatchObject({ who: 'ana', object: '06BBE0', area: 'refund' });
  expect(searchParams.get('from')).toMatch(/^2026-11-20T/);
});

test('services that did not answer are named, above the rows of the others', async () => {
  fakeApi({ [LIST]: () => ({ body: { rows: [row()], unavailable: ['payments'] } }) });
  await open();
  expect(await screen.findByText('Some entries are missing here: payments did not answer.')).toBeTruthy();
  expect(screen.getByText('Edited the order')).toBeTruthy();
});

test('a list that cannot be loaded and a file that cannot be made say so', async () => {
  fakeApi({ [LIST]: () => refusal(503, 'unavailable'), [EXPORT]: () => refusal(503, 'unavailable') });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Export (CSV)' }));
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0);
});
