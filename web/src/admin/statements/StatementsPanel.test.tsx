import { MAX_APPROVED_AT_ONCE } from '@arboleda/contracts/statement.ts';
import type { Api } from '@arboleda/contracts/api.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import {
  ADMIN,
  examplePayment,
  payable,
  refusal,
  statementDraft,
  statementRow,
} from '../../testing/fixtures.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fakeApi } from '../../testing/server.ts';
import { differenceOf, type List, type Row } from './statements.ts';
import { StatementsPanel } from './StatementsPanel.tsx';

afterEach(cleanup);

const ROWS = 'GET /api/admin/statement-rows';
const UPLOAD = 'POST /api/admin/statements';
const LAYOUT = 'PUT /api/admin/statements/{id}/layout';
const CONFIRM = 'POST /api/admin/statements/{id}/confirm';
const APPROVE = 'POST /api/admin/statement-rows/approve';
const LINK = 'POST /api/admin/statement-rows/link';
const SPLIT = 'POST /api/admin/statement-rows/split';
const IGNORE = 'POST /api/admin/statement-rows/ignore';
const KEEP = 'POST /api/admin/statement-rows/keep';
const UNDO = 'POST /api/admin/statement-rows/undo';

type Handlers = Parameters<typeof fakeApi>[0];

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

