import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { fireEvent, screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { AdminRoleContext } from '../admin/permissions.tsx';
import { OrderDialog } from '../admin/orders/OrderDialog.tsx';
import { OrdersPanel } from '../admin/orders/OrdersPanel.tsx';
import { call } from '../api/client.ts';
import type { Language } from '../i18n/languages.ts';
import { ADMIN } from './fixtures.ts';
import { renderScreen } from './render.tsx';
import type { fakeApi } from './server.ts';

const nothing = () => undefined;
const session = { person: ADMIN, call, logIn: nothing, logOut: nothing };

const COUNTS = { all: 1284, pending: 37, assigned: 112, planted: 689, completed: 446 };

/** The server's answer for a page of the list. */
export const page = (...orders: object[]) => ({ body: { orders, counts: COUNTS } });

/** The first page of more orders than the server counts. */
export const many = (order: object, more: object) => ({
  body: {
    orders: [order],
    counts: { all: 1000, pending: 3, assigned: 90, planted: 601, completed: 307 },
    countsAtLeast: true,
    ...more,
  },
});

/** Shows the search of the address, so that tests can read it. */
export function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

export const address = () => screen.getByTestId('address').textContent;

export const openOrders = (at = '/', language: Language = 'en') =>
  renderScreen(
    <>
      <OrdersPanel session={session} />
      <Address />
    </>,
    { texts: ['admin'], at, language },
  );

/** The query of the last request for the list. */
export const asked = (requests: ReturnType<typeof fakeApi>) =>
  requests
    .filter(({ key }) => key === 'GET /api/admin/orders/manage')
    .at(-1)!
    .url.split('?')[1];

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

/** The server's answer for the workers: one with room, one without, one inactive. */
export const workers = () => ({
  body: {
    workers: [
      workload('Ana'),
      workload('Beto', { region: 'Huila', freeTrees: 4 }),
      workload('Caro', { active: false }),
    ],
  },
});

/** Id of `adminOrder()`. */
export const ORDER_ID = '65f0c0ffee0000000006bbe0';

/** @returns how often the dialog asked to be closed */
export async function openOrder(language: Language = 'en', role: AdminRole = 'owner'): Promise<() => number> {
  let closed = 0;
  await renderScreen(
    <AdminRoleContext value={role}>
      <OrderDialog call={call} person={{ id: 'a1' }} id={ORDER_ID} onClose={() => closed++} />
    </AdminRoleContext>,
    { texts: ['admin'], language },
  );
  return () => closed;
}

export const typeInto = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

/** Texts of the lines of a dialog. */
export const linesOf = (dialog: Pick<typeof screen, 'getAllByRole'>) =>
  dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
