import { answering, type Area, untilItFailed } from './screen.ts';

const ORDERS = '**/api/admin/orders/manage*';

export const ADMIN: Area = [
  { name: 'admin-log-in', path: '/admin-dashboard' },
  { name: 'admin-orders', as: 'admin', path: '/admin-dashboard' },
  {
    name: 'admin-order',
    as: 'admin',
    path: '/admin-dashboard',
    prepare: async (page) => {
      await page.getByRole('row').nth(1).getByRole('button').first().click();
      await page.getByRole('dialog').getByRole('heading').first().waitFor();
    },
  },
  {
    name: 'admin-orders-none',
    as: 'admin',
    path: '/admin-dashboard',
    given: answering({
      [ORDERS]: { orders: [], counts: { all: 0, pending: 0, assigned: 0, planted: 0, completed: 0 } },
    }),
  },
  {
    name: 'admin-orders-failed',
    as: 'admin',
    path: '/admin-dashboard',
    given: answering({ [ORDERS]: 'failed' }),
    prepare: untilItFailed,
  },
  {
    name: 'admin-orders-loading',
    as: 'admin',
    path: '/admin-dashboard',
    given: answering({ [ORDERS]: 'never' }),
    isLoading: true,
  },
];
