import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { creditsOf } from '../credit.ts';
import { workbook } from '../test/files.ts';
import type { Layout, Reading } from './movement.ts';
import { readStatement } from './read.ts';

const ACCOUNT = '000-000000-00';
const TODAY = '2026-11-30';

const read = (
  file: string | Buffer,
  layout?: Layout,
  fileName = 'extracto.csv',
  layouts: Record<string, Layout> = {},
) =>
  readStatement(Buffer.from(file), {
    currency: 'COP',
    account: ACCOUNT,
    today: TODAY,
    layouts,
    layout,
    fileName,
  });

const lines = (...rows: string[]) => [...rows, ''].join('\n');

/** What became of a file: its sums in pesos, what is asked, or why it is refused. */
async function fateOf(file: string | Buffer, layout?: Layout, fileName?: string): Promise<string> {
  try {
    const { questions, movements } = await read(file, layout, fileName);
    return questions.length > 0 ? `asks ${questions.join(' ')}` : movements.map(sumOf).join(' ');
  } catch (error) {
    if (error instanceof Problem) return [error.type, ...error.fields.map(({ path }) => path)].join(' ');
    throw error;
  }
}
const sumOf = ({ amountMinor }: { amountMinor: number }) => String(amountMinor / 100);

const doubtsOf = async (file: string, layout?: Layout) =>
  (await read(file, layout)).doubts?.map(({ kind }) => kind);

const chosen = ({ columns }: Reading, roles: Record<string, string>): Layout => ({
  columns: columns!.flatMap(({ column, title, role }) => {
    const said = roles[title] ?? role;
    return said ? [{ column, role: said as never }] : [];
  }),
  directions: [],
});

