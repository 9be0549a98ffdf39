import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openStatements, plain, press } from '../../test/admin-statements.tsx';
import { examplePayment, payable, refusal, statementRow } from '../../test/fixtures.ts';
import { differenceOf } from './statements.ts';

afterEach(cleanup);

const LINK = 'POST /api/admin/statement-rows/link';
const SPLIT = 'POST /api/admin/statement-rows/split';
const IGNORE = 'POST /api/admin/statement-rows/ignore';
const KEEP = 'POST /api/admin/statement-rows/keep';
const UNDO = 'POST /api/admin/statement-rows/undo';

describe('deciding on a row', () => {
  const unknown = statementRow({ list: 'unknown', orders: [], name: undefined, text: 'CONSIGNACION' });
  const decide = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /^Decide on / }));
    return within(screen.getByRole('dialog', { name: 'Decide on this row' }));
  };
  const ok = (outcome?: string) => () => ({ body: { rows: [], ...(outcome && { outcome }) } });

  test('links the proposed order when the sum is right', async () => {
    const { sent } = await openStatements('perhaps', [statementRow({ list: 'perhaps' })], {
      [LINK]: ok('approved'),
    });
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
      /^COP.88,050 is missing/,
      [
        'Link it and wait for the rest',
        'Approve the order with as many trees as were paid',
        /^Keep all of it/,
      ],
    ],
    [
      'more',
      30_000_000,
      /^COP.11,950 is too much/,
      [/^Approve the order and keep the rest/, 'Approve the order with as many trees as were paid'],
    ],
  ] as const)('%s money than the order costs needs a choice', async (_kind, amount, question, choices) => {
    const row = statementRow({
      list: 'perhaps',
      amount,
      orders: [payable({ reasons: ['reference', 'amount-differs'] })],
    });
    const { sent } = await openStatements('perhaps', [row], { [LINK]: ok('waiting') });
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
    const { sent, requests } = await openStatements('unknown', [unknown], {
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
    const { sent } = await openStatements('perhaps', [statementRow({ list: 'perhaps' })], {
      [LINK]: () => answer,
    });
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
    const { sent } = await openStatements('unknown', [unknown], { [SPLIT]: ok() });
    const dialog = await decide();
    press('It pays several orders');
    const part = (number: number, value: string) =>
      fireEvent.change(dialog.getByLabelText(`Part ${number} in COP`), { target: { value } });
    part(1, '200,000.00');
    press('Split into 2 parts');
    await dialog.findByText('Not an amount. Example: 288050');
    part(2, '80000');
    expect(plain(dialog.getByText(/left\.$/).textContent)).toBe('COP 8,050 left.');
    press('Add a part');
    part(3, '8050');
    expect(dialog.getByText('The parts add up.')).toBeTruthy();
    expect(sent(SPLIT)).toEqual([]);
    press('Split into 3 parts');
    await screen.findByText('Split. The parts are open rows.');
    expect(sent(SPLIT)).toEqual([{ rowId: 'row-1', amounts: [20_000_000, 8_000_000, 805_000] }]);
  });

  test('ignores a row only with a reason', async () => {
    const { sent } = await openStatements('unknown', [unknown], { [IGNORE]: ok() });
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
    const { sent } = await openStatements('unknown', [unknown], { [KEEP]: ok() });
    const dialog = await decide();
    fireEvent.click(dialog.getByRole('button', { name: 'Money without an order' }));
    press('I’ll look after it');
    await screen.findByText('It is now money without an order.');
    expect(sent(KEEP)).toEqual([{ rowIds: ['row-1'] }]);
  });

  test('decides on several chosen rows at once', async () => {
    const other = statementRow({ ...unknown, rowId: 'row-2', text: 'INTERESES' });
    const { sent } = await openStatements('unknown', [unknown, other], { [IGNORE]: ok() });
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
    await openStatements('unknown', [unknown], { [IGNORE]: () => refusal(409, 'statement-row-taken') });
    const dialog = await decide();
    press('Not for an order');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Interest' } });
    press('Ignore');
    await dialog.findByText('This row was decided in the meantime.');
    expect((dialog.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Interest');
  });

  test('a decision can be undone after a question, and says who made it', async () => {
    const { sent } = await openStatements(
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
