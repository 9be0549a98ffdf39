import { afterEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openStatements, press } from '../../test/admin-statements.tsx';
import { ADMIN, refusal, statementDraft } from '../../test/fixtures.ts';

afterEach(cleanup);

const UPLOAD = 'POST /api/admin/statements';
const LAYOUT = 'PUT /api/admin/statements/{id}/layout';
const CONFIRM = 'POST /api/admin/statements/{id}/confirm';

const drop = (file: File) =>
  act(
    async () =>
      void fireEvent.change(screen.getByLabelText('Choose the bank’s file', { selector: 'input' }), {
        target: { files: [file] },
      }),
  );
const csv = new File(['Fecha;Valor'], 'november.csv', { type: 'text/csv' });

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
    const { sent, requests } = await openStatements('perhaps', [], {
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
      /^COP.420,350$/,
      '1 row, kept to find money that goes back',
      /^COP.12,500$/,
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
    const { sent } = await openStatements('sure', [], {
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
    const { sent } = await openStatements('sure', [], {
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
    const { sent } = await openStatements('sure', [], {
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

  test('says why columns are asked', async () => {
    await openStatements('sure', [], {
      [UPLOAD]: () => ({
        status: 201,
        body: {
          statement: statementDraft({
            questions: ['columns'],
            doubts: [
              { kind: 'unreadable', line: 2, column: 1, role: 'amount', text: 'n/a' },
              { kind: 'other-account', line: 2, column: 2, text: '123' },
              { kind: 'two-values', column: 2 },
              { kind: 'moved-cells', line: 1234 },
              { kind: 'sign-differs', line: 3, column: 2, role: 'direction', text: 'C' },
            ],
          }),
        },
      }),
    });
    await drop(csv);
    const why = within(await screen.findByRole('status', { name: 'Why we ask' }));
    expect(why.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Line 2, “Valor”: we can’t read “n/a” as “Amount with its sign”.',
      '“Nota” holds another account (123). If it is the payer’s, choose “Text”.',
      'No amount has a minus. If “Nota” tells what comes in and what goes out, choose “In or out”.',
      'Line 1,234: an amount seems to be cut in two. If it is, download the file in another format.',
      'Line 3: “C” contradicts the sign of the amount. If you keep “In or out” for “Nota”, the sign does not count.',
    ]);
  });

  test('asks what the values of a column mean, and which year it is', async () => {
    const { sent } = await openStatements('sure', [], {
      [UPLOAD]: () => ({
        status: 201,
        body: {
          statement: statementDraft({
            questions: ['columns'],
            asks: ['direction', 'year'],
            directionColumn: 2,
            directions: [{ value: 'nc', isCredit: true }, { value: 'x' }],
          }),
        },
      }),
      [LAYOUT]: () => ({ body: { statement: statementDraft() } }),
    });
    await drop(csv);
    await screen.findByText('What do these values mean?');
    press('Read the file like this');
    await screen.findByText('Choose what this value means.');
    expect(screen.getByText(/^Enter a year, for example \d{4}\.$/)).toBeTruthy();
    expect(sent(LAYOUT)).toEqual([]);
    fireEvent.change(screen.getByLabelText('x'), { target: { value: 'out' } });
    fireEvent.change(screen.getByLabelText('In which year is the last day of this file?'), {
      target: { value: '2026' },
    });
    press('Read the file like this');
    await screen.findByRole('button', { name: 'Import 3 credits' });
    expect(sent(LAYOUT)).toEqual([
      {
        directions: [
          { value: 'nc', isCredit: true },
          { value: 'x', isCredit: false },
        ],
        year: 2026,
      },
    ]);
  });

  test('shows how its columns were read', async () => {
    await openStatements('sure', [], {
      [UPLOAD]: () => ({ status: 201, body: { statement: statementDraft({ directionColumn: 2 }) } }),
    });
    await drop(csv);
    await screen.findByText('Fecha: Day · Valor: Amount with its sign · Nota: In or out');
  });

  test.each([
    ['en', 'currency.CHF', 'statement-foreign-currency', 'This file is in CHF; the account is in pesos.'],
    ['es', 'currency.EUR', 'statement-foreign-currency', 'Este archivo está en EUR; la cuenta es en pesos.'],
    ['en', 'rows.7.DTPOSTED', 'statement-day-ahead', 'Movement 7: This day is after today.'],
    ['es', 'lines.3.day', 'statement-day-ahead', 'Línea 3: Esta fecha es posterior a hoy.'],
  ] as const)('that is refused says where: %s %s', async (language, path, type, says) => {
    await openStatements(
      'sure',
      [],
      { [UPLOAD]: () => refusal(422, type, 'x', [{ path, type: 'invalid', message: 'x' }]) },
      language,
    );
    await act(
      async () =>
        void fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [csv] } }),
    );
    await screen.findByText(says);
  });

  test.each([
    ['en', 'statement-other-account', 'This file is of another account.'],
    ['en', 'statement-mixed-decimals', 'This file mixes 1.234,56 and 1,234.56.'],
    ['en', 'statement-cut-off', 'The end of this file is missing.'],
    ['es', 'statement-unreadable', 'Este archivo no es CSV, XLSX, OFX ni camt.053.'],
    ['en', 'statement-pdf', 'This is a PDF. Download the movements as OFX, CSV or XLSX.'],
  ] as const)('that is refused says why: %s %s', async (language, type, says) => {
    await openStatements('sure', [], { [UPLOAD]: () => refusal(422, type) }, language);
    await act(
      async () =>
        void fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [csv] } }),
    );
    await screen.findByText(says);
  });

  test('names the line that cannot be read', async () => {
    await openStatements('sure', [], {
      [UPLOAD]: () =>
        refusal(422, 'statement-row-unreadable', 'x', [
          { path: 'lines.12.amount', type: 'invalid', message: 'x' },
        ]),
    });
    await drop(csv);
    await screen.findByText('Line 12: One line of this file cannot be read.');
  });

  test('larger than 20 MB is refused before it is sent', async () => {
    const { sent } = await openStatements('sure', []);
    const large = new File([''], 'large.csv');
    Object.defineProperty(large, 'size', { value: 50_000_000 });
    await drop(large);
    await screen.findByText('The file is larger than 20 MB.');
    expect(sent(UPLOAD)).toEqual([]);
  });

  test('a lost connection keeps the screen, and the file can be sent again', async () => {
    await openStatements('sure', [], { [UPLOAD]: () => 'lost' });
    await drop(csv);
    await screen.findByText('We got no answer. You can send it again: it counts only once.');
    expect(screen.getByRole('button', { name: 'Choose the bank’s file' })).toBeTruthy();
  });
});