describe('a column of its own tells the direction', () => {
  test.each([
    ['Tipo', 'C', 'D'],
    ['Naturaleza', 'CREDITO', 'DEBITO'],
    ['Naturaleza', 'Crédito', 'Débito'],
    ['D/C', 'C', 'D'],
    ['D-C', 'c', 'd'],
    ['Débito/Crédito', 'C', 'D'],
    ['Crédito / Débito', 'CR', 'DB'],
    ['Debit/Credit', 'Credit', 'Debit'],
    ['Cr/Dr', 'CR', 'DR'],
    ['CR/DR', 'Cr.', 'Dr.'],
    ['Type', 'CREDIT', 'DEBIT'],
    ['Transaction type', 'Cr', 'Dr'],
    ['Direction', 'In', 'Out'],
    ['Direction', 'IN', 'OUT'],
    ['In/Out', 'In', 'Out'],
    ['Credit Debit Indicator', 'CRDT', 'DBIT'],
    ['Tipo de movimiento', 'Abono', 'Cargo'],
    ['Cargo/Abono', 'A', 'C'],
    ['Abono/Cargo', 'ABONO', 'CARGO'],
    ['Movimiento', 'Entrada', 'Salida'],
    ['Entrada/Salida', 'E', 'S'],
    ['Tipo', 'Ingreso', 'Egreso'],
    ['Tipo', 'I', 'E'],
    ['Tipo mov.', 'Nota Crédito', 'Nota Débito'],
    ['Tipo', 'NC', 'ND'],
    ['Debe/Haber', 'H', 'D'],
    ['D/H', 'H', 'D'],
    ['Signo', '+', '-'],
    ['+/-', '+', '-'],
    ['Sentido', '(+)', '(-)'],
    ['S/H', 'H', 'S'],
    ['Soll/Haben', 'Haben', 'Soll'],
    ['Soll/Haben', 'H', 'S'],
    ['Umsatzart', 'Gutschrift', 'Lastschrift'],
    ['Natureza', 'Crédito', 'Débito'],
    ['Direction', 'INBOUND', 'OUTBOUND'],
    ['Tipo', 'Ingreso', 'Gasto'],
    ['Deb/Cred', 'CRED', 'DEB'],
    ['Débito o Crédito', 'C', 'D'],
    ['Tipo', 'Entrada', 'Saída'],
    ['Mvto', 'C', 'D'],
    ['Columna 4', 'CREDITO', 'DEBITO'],
    ['', 'Cr', 'Dr'],
  ])('%s: %s and %s', async (title, isIn, isOut) => {
    const file = lines(
      `Fecha;Descripción;${title};Valor`,
      `16/11/2026;TRANSF DE ANA;${isIn};288.050,00`,
      `17/11/2026;DEVOLUCION A ANA;${isOut};288.050,00`,
    );
    expect(await fateOf(file)).toBe('288050 -288050');
  });

  test.each([
    ['Naturaleza', 'Alfa', 'Beta', 'direction'],
    ['D/C', 'X', 'Y', 'direction'],
    ['Tipo', 'Alfa', 'Beta', 'columns'],
    ['Tipo', '1', '2', 'columns'],
    ['Tipo', '1', '-1', 'columns'],
    ['Oficina', 'Salento', 'Cali', 'columns'],
    // C is "cargo" at some banks, and D "depósito".
    ['Cargo/Depósito', 'C', 'D', 'direction'],
    ['Estado', 'A', 'C', 'columns'],
  ])('%s: %s and %s are asked', async (title, one, other, question) => {
    const file = lines(
      `Fecha;Descripción;${title};Valor`,
      `16/11/2026;TRANSF DE ANA;${one};288.050,00`,
      `17/11/2026;PAGO A LUIS;${other};12.500,00`,
    );
    expect(await fateOf(file)).toBe(`asks ${question}`);
  });

  test('and an admin says what its values mean', async () => {
    const file = lines(
      'Fecha;Descripción;Tipo;Valor',
      '16/11/2026;TRANSF DE ANA;Alfa;288.050,00',
      '17/11/2026;PAGO A LUIS;Beta;12.500,00',
    );
    const guessed = await read(file);
    expect(guessed).toMatchObject({ doubts: [{ kind: 'two-values', column: 2 }] });
    const layout = chosen(guessed, { Tipo: 'direction' });
    expect(await read(file, layout)).toMatchObject({
      questions: ['direction'],
      directions: [{ value: 'alfa' }, { value: 'beta' }],
    });
    const directions = [
      { value: 'alfa', isCredit: true },
      { value: 'Beta', isCredit: false },
    ];
    expect(await fateOf(file, { ...layout, directions })).toBe('288050 -12500');
    // Neither is a direction.
    expect(await fateOf(file, chosen(guessed, { Tipo: 'text' }))).toBe('288050 12500');
  });

  test('beside sums with signs, which must agree', async () => {
    const file = (one: string, other: string) =>
      lines('Date,Label,Amount,D/C', `15/11/2026,Supplier,${one},D`, `15/11/2026,Payment,"${other}",C`);
    expect(await fateOf(file('-33.50', '1,533.50'))).toBe('-33.5 1533.5');
    expect(await fateOf(file('33.50', '1,533.50'))).toBe('-33.5 1533.5');
    expect(await fateOf(file('33.50', '-1,533.50'))).toBe('asks columns');
    const layout = chosen(await read(file('33.50', '-1,533.50')), {});
    expect(await fateOf(file('33.50', '-1,533.50'), layout)).toBe('-33.5 1533.5');
  });

  test('beside sums whose signs say the contrary is asked, whatever its title', async () => {
    for (const title of ['D/C', 'Tipo', 'X'])
      expect(
        await fateOf(lines(`Fecha;${title};Valor`, '16/11/2026;C;-1.000,00', '17/11/2026;D;2.000,00')),
      ).toBe('asks columns');
  });

  test.each([
    ['Saldo', '1.288.050,00', '1.275.550,00'],
    ['Saldo', '1.300.550,00', '1.313.050,00'],
  ])('the balance does, where sums have no sign: %s %s %s', async (title, first, second) => {
    const file = lines(
      `Fecha;Descripción;Valor;${title}`,
      `16/11/2026;TRANSF DE ANA;288.050,00;${first}`,
      `17/11/2026;PAGO DE LUZ;12.500,00;${second}`,
    );
    expect(await fateOf(file)).toBe(second.startsWith('1.275') ? 'asks columns' : '288050 12500');
  });

  test.each([
    'CUOTA DE MANEJO',
    'GMF 4X1000',
    'RETIRO CAJERO SALENTO',
    'Comisión transferencia',
    'Account fee',
  ])('is asked where no sum has a sign and %s is among them', async (text) => {
    const file = (sum: string) =>
      lines('Fecha;Descripción;Valor', '16/11/2026;TRANSF DE ANA;288.050,00', `17/11/2026;${text};${sum}`);
    expect(await doubtsOf(file('500,00'))).toEqual(['no-signs']);
    expect(await fateOf(file('-500,00'))).toBe('288050 -500');
  });

  test.each([
    ['Tipo', 'C', 'D'],
    ['Movimiento', 'Consignación', 'Retiro'],
    ['Columna 4', 'CREDITO', 'DEBITO'],
    ['Oficina', 'Salento', 'Cali'],
  ])('a row is the same one in a file with other rows: %s: %s and %s', async (title, one, other) => {
    const titles = `Fecha;Descripción;${title};Valor;Saldo`;
    const credit = `16/11/2026;TRANSF DE ANA;${one};288.050,00;300.000,00`;
    const rows = {
      alone: [credit],
      unsigned: [credit, `17/11/2026;PAGO;${other};12.500,00;287.500,00`],
      signed: [credit, `17/11/2026;PAGO;${other};-12.500,00;287.500,00`],
    };
    const ids = await Promise.all(
      Object.values(rows).map(async (given) => {
        const { movements } = await read(lines(titles, ...given));
        return creditsOf(ACCOUNT, movements, 'COP')[0]!.id;
      }),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test.each(['C', 'D', 'H', 'S'])(
    'a letter alone below a title that says nothing is asked: %s',
    async (letter) => {
      expect(await fateOf(lines('Fecha;Descripción;X;Valor', `16/11/2026;a;${letter};5,00`))).toBe(
        'asks columns',
      );
    },
  );

  test('is asked of a layout that was kept before there was such a role', async () => {
    const file = lines('Fecha;Tipo;Valor', '16/11/2026;C;5,00', '17/11/2026;D;6,00');
    const { header } = await read(file);
    const columns = [
      { column: 0, role: 'day' as const },
      { column: 2, role: 'amount' as const },
    ];
    const kept = (layout: Layout) => read(file, undefined, 'a.csv', { [header!]: layout });
    expect((await kept({ columns })).questions).toEqual(['columns']);
    expect((await kept({ columns, directions: [] })).questions).toEqual([]);
  });
});

describe('titles in other languages', () => {
  test.each([
    ['Buchungstag;Verwendungszweck;Auftraggeber;Betrag;Saldo', '16.11.2026;ARB-1;ANA;5,50;10,00', '5.5'],
    ['Datum;Buchungstext;Soll;Haben', '16.11.2026;ARB-1;;5,50', '5.5'],
    ['Data;Histórico;Débito;Crédito;Saldo', '16/11/2026;ARB-1;5,50;;10,00', '-5.5'],
    ['Data;Descrição;Entrada;Saída', '16/11/2026;ARB-1;5,50;', '5.5'],
    ['Date,Narrative,Paid out,Paid in,Balance', '16/11/2026,ARB-1,,5.50,10.00', '5.5'],
    ['Date,Details,Money in,Money out', '16/11/2026,ARB-1,,5.50', '-5.5'],
    ['Fecha;Concepto;Cargos;Abonos;Saldo', '16/11/2026;ARB-1;5,50;0,00;10,00', '-5.5'],
    ['Fecha;Concepto;Debe;Haber', '16/11/2026;ARB-1;;5,50', '5.5'],
    ['Fecha;Concepto;Débitos/Créditos', '16/11/2026;ARB-1;-5,50', '-5.5'],
    ['Fecha;Concepto;Debe;Haber;Importe', '16/11/2026;ARB-1;;5,50;5,50', '5.5'],
  ])('%s', async (titles, row, sums) => {
    expect(await fateOf(lines(titles, row))).toBe(sums);
  });

  test('a sum in three columns that do not agree is refused', async () => {
    const file = lines(
      'Fecha;Concepto;Debe;Haber;Importe',
      '16/11/2026;a;;5,50;5,50',
      '16/11/2026;b;;5,50;6,50',
    );
    expect(await fateOf(file)).toBe('statement-row-unreadable lines.3.amount');
  });
});

describe('no column that tells rows apart is dropped', () => {
  const idsOf = async (file: string) =>
    creditsOf(ACCOUNT, (await read(file)).movements, 'COP').map(({ id }) => id);

  test.each([
    'Texto',
    'Beneficiario',
    'Tercero',
    'Titular',
    'Oficina',
    'Hora',
    'Ciudad',
    'Columna X',
    'Kunde',
    '',
    'Cliente',
  ])('%j', async (title) => {
    const file = (cell: string) => lines(`Fecha;${title};Valor`, `16/11/2026;${cell};288.050,00`);
    const [ana, luis] = await Promise.all([idsOf(file('ANA GIL ARB-A5XXZ4')), idsOf(file('LUIS ROA'))]);
    expect(ana).not.toEqual(luis);
    expect(await idsOf(file('LUIS ROA'))).toEqual(luis);
    const { movements } = await read(file('ANA GIL ARB-A5XXZ4'));
    expect(creditsOf(ACCOUNT, movements, 'COP')[0]!.references).toEqual(['ARBA5XXZ4']);
  });

  test('a second number and a number of an office, too', async () => {
    const file = (office: string, other: string) =>
      lines('Fecha;Documento;Oficina;Nro. transacción;Valor', `16/11/2026;1;${office};${other};288.050,00`);
    const all = await Promise.all([file('12', '7'), file('13', '7'), file('12', '8')].map(idsOf));
    expect(new Set(all.flat()).size).toBe(3);
  });

  test('a column of money that nobody knows is asked about', async () => {
    const file = lines('Fecha;Descripción;Valor;Comisión', '16/11/2026;ANA;288.050,00;1.200,00');
    expect(await doubtsOf(file)).toEqual(['money-without-role']);
    expect(await fateOf(lines('Date,Label,Amount,Amount2', '15/11/2026,a,0.00,33.50'))).toBe('asks columns');
  });

  test('a row with nothing but day and sum is another one in another file', async () => {
    const file = (...rows: string[]) => lines('Fecha;Valor', ...rows);
    const one = file('16/11/2026;288.050,00');
    const more = file('16/11/2026;288.050,00', '17/11/2026;5,00');
    expect(await idsOf(one)).toEqual(await idsOf(one));
    expect(await idsOf(more)).not.toContain((await idsOf(one))[0]);
  });

  test('but the balance is enough to know it', async () => {
    const file = (...rows: string[]) => lines('Fecha;Valor;Saldo', ...rows);
    const one = file('16/11/2026;288.050,00;300.000,00');
    const more = file('16/11/2026;288.050,00;300.000,00', '17/11/2026;5,00;300.005,00');
    expect(await idsOf(more)).toContain((await idsOf(one))[0]);
  });
});

describe('cells that moved', () => {
  test.each([
    [
      ['Fecha,Descripción,Valor', '27/05/2026,TRANSF,288,050.00', '28/05/2026,X,6,000.00'],
      'statement-row-length lines.2',
    ],
    [
      ['Fecha,Descripción,Valor', '27/05/2026,TRANSF,950.00', '28/05/2026,X,6,000.00'],
      'statement-row-length lines.3',
    ],
    [
      ['Fecha,Descripción,Valor', '27/05/2026,TRANSF,288050,00', '28/05/2026,X,6000,00'],
      'statement-row-length lines.2',
    ],
    [
      ['Fecha,Descripción,Valor,Saldo', '27/05/2026,TRANSF,950.00,1.00', '28/05/2026,X'],
      'statement-row-length lines.3',
    ],
    [['Fecha;Descripción;Valor', '27/05/2026;TRANSF; ANA;288.050,00'], 'statement-row-length lines.2'],
    [['Fecha,Descripción,Valor,Saldo', '27/05/2026,TRANSF,288,050.00'], 'asks columns'],
    [['Fecha,Descripción,Valor,Saldo', '27/05/2026,TRANSF,288,500.00'], 'asks columns'],
    [['Fecha,Descripción,Valor,Saldo', '27/05/2026,TRANSF,288050,50'], 'asks columns'],
    [['Fecha,Descripción,Valor,Oficina', '27/05/2026,TRANSF,288,050.00'], 'asks columns'],
    // A separator at the end of lines is a habit of some banks.
    [['Fecha;Descripción;Valor', '27/05/2026;TRANSF;288.050,00;'], '288050'],
    [['Fecha;Descripción;Valor;', '27/05/2026;TRANSF;288.050,00'], '288050'],
    [['Fecha,Descripción,Valor', '27/05/2026,TRANSF,"288,050.00"'], '288050'],
    [
      ['27/05/2026,TRANSF,288,050.00', '28/05/2026,X,950.00', '29/05/2026,X,950.00'],
      'statement-row-length lines.1',
    ],
  ])('%j', async (rows, fate) => {
    const given = await fateOf(lines(...rows));
    expect(given.replace(/ lines\.(\d+)$/, ' lines.$1')).toBe(fate);
  });

  test('in a workbook, to a column without a title', async () => {
    const cells = (...values: string[]) =>
      values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('');
    const file = workbook([
      cells('Fecha', 'Detalle', 'Valor'),
      cells('27/05/2026', 'TRANSF', '288', '050.00'),
    ]);
    expect(await fateOf(file)).toBe('asks columns');
  });
});

describe('a guess that fails is asked', () => {
  test('where a payer’s account is taken for ours', async () => {
    const file = (title: string) =>
      lines(
        `Fecha;Descripción;${title};Valor`,
        '16/11/2026;TRANSF DE ANA;123-456789-01;288.050,00',
        '17/11/2026;TRANSF DE LUIS;987-654321-02;82.300,00',
      );
    for (const title of [
      'Cuenta origen',
      'Cuenta ordenante',
      'From account',
      'Gegenkonto',
      'IBAN (payer)',
      'Producto',
    ])
      expect(await fateOf(file(title))).toBe('288050 82300');
    for (const title of ['Cuenta', 'Account', 'Bank Account', 'IBAN']) {
      expect(await read(file(title))).toMatchObject({
        questions: ['columns'],
        doubts: [{ kind: 'other-account', column: 2, line: 2, text: '123-456789-01' }],
      });
      const { movements } = await read(file(title), chosen(await read(file(title)), { [title]: 'text' }));
      expect(movements.map(({ text }) => text)).toEqual([
        'TRANSF DE ANA 123-456789-01',
        'TRANSF DE LUIS 987-654321-02',
      ]);
    }
  });

  test.each([
    'PESOS',
    'Pesos',
    'COP',
    'COP$',
    '$',
    'Peso colombiano',
    'Pesos colombianos',
    'M/L',
    'MCTE',
    'Moneda legal',
    'PESO COLOMBIANO (COP)',
    'COP - Peso colombiano',
  ])('not where the currency is %s', async (currency) => {
    const file = lines('Fecha;Descripción;Moneda;Valor', `16/11/2026;TRANSF;${currency};288.050,00`);
    expect(await fateOf(file)).toBe('288050');
  });

  test('where a currency is a word that nobody knows', async () => {
    const file = lines('Fecha;Descripción;Moneda;Valor', '16/11/2026;TRANSF;Local 1;288.050,00');
    const guessed = await read(file);
    expect(guessed.doubts).toEqual([
      { kind: 'unreadable', role: 'currency', line: 2, column: 2, text: 'Local 1' },
    ]);
    expect(await fateOf(file, chosen(guessed, { Moneda: 'text' }))).toBe('288050');
    expect(await fateOf(file, chosen(guessed, {}))).toBe('statement-row-unreadable lines.2.currency');
  });

  test('where a balance is none', async () => {
    const file = lines(
      'Fecha;Descripción;Valor;Saldo',
      '16/11/2026;TRANSF;288.050,00;No disponible',
      '17/11/2026;X;5,00;9,00',
    );
    const guessed = await read(file);
    expect(guessed).toMatchObject({
      questions: ['columns'],
      doubts: [{ role: 'balance', text: 'No disponible' }],
    });
    expect(await fateOf(file, chosen(guessed, {}))).toBe('288050 5');
  });

  test('where an amount or a day is none in most rows', async () => {
    expect(await fateOf(lines('Fecha;Valor', '16/11/2026;x'))).toBe('asks columns');
    expect(await fateOf(lines('Fecha;Valor', 'ayer;5,00', 'hoy;6,00'))).toBe('asks columns');
    expect(await doubtsOf(lines('Fecha;Valor', 'ayer;5,00'))).toEqual(['unreadable']);
  });

  test.each([
    [['16/11/2026;a;5,00', ';b;6,00', '17/11/2026;c;7,00'], 'asks columns'],
    [['16/11/2026;a;5,00', 'ayer;b;6,00'], 'asks columns'],
    [
      ['Saldo anterior;;1,00', '16/11/2026;a;5,00', ';Total del día;5,00', '17/11/2026;c;7,00', ';;12,00'],
      '5 7',
    ],
    [['16/11/2026;a;5,00', ';sigue el texto;', '17/11/2026;c;7,00', 'Total;;12,00'], '5 7'],
  ])('where a line with an amount has no day: %j', async (rows, fate) => {
    expect(await fateOf(lines('Fecha;Detalle;Valor', ...rows))).toBe(fate);
  });

  test.each([
    ['Cuenta de ahorros: 999-999999-99;;', '999-999999-99'],
    ['Titular de la cuenta: ACME NIT 900.123.456-7;;', undefined],
    ['Cuenta cliente 1234567; Cuenta 000-000000-00;', '000-000000-00'],
    ['Cuenta 1234567;Cuenta 000-000000-00;', '000-000000-00'],
  ])('not of an account above the titles: %s', async (above, account) => {
    expect((await read(lines(above, 'Fecha;Detalle;Valor', '16/11/2026;a;5,00'))).account).toBe(account);
  });

  test('where titles are unknown, and rows below them are not', async () => {
    const file = lines('Cuándo;Qué;Bruto', '16/11/2026;TRANSF;288.050,00');
    const guessed = await read(file);
    expect(guessed.questions).toEqual(['columns']);
    expect(guessed.columns!.map(({ title, role }) => [title, role])).toEqual([
      ['Cuándo', 'day'],
      ['Qué', 'text'],
      ['Bruto', 'amount'],
    ]);
    expect(await fateOf(file, chosen(guessed, {}))).toBe('288050');
  });
});

describe('days without a year', () => {
  const file = lines('FECHA;DESCRIPCIÓN;VALOR', '16/11;TRANSF A;288.050,00', '17/11;TRANSF B;5.000,00');

  test('are asked, and the answer holds for this file', async () => {
    expect(await fateOf(file)).toBe('asks year');
    const { movements } = await read(file, { year: 2026 });
    expect(movements.map(({ day }) => day)).toEqual(['2026-11-16', '2026-11-17']);
    expect(await fateOf(file, { year: 2027 })).toBe('asks columns');
  });

  test('get it from the name of the file, or from the period above the titles', async () => {
    for (const [name, above] of [
      ['extracto-2026-11.csv', ''],
      ['a.csv', 'Período;01/11/2026 al 30/11/2026;\n'],
      ['a.csv', 'Noviembre de 2026;;\n'],
    ] as const) {
      const { movements, questions } = await read(above + file, undefined, name);
      expect([questions, movements.map(({ day }) => day)]).toEqual([[], ['2026-11-16', '2026-11-17']]);
    }
  });

  test.each(['16-nov', 'Nov 16', '16.11', '16.11.', '16 de noviembre'])('may be written %s', async (day) => {
    const { movements } = await read(lines('Fecha;Detalle;Valor', `${day};a;5,00`), { year: 2026 });
    expect(movements.map(({ day: read }) => read)).toEqual(['2026-11-16']);
  });

  test('may lie on both sides of a new year', async () => {
    const spanning = lines('FECHA;DESCRIPCIÓN;VALOR', '28/12;A;1,00', '03/01;B;2,00');
    const { movements } = await read(spanning, { year: 2026 });
    expect(movements.map(({ day }) => day)).toEqual(['2025-12-28', '2026-01-03']);
  });
});

test('days as a workbook counts them are read', async () => {
  const { movements, questions } = await read(
    lines('Fecha;Descripción;Valor', '46342;A;1.000,00', '46343.5;B;2.000,00'),
  );
  expect([questions, movements.map(({ day }) => day)]).toEqual([[], ['2026-11-16', '2026-11-17']]);
});

describe('a file in another currency', () => {
  test.each([
    [['Fecha;Descripción;Moneda;Valor', '16/11/2026;a;USD;5,00'], 'USD'],
    [['Fecha;Descripción;Divisa;Valor', '16/11/2026;a;Dólares;5,00'], 'USD'],
    [['Fecha;Descripción;Moneda;Valor', '16/11/2026;a;EUROS;5,00'], 'EUR'],
    [['Fecha;Descripción;Moneda;Valor', '16/11/2026;a;chf;5,00'], 'CHF'],
    [['Fecha;Descripción;Valor', '16/11/2026;a;€ 5,00'], 'EUR'],
    [['Fecha;Descripción;Valor', '16/11/2026;a;5,00 €'], 'EUR'],
    [['Fecha;Descripción;Valor', '16/11/2026;a;US$ 5,00'], 'USD'],
    [['Fecha;Descripción;Valor', '16/11/2026;a;5,00', '17/11/2026;b;€6,00'], 'EUR'],
    [['Fecha;Descripción;Valor (USD)', '16/11/2026;a;5,00'], 'USD'],
    [['Fecha;Descripción;Importe EUR', '16/11/2026;a;5,00'], 'EUR'],
    [['Moneda: Dólares;;', 'Fecha;Descripción;Valor', '16/11/2026;a;5,00'], 'USD'],
    [['Moneda;CHF;', 'Fecha;Descripción;Valor', '16/11/2026;a;5,00'], 'CHF'],
    [['Cuenta,A: B,: EUR', 'Date,Label,Amount', '16/11/2026,a,5.00'], 'EUR'],
    [['Buchungstag;Verwendungszweck;Betrag;Währung', '16.11.2026;a;5,00;EUR'], 'EUR'],
  ])('%j', async (rows, currency) => {
    expect(await fateOf(lines(...rows))).toBe(`statement-foreign-currency currency.${currency}`);
  });

  test.each([
    [['Moneda: Pesos colombianos;;', 'Fecha;Descripción;Valor', '16/11/2026;a;5,00'], '5'],
    [['Fecha;Descripción;Valor (COP)', '16/11/2026;a;$ 5,00'], '5'],
    [['Fecha;Descripción;Valor USD;Valor COP', '16/11/2026;a;1,00;4.000,00'], 'asks columns'],
    [['Fecha;Descripción;Moneda;Valor', '16/11/2026;a;USD;5,00', '16/11/2026;a;COP;5,00'], 'asks columns'],
  ])('is none: %j', async (rows, fate) => {
    expect(await fateOf(lines(...rows))).toBe(fate);
  });
});

describe('a day after today', () => {
  const titles = 'Fecha;Descripción;Valor';
  test.each([
    [[titles, '16/11/2026;a;5,00', '14/11/2031;b;5,00'], 'statement-day-ahead lines.3.day'],
    [[titles, '30/11/2026;a;5,00', '01/12/2026;b;5,00'], 'statement-day-ahead lines.3.day'],
    [[titles, '30/11/2026;a;5,00'], '5'],
    // The column is another one.
    [[titles, '14/11/2031;b;5,00'], 'asks columns'],
  ])('%j', async (rows, fate) => {
    expect(await fateOf(lines(...rows))).toBe(fate);
  });
});

test('parentheses and signs before and after the sign of the currency are read', async () => {
  const file = lines(
    'Date,Description,Amount',
    '11/13/2026,a,"($30.00)"',
    '11/14/2026,b,$+1500.00',
    '11/15/2026,c,$(12.34)',
  );
  expect(await fateOf(file)).toBe('-30 1500 -12.34');
});

test('two signs are never a sum', async () => {
  const file = lines('Date,Description,Amount', '2026-10-12,Rev,--21.78', '2026-10-12,Purchase,-21.78');
  expect(await fateOf(file)).toBe('statement-row-unreadable lines.2.amount');
});
