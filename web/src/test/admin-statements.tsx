import type { Api } from '@arboleda/contracts/api.ts';
import { fireEvent, screen } from '@testing-library/react';
import type { Debit, DebitView } from '../admin/statements/debits.ts';
import type { List, Row } from '../admin/statements/statements.ts';
import { StatementsPanel } from '../admin/statements/StatementsPanel.tsx';
import { call } from '../api/client.ts';
import type { Language } from '../i18n/languages.ts';
import { Address } from './admin-orders.tsx';
import { ADMIN } from './fixtures.ts';
import { renderScreen } from './render.tsx';
import { fakeApi } from './server.ts';

export const ROWS = 'GET /api/admin/statement-rows';
export const DEBITS = 'GET /api/admin/statement-debits';

const nothing = () => undefined;
const session = { person: ADMIN, call, logIn: nothing, logOut: nothing };

/** The panel at one list. @returns the requests, and the bodies that a call got */
export async function openStatements(
  list: List | DebitView,
  rows: readonly Row[],
  handlers: Parameters<typeof fakeApi>[0] = {},
  language: Language = 'en',
) {
  const counts = { sure: 0, perhaps: 0, unknown: 0, withoutOrder: 0, [list]: rows.length };
  const requests = fakeApi({
    'GET /api/admin/statements': () => ({
      body: { statements: [], lastDays: [{ bank: 'bancolombia', day: '2026-11-11' }] },
    }),
    [ROWS]: ({ url }) => ({
      body: { rows: url.includes(`list=${list}`) ? rows : [], counts },
    }),
    [DEBITS]: () => ({ body: { debits: [], counts: { returns: 0 } } }),
    ...handlers,
  });
  await renderScreen(
    <>
      <StatementsPanel session={session} />
      <Address />
    </>,
    { texts: ['admin', 'panels', 'statements'], at: `/?view=statements&list=${list}`, language },
  );
  return {
    requests,
    sent: (key: keyof Api) => requests.filter((one) => one.key === key).map(({ body }) => body),
  };
}

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

/** Text with plain blanks. */
export const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ');

export const statementDebit = (changes: Partial<Debit> = {}): Debit => ({
  debitId: 'debit-1',
  statementId: 'statement-1',
  bank: 'bancolombia',
  day: '2026-11-22',
  amount: 28_805_000,
  currency: 'COP',
  text: 'DEVOLUCION TRANSFERENCIA',
  number: 'ND-77',
  list: 'returns',
  credits: [
    {
      rowId: 'row-1',
      day: '2026-11-21',
      amount: 28_805_000,
      text: 'TRANSFERENCIA ARBC41D08',
      name: 'BARRERA FELIPE',
      orders: [
        {
          orderId: '65f0c0ffee0000000006bbe0',
          shortId: '06BBE0',
          customerName: 'Felipe Barrera',
          verificationStatus: 'approved',
        },
      ],
      reasons: ['reference', 'words', 'amount'],
    },
  ],
  heldOrders: [{ orderId: '65f0c0ffee0000000006bbe0', shortId: '06BBE0', customerName: 'Felipe Barrera' }],
  refunds: [],
  ...changes,
});