/** The panel at one list. @returns the requests, and the bodies that a call got */
async function open(list: List, rows: readonly Row[], handlers: Handlers = {}, language: 'en' | 'es' = 'en') {
  const counts = { sure: 0, perhaps: 0, unknown: 0, withoutOrder: 0, [list]: rows.length };
  const requests = fakeApi({
    'GET /api/admin/statements': () => ({
      body: { statements: [], lastDays: [{ bank: 'bancolombia', day: '2026-11-11' }] },
    }),
    [ROWS]: ({ url }) => ({
      body: { rows: url.includes(`list=${list}`) ? rows : [], counts },
    }),
    ...handlers,
  });
  await renderScreen(
    <>
      <StatementsPanel session={session} />
      <Address />
    </>,
    { texts: ['admin', 'desk', 'statements'], at: `/?view=statements&list=${list}`, language },
  );
  return {
    requests,
    sent: (key: keyof Api) => requests.filter((one) => one.key === key).map(({ body }) => body),
  };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const drop = (file: File) =>
  act(
    async () =>
      void fireEvent.change(screen.getByLabelText('Choose the bank’s file', { selector: 'input' }), {
        target: { files: [file] },
      }),
  );
const csv = new File(['Fecha;Valor'], 'november.csv', { type: 'text/csv' });
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ');

describe('a bank’s file', () => {
  const imported = {
    statementId: 'statement-1',
    bank: 'bancolombia',
    fileName: 'november.csv',
    format: 'csv',
    currency: 'COP',
    from: '2026-11-16',
    to: '2026-11-21',
    credits: { count: 3, amount: 42_035_000 },
    added: 2,
    approved: 0,
    importedBy: { role: 'admin', id: ADMIN.id },
    importedAt: '2026-11-22T15:00:00Z',
  };

  test('is shown as it was understood, and imported once after that', async () => {
    const { sent, requests } = await open('perhaps', [], {
      [UPLOAD]: () => ({ status: 201, body: { statement: statementDraft({ known: 1 }) } }),
      [CONFIRM]: () => ({ body: { statement: imported } }),
    });
    await screen.findByText('Last day on a statement of Bancolombia: 11 November 2026.');
    await drop(csv);
    const draft = within(await screen.findByRole('region', { name: 'What we understood' }));
    for (const text of [
      'november.csv (csv)',
      'Bancolombia',
      '000-000000-00',
      '16 November 2026 to 21 November 2026',
      '3 credits',
      /^COP.420,350\.00$/,
      '1 row, not imported',
      /^COP.12,500\.00$/,
      '1 credit, not added again',
      'TRANSFERENCIA ARBC41D08',
    ])
      expect(draft.getByText(text)).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('What we understood');
    expect(requests.some(({ key }) => key === CONFIRM)).toBe(false);
    press('Import 3 credits');
    press('Import 3 credits');
    await screen.findByText(/3 credits of november\.csv are imported\. 2 are new\./);
    expect(sent(CONFIRM)).toHaveLength(1);
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('?view=statements'));
  });

  test('shows three rows of it, and nothing is imported when another file is chosen', async () => {
    const sampleRows = [1, 2, 3, 4, 5].map((at) => ({ day: '2026-11-21', amount: at, text: `Row ${at}` }));
    const { sent } = await open('sure', [], {
      [UPLOAD]: () => ({ status: 201, body: { statement: statementDraft({ sampleRows }) } }),
    });
    await drop(csv);
    const table = within(await screen.findByRole('table', { name: 'First rows of the file' }));
    expect(table.getAllByText(/^Row \d$/)).toHaveLength(3);
    press('Use another file');
    expect(screen.queryByText('What we understood')).toBeNull();
    expect(sent(CONFIRM)).toEqual([]);
  });

  test('asks which column is which, and what 03/04 means, before it can be imported', async () => {
    const { sent } = await open('sure', [], {
      [UPLOAD]: () => ({
        status: 201,
        body: {
          statement: statementDraft({
            questions: ['columns', 'day-order'],
            columns: statementDraft().columns!.map(({ role: _role, ...column }) => column),
          }),
        },
      }),
      [LAYOUT]: () => ({ body: { statement: statementDraft() } }),
    });
    await drop(csv);
    await screen.findByText('Which column is which?');
    expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
    press('Read the file like this');
    await screen.findByText('Choose the column with the day and the one with the amount.');
    expect(screen.getByText('Choose how days are written.')).toBeTruthy();
    expect(sent(LAYOUT)).toEqual([]);
    const choose = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    choose('Fecha', 'day');
    choose('Valor', 'credit');
    choose('Nota', 'text');
    choose('Which day is 03/04/2026 in this file?', 'dmy');
    expect(screen.getByRole('option', { name: '3 April 2026' })).toBeTruthy();
    press('Read the file like this');
    await screen.findByRole('button', { name: 'Import 3 credits' });
    expect(sent(LAYOUT)).toEqual([
      {
        columns: [
          { column: 0, role: 'day' },
          { column: 1, role: 'credit' },
          { column: 2, role: 'text' },
        ],
        dayOrder: 'dmy',
      },
    ]);
  });

  test('a wrong guess of the columns can be changed', async () => {
    const { sent } = await open('sure', [], {
      [UPLOAD]: () => ({ status: 201, body: { statement: statementDraft() } }),
      [LAYOUT]: () => ({ body: { statement: statementDraft() } }),
    });
    await drop(csv);
    fireEvent.click(await screen.findByRole('button', { name: 'Change the columns' }));
    fireEvent.change(screen.getByLabelText('Nota'), { target: { value: 'name' } });
    press('Read the file like this');
    await waitFor(() => expect(sent(LAYOUT)).toHaveLength(1));
    expect(sent(LAYOUT)[0]).toMatchObject({ columns: [{}, {}, { column: 2, role: 'name' }] });
    await screen.findByRole('button', { name: 'Import 3 credits' });
  });

  test.each([
    ['en', 'statement-other-account', 'This file is of another account.'],
    ['en', 'statement-mixed-decimals', 'This file mixes 1.234,56 and 1,234.56.'],
    ['en', 'statement-cut-off', 'The end of this file is missing.'],
    ['es', 'statement-unreadable', 'Este archivo no es CSV, XLSX, OFX ni camt.053.'],
  ] as const)('that is refused says why: %s %s', async (language, type, says) => {
    await open('sure', [], { [UPLOAD]: () => refusal(422, type) }, language);
    await act(
      async () =>
        void fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [csv] } }),
    );
    await screen.findByText(says);
  });

  test('names the line that cannot be read', async () => {
    await open('sure', [], {
      [UPLOAD]: () =>
        refusal(422, 'statement-row-unreadable', 'x', [
          { path: 'lines.12.amount', type: 'invalid', message: 'x' },
        ]),
    });
    await drop(csv);
    await screen.findByText('Line 12: One line of this file cannot be read.');
  });

  test('larger than 20 MB is refused before it is sent', async () => {
    const { sent } = await open('sure', []);
    const large = new File([''], 'large.csv');
    Object.defineProperty(large, 'size', { value: 50_000_000 });
    await drop(large);
    await screen.findByText('The file is larger than 20 MB.');
    expect(sent(UPLOAD)).toEqual([]);
  });

  test('a lost connection keeps the screen, and the file can be sent again', async () => {
    await open('sure', [], { [UPLOAD]: () => 'lost' });
    await drop(csv);
    await screen.findByText('We got no answer. You can send it again: it counts only once.');
    expect(screen.getByRole('button', { name: 'Choose the bank’s file' })).toBeTruthy();
  });
});

