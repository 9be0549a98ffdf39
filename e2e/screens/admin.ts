import { COUNTED_TO } from '@arboleda/orders/list/listing.ts';
import type { Page } from 'playwright-core';
import { answering, type Area, ofOrder, untilItFailed } from './screen.ts';

const ORDERS = '**/api/admin/orders/manage*';
const NO_ORDERS = { orders: [], counts: { all: 0, pending: 0, assigned: 0, planted: 0, completed: 0 } };

/** Pretends that there are more orders than the bound of the count. */
const moreThanCounted = (page: Page): Promise<unknown> =>
  page.route(`${ORDERS}q=*`, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { counts: object };
    const many = { counts: { ...answer.counts, all: COUNTED_TO }, countsAtLeast: true, nextCursor: 'next' };
    await route.fulfill({ response, json: { ...answer, ...many } });
  });
const view = (name: string) => `/admin-dashboard?view=${name}`;

const dialogOf = (name: Parameters<typeof ofOrder>[0]) => ({
  as: 'admin' as const,
  path: ofOrder(name, ({ _id }) => `/admin-dashboard?view=orders&order=${_id}`),
});

export const ADMIN: Area = [
  { name: 'admin-log-in', path: '/admin-dashboard' },
  { name: 'admin-orders', as: 'admin', path: '/admin-dashboard' },
  {
    name: 'admin-orders-filtered',
    as: 'admin',
    path: `${view('orders')}&status=completed&gift=claimed&q=carlos`,
  },
  {
    name: 'admin-orders-many',
    as: 'admin',
    path: `${view('orders')}&q=emma`,
    given: moreThanCounted,
  },
  { name: 'admin-order', ...dialogOf('giftClaimed') },
  { name: 'admin-order-refunded', ...dialogOf('refunded') },
  { name: 'admin-order-certificate-revoked', ...dialogOf('revoked') },
  {
    name: 'admin-certificate-revoke',
    ...dialogOf('certified'),
    prepare: (page, _data, say) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: say('admin:certificate.revoke'), exact: true })
        .click(),
  },
  { name: 'admin-order-album', ...dialogOf('album') },
  {
    name: 'admin-order-edit',
    ...dialogOf('large'),
    prepare: (page, _data, say) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: say('admin:edit.open'), exact: true })
        .click(),
  },
  { name: 'admin-orders-none', as: 'admin', path: view('orders'), given: answering({ [ORDERS]: NO_ORDERS }) },
  {
    name: 'admin-orders-failed',
    as: 'admin',
    path: view('orders'),
    given: answering({ [ORDERS]: 'failed' }),
    prepare: untilItFailed,
  },
  {
    name: 'admin-orders-loading',
    as: 'admin',
    path: view('orders'),
    given: answering({ [ORDERS]: 'never' }),
    isLoading: true,
  },
  { name: 'admin-transfers', as: 'admin', path: view('transfers') },
  {
    name: 'admin-transfer-review',
    as: 'admin',
    path: view('transfers'),
    prepare: async (page) => {
      await page.locator('table button, table a').last().click();
      await page.getByRole('dialog').getByRole('img').first().waitFor();
    },
  },
  {
    name: 'admin-transfers-failed',
    as: 'admin',
    path: view('transfers'),
    given: answering({ '**/api/admin/manual-payments/pending-verification*': 'failed' }),
    prepare: untilItFailed,
  },
  ...['overview', 'payments', 'workers', 'mails', 'photos', 'security'].map((name) => ({
    name: `admin-${name}`,
    as: 'admin' as const,
    path: view(name),
  })),
];
