import { DEMO_ADMIN } from '@arboleda/cli/demo/accounts.ts';
import { COUNTED_TO } from '@arboleda/orders/list/listing.ts';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { answering, type Area, failing, loading, ofOrder, pressInDialog } from './screen.ts';

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
/** An owner with the second factor, who may invite, and admins in every state. */
const withAdmins = (page: Page): Promise<unknown> =>
  page.route('**/api/admin/admins', async (route) => {
    const response = await route.fetch();
    const { admins } = (await response.json()) as { admins: { email: string }[] };
    const me = { ...admins.find(({ email }) => email === DEMO_ADMIN.email), hasSecondFactor: true };
    const others = [
      { role: 'finance', name: 'Nidia Ortega', hasSecondFactor: true },
      { role: 'coordinator', name: 'María Alejandra de los Ángeles Restrepo', active: false },
      { role: 'support', name: 'Julián Paz', invitationPending: true },
    ].map((other, at) => ({
      ...me,
      lastLogInAt: undefined,
      hasSecondFactor: false,
      id: `a${at}`,
      email: `admin${at}@arboleda.test`,
      ...other,
    }));
    await route.fulfill({ response, json: { admins: [me, ...others] } });
  });
/** Too much money for an order. */
const WITHOUT_ORDER = {
  rows: [
    {
      rowId: 'row-1',
      statementId: 'statement-1',
      bank: 'bancolombia',
      day: '2026-11-21',
      amount: 30_000_000,
      currency: 'COP',
      text: 'TRANSFERENCIA ARBC41D08 PAGO DE ARBOLES PARA LA ESCUELA RURAL',
      name: 'BARRERA-ECHEVERRI FELIPE MAXIMILIANO',
      list: 'without-order',
      owner: { role: 'admin', id: 'a1', name: 'Lucía Restrepo' },
      decision: { kind: 'kept', by: { role: 'admin', id: 'a1' }, at: '2026-11-22T15:00:00Z' },
      orders: [
        {
          orderId: '65f0c0ffee0000000006bbe0',
          shortId: '06BBE0',
          customerName: 'Felipe Barrera',
          trees: 20,
          amount: 28_805_000,
          currency: 'COP',
          referenceNumber: 'ARB-C41D08',
          verificationStatus: 'pending',
          submittedAt: '2026-11-20T20:05:00Z',
          paidAmount: 0,
          reasons: ['reference', 'amount-differs'],
        },
      ],
    },
  ],
  counts: { sure: 128, perhaps: 7, unknown: 12, withoutOrder: 1 },
};
const STATEMENT = new URL('../../docs/bank-statement-demo.csv', import.meta.url);

/** A view of the dashboard. @param query more of its address: "q=emma" */
const view = (name: string, query = '') => ({
  as: 'admin' as const,
  path: `/admin-dashboard?view=${name}${query && `&${query}`}`,
});

const dialogOf = (name: Parameters<typeof ofOrder>[0]) => ({
  as: 'admin' as const,
  path: ofOrder(name, ({ _id }) => `/admin-dashboard?view=orders&order=${_id}`),
});

export const ADMIN: Area = [
  { name: 'admin-log-in', path: '/admin-dashboard' },
  { name: 'admin-orders', as: 'admin', path: '/admin-dashboard' },
  { name: 'admin-orders-filtered', ...view('orders', 'status=completed&gift=claimed&q=carlos') },
  { name: 'admin-orders-many', ...view('orders', 'q=emma'), given: moreThanCounted },
  { name: 'admin-order', ...dialogOf('giftClaimed') },
  { name: 'admin-order-refunded', ...dialogOf('refunded') },
  { name: 'admin-withdrawals', ...view('orders', 'withdrawal=true&sort=oldest') },
  { name: 'admin-order-withdrawing', ...dialogOf('withdrawing') },
  {
    name: 'admin-withdrawal-refund',
    ...dialogOf('withdrawing'),
    prepare: async (page) => {
      // Its amount comes with the payment.
      await page
        .getByRole('dialog')
        .getByRole('alert')
        .getByRole('button', { name: /82[.,]300/ })
        .click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'admin-withdrawal-keep',
    ...dialogOf('withdrawing'),
    prepare: async (page, _data, say) => {
      await page.getByRole('button', { name: say('admin:withdrawal.keep'), exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'admin-step-up',
    ...view('orders'),
    given: (page) =>
      page.route('**/api/admin/orders/export*', (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'step-up-required', title: 'A code is needed', status: 403 }),
        }),
      ),
    prepare: async (page, _data, say) => {
      await page.getByRole('button', { name: /CSV/ }).click();
      await page.getByRole('dialog', { name: say('panels:stepUp.title') }).waitFor();
    },
  },
  { name: 'admin-order-certificate-revoked', ...dialogOf('revoked') },
  {
    name: 'admin-certificate-revoke',
    ...dialogOf('certified'),
    prepare: pressInDialog('admin:certificate.revoke'),
  },
  { name: 'admin-order-album', ...dialogOf('album') },
  { name: 'admin-order-edit', ...dialogOf('large'), prepare: pressInDialog('admin:edit.open') },
  { name: 'admin-orders-none', ...view('orders'), given: answering({ [ORDERS]: NO_ORDERS }) },
  { name: 'admin-orders-failed', ...view('orders'), ...failing(ORDERS) },
  { name: 'admin-orders-loading', ...view('orders'), ...loading(ORDERS) },
  { name: 'admin-transfers', ...view('transfers') },
  {
    name: 'admin-transfer-review',
    ...view('transfers'),
    prepare: async (page) => {
      await page.locator('table button, table a').last().click();
      await page.getByRole('dialog').getByRole('img').first().waitFor();
    },
  },
  {
    name: 'admin-statements',
    ...view('statements'),
    prepare: async (page, _data, say) => {
      await page.locator('input[type=file]').setInputFiles(fileURLToPath(STATEMENT));
      await page.getByRole('button', { name: say('statements:draft.change') }).click();
      await page.getByRole('rowheader').first().waitFor();
    },
  },
  {
    name: 'admin-statement-row',
    ...view('statements', 'list=without-order'),
    given: answering({ '**/api/admin/statement-rows*': WITHOUT_ORDER }),
    prepare: async (page, _data, say) => {
      await page
        .getByRole('row')
        .getByRole('button', { name: say('statements:decide') })
        .first()
        .click();
      await page
        .getByRole('dialog')
        .getByRole('group', { name: /11[.,]950/ })
        .waitFor();
    },
  },
  {
    name: 'admin-invite',
    ...view('admins', 'admin=new'),
    given: withAdmins,
    prepare: (page) => page.getByRole('dialog').waitFor(),
  },
  { name: 'admin-admins-several', ...view('admins'), given: withAdmins },
  { name: 'admin-audit', ...view('audit') },
  {
    name: 'admin-audit-entry',
    ...view('audit', 'area=order'),
    prepare: async (page, _data, say) => {
      await page
        .getByRole('row')
        .getByRole('button', { name: say('audit:details') })
        .last()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...['overview', 'payments', 'workers', 'mails', 'photos', 'admins', 'security'].map((name) => ({
    name: `admin-${name}`,
    ...view(name),
  })),
];
