import { MAX_APPROVED_AT_ONCE } from '@arboleda/contracts/statement.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { DEBITS, openStatements, plain, press, ROWS, statementDebit } from '../../test/admin-statements.tsx';
import { payable, refusal, statementRow } from '../../test/fixtures.ts';
import { lastOf } from '../../test/server.ts';
import type { Row } from './statements.ts';

afterEach(cleanup);

const APPROVE = 'POST /api/admin/statement-rows/approve';

describe('the lists', () => {
  test('show day, sum, payer and text, and the proposed order with reference and amount', async () => {
    await openStatements('perhaps', [
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
      'COP 200,000',
      '06BBE0 Felipe Barrera',
      'COP 288,050',
      'ARB-C41D08',
      'our reference and another amount',
      '(COP 50 arrived before)',
    ])
      expect(text).toContain(part);
    expect(within(row).getByRole('link', { name: '06BBE0' }).getAttribute('href')).toBe(
      '/?view=transfers&transfer=65f0c0ffee0000000006bbe0',
    );
    expect(screen.getByRole('button', { name: 'Perhaps (1)' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a row that is perhaps the same money as one of another file says so', async () => {
    await openStatements('unknown', [
      statementRow({
        list: 'unknown',
        orders: [],
        sameAs: { rowId: 'twin', fileName: 'mayo.ofx', importedAt: '2026-11-22T15:00:00Z' },
      }),
    ]);
    await screen.findByText('Perhaps the same money as in mayo.ofx, imported on 22 November 2026');
  });

  test('money without an order shows who looks after it and since when', async () => {
    await openStatements('without-order', [
      statementRow({ list: 'without-order', orders: [], owner: { role: 'admin', name: 'Lucía Restrepo' } }),
    ]);
    const row = await screen.findByRole('row', { name: /BARRERA FELIPE/ });
    expect(plain(row.textContent)).toMatch(/No order.*Lucía Restrepo.*for \d+ days?/);
  });

  test('never offers the rows of one list in another while that loads', async () => {
    const row = statementRow({ list: 'perhaps' });
    await openStatements('perhaps', [row], {
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
    const { requests } = await openStatements('unknown', []);
    fireEvent.change(await screen.findByLabelText('Text, name or number'), { target: { value: 'salento' } });
    await waitFor(() => expect(lastOf(requests, ROWS)!.url).toContain('list=unknown&q=salento'));
    expect(screen.getByTestId('address').textContent).toContain('q=salento');
    await screen.findByText('Nothing matches these filters.');
  });
});

describe('money that may have gone back', () => {
  const returns = (debit = statementDebit()) => ({
    [DEBITS]: () => ({ body: { debits: [debit], counts: { returns: 1 } } }),
  });

  test('shows the debit with the credit that it may have taken back, why, and what waits', async () => {
    await openStatements('returns', [], returns());
    const row = await screen.findByRole('row', { name: /DEVOLUCION/ });
    const text = plain(row.textContent);
    for (const part of [
      '22 November 2026',
      'DEVOLUCION TRANSFERENCIA ND-77',
      'COP 288,050',
      '21 November 2026 BARRERA FELIPE 06BBE0 Felipe Barrera',
      'our reference, says that money goes back and same amount',
      '1 order waits for your decision.',
    ])
      expect(text).toContain(part);
    await screen.findByRole('button', { name: 'May have gone back (1)' });
  });

  test('a credit that a debit may have taken back says so, with the way to the debit', async () => {
    await openStatements('perhaps', [
      statementRow({
        list: 'perhaps',
        returns: [
          {
            debitId: 'debit-1',
            day: '2026-11-22',
            amount: 28_805_000,
            text: 'DEVOLUCION',
            reasons: ['words', 'amount'],
          },
        ],
      }),
    ]);
    const row = await screen.findByRole('row', { name: /BARRERA FELIPE/ });
    expect(plain(row.textContent)).toContain(
      'The debit of 22 November 2026 may have taken it back: DEVOLUCION Decide',
    );
    expect(within(row).getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe(
      '/?view=statements&list=returns',
    );
  });

  const decideOn = async (handlers: Parameters<typeof openStatements>[2]) => {
    const opened = await openStatements('returns', [], handlers);
    fireEvent.click(await screen.findByRole('button', { name: /^Decide on DEVOLUCION/ }));
    return { ...opened, dialog: within(screen.getByRole('dialog', { name: 'What was this debit?' })) };
  };

  test('is decided: the money went back, and the order counts as refunded', async () => {
    const RETURN = 'POST /api/admin/statement-debits/return';
    const { dialog, sent } = await decideOn({
      ...returns(),
      [RETURN]: () => ({ body: { debit: statementDebit({ list: 'done' }) } }),
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Decide' }));
    expect(dialog.getByText('Choose what it was.')).toBeTruthy();
    expect(sent(RETURN)).toEqual([]);
    fireEvent.click(dialog.getByRole('radio', { name: /^the return of/ }));
    expect(plain(dialog.getByText(/counts as refunded/).textContent)).toContain('COP 288,050');
    fireEvent.click(dialog.getByRole('button', { name: 'Decide' }));
    await screen.findByText('Decided.');
    expect(sent(RETURN)).toEqual([
      { debitId: 'debit-1', rowId: 'row-1', orderId: '65f0c0ffee0000000006bbe0' },
    ]);
  });

  test('is decided: something else, or a refund by hand', async () => {
    const DISMISS = 'POST /api/admin/statement-debits/dismiss';
    const refund = {
      refundId: 'refund-1',
      orderId: '65f0c0ffee0000000006bbe1',
      shortId: '06BBE1',
      customerName: 'Ana Ruiz',
      amount: 28_805_000,
      createdAt: '2026-11-22T15:00:00Z',
    };
    const { dialog, sent } = await decideOn({
      ...returns(statementDebit({ refunds: [refund] })),
      [DISMISS]: () => refusal(409, 'statement-row-taken'),
    });
    expect(dialog.getByRole('radio', { name: /refund by hand: order 06BBE1, Ana Ruiz/ })).toBeTruthy();
    fireEvent.click(dialog.getByRole('radio', { name: 'something else' }));
    expect(dialog.getByText('1 order that waits goes on to a field worker.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Decide' }));
    expect(await dialog.findByText('This row was decided in the meantime.')).toBeTruthy();
    expect(sent(DISMISS)).toEqual([{ debitId: 'debit-1' }]);
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
    const { sent } = await openStatements('sure', rows, {
      [APPROVE]: () => ({ body: { results: rows.map((row) => result(row, 'approved')) } }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve all 2 sure transfers' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Approve these 2 orders?' }));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => plain(textContent))).toEqual([
      '06BBE0 Felipe Barrera21 November 2026COP 288,050',
      '06BBE1 Ana Ruiz21 November 2026COP 288,050',
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

  test('sends many orders in parts and reports all of them', async () => {
    const many = Array.from({ length: MAX_APPROVED_AT_ONCE + 1 }, (_, at) =>
      statementRow({
        rowId: `row-${at}`,
        orders: [payable({ orderId: (at + 1).toString(16).padStart(24, '0'), shortId: `${100_000 + at}` })],
      }),
    );
    const { sent } = await openStatements('sure', many, {
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
    await openStatements('sure', rows, {
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
    await openStatements('sure', rows, { [APPROVE]: () => refusal(503, 'unavailable') });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve all 2 sure transfers' }));
    press('Approve 2 orders');
    const dialog = within(screen.getByRole('dialog', { name: 'Approve these 2 orders?' }));
    expect(await dialog.findByRole('alert')).toBeTruthy();
  });
});