describe('the lists', () => {
  test('show day, sum, payer and text, and the proposed order with reference and amount', async () => {
    await open('perhaps', [
      statementRow({
        list: 'perhaps',
        amount: 20_000_000,
        orders: [payable({ reasons: ['reference', 'amount-differs'], paidAmount: 5_000 })],
      }),
    ]);
    const row = await screen.findByRole('row', { name: /BARRERA FELIPE/ });
    const text = plain(row.textContent);
    for (const part of [
      '21 November 2026',
      'BARRERA FELIPE',
      'TRANSFERENCIA ARBC41D08',
      'COP 200,000.00',
      '06BBE0 Felipe Barrera',
      'COP 288,050.00',
      'ARB-C41D08',
      'our reference and another amount',
      '(COP 50.00 arrived before)',
    ])
      expect(text).toContain(part);
    expect(within(row).getByRole('link', { name: '06BBE0' }).getAttribute('href')).toBe(
      '/?view=transfers&transfer=65f0c0ffee0000000006bbe0',
    );
    expect(screen.getByRole('button', { name: 'Perhaps (1)' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('money without an order shows who looks after it and since when', async () => {
    await open('without-order', [
      statementRow({ list: 'without-order', orders: [], owner: { role: 'admin', name: 'Lucía Restrepo' } }),
    ]);
    const row = await screen.findByRole('row', { name: /BARRERA FELIPE/ });
    expect(plain(row.textContent)).toMatch(/No order.*Lucía Restrepo.*for \d+ days?/);
  });

  test('never offers the rows of one list in another while that loads', async () => {
    const row = statementRow({ list: 'perhaps' });
    await open('perhaps', [row], {
      [ROWS]: ({ url }) =>
        url.includes('list=perhaps')
          ? { body: { rows: [row], counts: { sure: 3, perhaps: 1, unknown: 0, withoutOrder: 0 } } }
          : 'never',
    });
    await screen.findByRole('row', { name: /BARRERA FELIPE/ });
    press('Sure (3)');
    await screen.findByText('Our reference and the exact amount of one transfer that waits.');
    expect(screen.queryByRole('row', { name: /BARRERA FELIPE/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Perhaps (1)' })).toBeTruthy();
  });

  test('a search applies on the server and lives in the address', async () => {
    const { requests } = await open('unknown', []);
    fireEvent.change(await screen.findByLabelText('Text, name or number'), { target: { value: 'salento' } });
    await waitFor(() => expect(requests.at(-1)!.url).toContain('list=unknown&q=salento'));
    expect(screen.getByTestId('address').textContent).toContain('q=salento');
    await screen.findByText('Nothing matches these filters.');
  });
});

describe('approving what is sure', () => {
  const second = statementRow({
    rowId: 'row-2',
    orders: [payable({ orderId: '65f0c0ffee0000000006bbe1', shortId: '06BBE1', customerName: 'Ana Ruiz' })],
  });
  const rows = [statementRow(), second];
  const result = (row: Row, outcome: string, problem?: string) => ({
    rowId: row.rowId,
    orderId: row.orders[0]!.orderId,
    outcome,
    ...(problem && { problem }),
  });

  test('lists all orders in one confirmation, and sends what was listed once', async () => {
    const { sent } = await open('sure', rows, {
      [APPROVE]: () => ({ body: { results: rows.map((row) => result(row, 'approved')) } }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve all 2 sure transfers' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Approve these 2 orders?' }));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => plain(textContent))).toEqual([
      '06BBE0 Felipe Barrera21 November 2026COP 288,050.00',
      '06BBE1 Ana Ruiz21 November 2026COP 288,050.00',
    ]);
    expect(sent(APPROVE)).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Approve 2 orders' });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await screen.findByText('2 orders are approved.');
    expect(sent(APPROVE)).toEqual([
      { rows: rows.map(({ rowId, orders }) => ({ rowId, orderId: orders[0]!.orderId })) },
    ]);
  });

  test('sends many orders in parts, and tells of all of them', async () => {
    const many = Array.from({ length: MAX_APPROVED_AT_ONCE + 1 }, (_, at) =>
      statementRow({
        rowId: `row-${at}`,
        orders: [payable({ orderId: (at + 1).toString(16).padStart(24, '0'), shortId: `${100_000 + at}` })],
      }),
    );
    const { sent } = await open('sure', many, {
      [APPROVE]: ({ body }) => ({
        body: {
          results: (body as { rows: { rowId: string; orderId: string }[] }).rows.map((one) => ({
            ...one,
            outcome: 'approved',
          })),
        },
      }),
    });
    fireEvent.click(await screen.findByRole('button', { name: `Approve all ${many.length} sure transfers` }));
    press(`Approve ${many.length} orders`);
    await screen.findByText(`${many.length} orders are approved.`);
    expect(sent(APPROVE).map((body) => (body as { rows: unknown[] }).rows.length)).toEqual([
      MAX_APPROVED_AT_ONCE,
      1,
    ]);
  });

  test('says which orders wait for another admin, and which were refused and why', async () => {
    await open('sure', rows, {
      [APPROVE]: () => ({
        body: {
          results: [result(rows[0]!, 'first-approved'), result(second, 'refused', 'statement-row-taken')],
        },
      }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve all 2 sure transfers' }));
    press('Approve 2 orders');
    await screen.findByText('1 order waits for another admin.');
    expect(screen.getByText('1 order was not approved:')).toBeTruthy();
    expect(screen.getByText('06BBE1: This row was decided in the meantime.')).toBeTruthy();
  });

  test('stays open and says why when nothing could be approved', async () => {
    await open('sure', rows, { [APPROVE]: () => refusal(503, 'unavailable') });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve all 2 sure transfers' }));
    press('Approve 2 orders');
    const dialog = within(screen.getByRole('dialog', { name: 'Approve these 2 orders?' }));
    expect(await dialog.findByRole('alert')).toBeTruthy();
  });
});

describe('deciding on a row', () => {
  const unknown = statementRow({ list: 'unknown', orders: [], name: undefined, text: 'CONSIGNACION' });
  const decide = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /^Decide on / }));
    return within(screen.getByRole('dialog', { name: 'Decide on this row' }));
  };
  const ok = (outcome?: string) => () => ({ body: { rows: [], ...(outcome && { outcome }) } });

  test('links the proposed order when the sum is right', async () => {
    const { sent } = await open('perhaps', [statementRow({ list: 'perhaps' })], { [LINK]: ok('approved') });
    const dialog = await decide();
    expect(dialog.queryByText(/What now/)).toBeNull();
    press('Link to the order');
    await screen.findByText('Linked. The order is approved.');
    expect(sent(LINK)).toEqual([{ rowIds: ['row-1'], orderId: '65f0c0ffee0000000006bbe0' }]);
  });

  test.each([
    [
      'less',
      20_000_000,
      /^COP.88,050\.00 is missing/,
      [
        'Link it and wait for the rest',
        'Approve the order with as many trees as were paid',
        /^Keep all of it/,
      ],
    ],
    [
      'more',
      30_000_000,
      /^COP.11,950\.00 is too much/,
      [/^Approve the order and keep the rest/, 'Approve the order with as many trees as were paid'],
    ],
  ] as const)('%s money than the order costs needs a choice', async (_kind, amount, question, choices) => {
    const row = statementRow({
      list: 'perhaps',
      amount,
      orders: [payable({ reasons: ['reference', 'amount-differs'] })],
    });
    const { sent } = await open('perhaps', [row], { [LINK]: ok('waiting') });
    const dialog = await decide();
    const group = within(dialog.getByRole('group', { name: question }));
    expect(group.getAllByRole('radio')).toHaveLength(choices.length);
    press('Link to the order');
    await dialog.findByText('Choose what to do.');
    expect(sent(LINK)).toEqual([]);
    for (const name of choices) fireEvent.click(group.getByRole('radio', { name }));
    press('Link to the order');
    await screen.findByText('Linked. The order waits for the rest.');
    expect(sent(LINK)).toMatchObject([{ choice: _kind === 'less' ? 'give-back' : 'change-trees' }]);
  });

  test('finds another order by its short id or reference', async () => {
    const { sent, requests } = await open('unknown', [unknown], {
      'GET /api/admin/payments': () => ({
        body: {
          payments: [
            examplePayment({
              orderId: '65f0c0ffee0000000006bbe9',
              shortId: '06BBE9',
              method: { kind: 'transfer', bank: 'bancolombia' },
              status: 'submitted',
              amount: 28_805_000,
              currency: 'COP',
            }),
            examplePayment({ paymentId: 'card', shortId: '0CA12D' }),
          ],
        },
      }),
      [LINK]: ok('first-approved'),
    });
    const dialog = await decide();
    press('Link to the order');
    await dialog.findByText('Choose an order.');
    fireEvent.change(dialog.getByLabelText('Order or reference'), { target: { value: '06BBE9' } });
    await dialog.findByText('1 more order found');
    expect(requests.some(({ url }) => url.includes('payments?q=06BBE9'))).toBe(true);
    expect(dialog.queryByText('0CA12D')).toBeNull();
    fireEvent.click(dialog.getByRole('radio', { name: /06BBE9/ }));
    press('Link to the order');
    await screen.findByText('Linked. Another admin must approve the order, too.');
    expect(sent(LINK)).toEqual([{ rowIds: ['row-1'], orderId: '65f0c0ffee0000000006bbe9' }]);
  });

  test('asks for a choice when only the server knows that the sum is another', async () => {
    let answer: ReturnType<typeof refusal> | { body: object } = refusal(409, 'amount-choice-required');
    const { sent } = await open('perhaps', [statementRow({ list: 'perhaps' })], { [LINK]: () => answer });
    const dialog = await decide();
    press('Link to the order');
    await dialog.findByText('The sum is not the order’s. Choose what to do.');
    fireEvent.click(dialog.getByRole('radio', { name: 'Link it and wait for the rest' }));
    answer = { body: { rows: [], outcome: 'waiting' } };
    press('Link to the order');
    await screen.findByText('Linked. The order waits for the rest.');
    expect(sent(LINK)[1]).toMatchObject({ choice: 'wait' });
  });

  test('splits a row into parts that add up', async () => {
    const { sent } = await open('unknown', [unknown], { [SPLIT]: ok() });
    const dialog = await decide();
    press('It pays several orders');
    const part = (number: number, value: string) =>
      fireEvent.change(dialog.getByLabelText(`Part ${number} in COP`), { target: { value } });
    part(1, '200,000.00');
    press('Split into 2 parts');
    await dialog.findByText('Not an amount. Example: 288050');
    part(2, '80000');
    expect(plain(dialog.getByText(/left\.$/).textContent)).toBe('COP 8,050.00 left.');
    press('Add a part');
    part(3, '8050');
    expect(dialog.getByText('The parts add up.')).toBeTruthy();
    expect(sent(SPLIT)).toEqual([]);
    press('Split into 3 parts');
    await screen.findByText('Split. The parts are open rows.');
    expect(sent(SPLIT)).toEqual([{ rowId: 'row-1', amounts: [20_000_000, 8_000_000, 805_000] }]);
  });

  test('ignores a row only with a reason', async () => {
    const { sent } = await open('unknown', [unknown], { [IGNORE]: ok() });
    const dialog = await decide();
    press('Not for an order');
    press('Ignore');
    await dialog.findByText('Say why.');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' Interest ' } });
    press('Ignore');
    await screen.findByText('Ignored. The reason is under Done.');
    expect(sent(IGNORE)).toEqual([{ rowIds: ['row-1'], reason: 'Interest' }]);
  });

  test('keeps a row as money without an order', async () => {
    const { sent } = await open('unknown', [unknown], { [KEEP]: ok() });
    const dialog = await decide();
    fireEvent.click(dialog.getByRole('button', { name: 'Money without an order' }));
    press('I’ll look after it');
    await screen.findByText('It is now money without an order.');
    expect(sent(KEEP)).toEqual([{ rowIds: ['row-1'] }]);
  });

  test('decides on several chosen rows at once', async () => {
    const other = statementRow({ ...unknown, rowId: 'row-2', text: 'INTERESES' });
    const { sent } = await open('unknown', [unknown, other], { [IGNORE]: ok() });
    fireEvent.click(await screen.findByLabelText('Choose all rows of this page'));
    const bar = within(screen.getByRole('region', { name: 'Chosen rows' }));
    expect(bar.getByText('2 rows chosen')).toBeTruthy();
    fireEvent.click(bar.getByRole('button', { name: 'Decide' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Decide on 2 rows' }));
    expect(dialog.queryByRole('button', { name: 'It pays several orders' })).toBeNull();
    press('Not for an order');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Interest' } });
    press('Ignore');
    await waitFor(() => expect(sent(IGNORE)).toEqual([{ rowIds: ['row-1', 'row-2'], reason: 'Interest' }]));
  });

  test('a refusal keeps the dialog and what was typed', async () => {
    await open('unknown', [unknown], { [IGNORE]: () => refusal(409, 'statement-row-taken') });
    const dialog = await decide();
    press('Not for an order');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Interest' } });
    press('Ignore');
    await dialog.findByText('This row was decided in the meantime.');
    expect((dialog.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Interest');
  });

  test('a decision can be undone after a question, and says who made it', async () => {
    const { sent } = await open(
      'done',
      [
        statementRow({
          list: 'done',
          orders: [],
          decision: {
            kind: 'ignored',
            by: { role: 'admin', name: 'Lucía Restrepo' },
            at: '2026-11-22T15:00:00Z',
            reason: 'Interest',
          },
        }),
      ],
      { [UNDO]: ok() },
    );
    await screen.findByText(/^Ignored by Lucía Restrepo, 22 November 2026: Interest$/);
    press(/^Undo the decision on /);
    expect(sent(UNDO)).toEqual([]);
    press('Undo the decision');
    await screen.findByText('The decision was undone.');
    expect(sent(UNDO)).toEqual([{ rowIds: ['row-1'] }]);
  });
});

test('what is missing or too much counts rows that were linked before', () => {
  const row = statementRow({ amount: 20_000_000 });
  expect(differenceOf([row], payable())).toEqual({ kind: 'less', by: 8_805_000 });
  expect(differenceOf([row], payable({ paidAmount: 8_805_000 }))).toBeUndefined();
  expect(differenceOf([row, row], payable())).toEqual({ kind: 'more', by: 11_195_000 });
});
