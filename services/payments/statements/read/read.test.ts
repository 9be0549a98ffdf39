import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { camt, csv, type Decimal, lines, ofx, workbook, xlsx } from '../test/files.ts';
import type { Layout, Movement } from './movement.ts';
import { readStatement } from './read.ts';

const read = (bytes: Uint8Array | string, layout?: Layout, layouts: Record<string, Layout> = {}) =>
  readStatement(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { currency: 'COP', layouts, layout });

async function problemOf(bytes: Uint8Array | string, layout?: Layout): Promise<string> {
  try {
    await read(bytes, layout);
  } catch (error) {
    if (error instanceof Problem) return [error.type, ...error.fields.map(({ path }) => path)].join(' ');
    throw error;
  }
  return 'was read';
}

const essence = (movements: readonly Movement[]) =>
  movements.map(({ day, amountMinor, text, name, number }) => ({
    day,
    amountMinor,
    text,
    ...(name && { name }),
    ...(number && { number }),
  }));

describe('a file is understood', () => {
  test.each(
    [';', ',', '\t'].flatMap((separator) =>
      ([',', '.'] as Decimal[]).flatMap((decimal) =>
        ['utf-8', 'windows-1252', 'utf-16le'].map((encoding) => [separator, decimal, encoding] as const),
      ),
    ),
  )('as CSV between %j with decimals after %j in %s', async (separator, decimal, encoding) => {
    const reading = await read(csv(lines, { separator, decimal, encoding }));
    expect(essence(reading.movements)).toEqual(lines);
    expect(reading).toMatchObject({ format: 'csv', separator, decimal, dayOrder: 'dmy', questions: [] });
  });

  test.each([undefined, ',', '.'] as const)('as XLSX with amounts written with %j', async (decimal) => {
    const reading = await read(xlsx(lines, decimal));
    expect(essence(reading.movements)).toEqual(lines);
    expect(reading).toMatchObject({ format: 'xlsx', questions: [] });
  });

  test.each([',', '.'] as const)('as OFX with decimals after %j', async (decimal) => {
    const reading = await read(ofx(lines, '123-456789-00', decimal));
    expect(essence(reading.movements)).toEqual(lines);
    expect(reading).toMatchObject({ format: 'ofx', account: '123-456789-00', questions: [] });
  });

  test('as camt.053', async () => {
    const reading = await read(camt());
    expect(essence(reading.movements)).toEqual(lines);
    expect(reading).toMatchObject({ format: 'camt.053', account: '12345678900', questions: [] });
  });

  test('with a payment of its own for each of a batch in camt.053', async () => {
    const batch = camt()
      .toString()
      .replace(
        /<NtryDtls>[\s\S]*?<\/NtryDtls>/,
        `<NtryDtls>${[1_000, 287_050]
          .map(
            (pesos) =>
              `<TxDtls><Amt Ccy="COP">${pesos}.00</Amt><RmtInf><Ustrd>part ${pesos}</Ustrd></RmtInf></TxDtls>`,
          )
          .join('')}</NtryDtls>`,
      );
    const { movements } = await read(batch);
    expect(movements.slice(0, 2)).toMatchObject([
      { amountMinor: 100_000, text: 'part 1000', number: '1001#1' },
      { amountMinor: 28_705_000, text: 'part 287050', number: '1001#2' },
    ]);
  });

  test('with titles and totals around the movements, and credits and debits in columns of their own', async () => {
    const { movements, otherLines, account } = await read(
      [
        'Extracto;;;',
        'Cuenta: 123-456789-00;;;',
        'Fecha;Concepto;Débitos;Créditos',
        '12/03/2026;ARB7K3Q9F;;288.050',
        '13/03/2026;Cuota;12.500,50;',
        ';Total;12.500,50;288.050',
        '',
      ].join('\n'),
    );
    expect(movements.map(({ amountMinor }) => amountMinor)).toEqual([28_805_000, -1_250_050]);
    expect(otherLines).toEqual(['Extracto', 'Cuenta: 123-456789-00', 'Total · 12.500,50 · 288.050']);
    expect(account).toBe('123-456789-00');
  });

  test('with a formula as the text that it is', async () => {
    const { movements } = await read('Fecha;Detalle;Valor\n12/03/2026;"=HYPERLINK(""http://x"")";1.000\n');
    expect(movements[0]!.text).toBe('=HYPERLINK("http://x")');
  });
});

describe('an admin is asked', () => {
  const open = csv([
    { day: '2026-03-04', amountMinor: 100_000, text: 'a' },
    { day: '2026-05-06', amountMinor: 100_000, text: 'b' },
  ]);

  test('which day is meant, while every day can be read in two ways', async () => {
    expect(await read(open)).toMatchObject({ questions: ['day-order'] });
    const { movements, questions } = await read(open, { dayOrder: 'mdy' });
    expect({ days: movements.map(({ day }) => day), questions }).toEqual({
      days: ['2026-04-03', '2026-06-05'],
      questions: [],
    });
  });

  test('only once: files with the same titles are read alike', async () => {
    const { header } = await read(open);
    const { questions, movements } = await read(open, undefined, { [header!]: { dayOrder: 'dmy' } });
    expect({ questions, day: movements[0]!.day }).toEqual({ questions: [], day: '2026-03-04' });
  });

  test('not when one day of the file tells the order', async () => {
    const { questions, dayOrder } = await read(
      csv([
        { day: '2026-04-03', amountMinor: 1_000, text: 'a' },
        { day: '2026-04-25', amountMinor: 1_000, text: 'b' },
      ]),
    );
    expect({ questions, dayOrder }).toEqual({ questions: [], dayOrder: 'dmy' });
  });

  test('not of a period above the titles: it is no account', async () => {
    const period = 'Cuenta de ahorros, 2026-03-01 2026-03-31';
    const { account, movements } = await read(`${period}\nFecha;Detalle;Valor\n13/03/2026;a;1\n`);
    expect([account, movements.length]).toEqual([undefined, 1]);
  });

  test('which column is which, where no title tells', async () => {
    const file = '12/13/2026;x;288.050,00\n12/14/2026;y;1.000,00\n';
    expect(await read(file)).toMatchObject({ questions: ['columns'], dayOrder: 'mdy' });
    const columns = [
      { column: 0, role: 'day' as const },
      { column: 2, role: 'amount' as const },
      { column: 1, role: 'text' as const },
    ];
    const { movements, questions } = await read(file, { columns });
    expect(questions).toEqual([]);
    expect(essence(movements)).toEqual([
      { day: '2026-12-13', amountMinor: 28_805_000, text: 'x' },
      { day: '2026-12-14', amountMinor: 100_000, text: 'y' },
    ]);
  });
});

describe('a file is refused', () => {
  const titled = (...rows: string[]) => ['Fecha;Detalle;Valor', ...rows, ''].join('\n');

  test.each([
    ['nothing in it', '', 'statement-empty'],
    ['blanks', ' \n \n', 'statement-empty'],
    ['only titles', titled(), 'statement-empty'],
    [
      'both decimal styles',
      titled('12/03/2026;a;1.234.567,89', '13/03/2026;b;1,234,567.89'),
      'statement-mixed-decimals',
    ],
    ['both orders of days', titled('13/03/2026;a;1', '03/14/2026;b;1'), 'statement-mixed-days'],
    [
      'a formula for an amount',
      titled('12/03/2026;a;5', '13/03/2026;a;=1+1'),
      'statement-row-unreadable lines.3.amount',
    ],
    [
      'two signs',
      titled('12/03/2026;a;-21,78', '13/03/2026;a;--21,78'),
      'statement-row-unreadable lines.3.amount',
    ],
    ['three decimals', titled('12/03/2026;a;2880.500', '13/03/2026;a;12.345'), 'statement-three-decimals'],
    ['no amount', titled('13/03/2026;a;'), 'statement-row-unreadable lines.2.amount'],
    [
      'an amount of no transfer',
      titled('13/03/2026;a;10000000001'),
      'statement-row-unreadable lines.2.amount',
    ],
    ['a day that does not exist', titled('31/02/2026;a;5'), 'statement-row-unreadable lines.2.day'],
    [
      'an empty line before the one that fails',
      titled('', '', '31/02/2026;a;5'),
      'statement-row-unreadable lines.4.day',
    ],
    ['an open quote', titled('13/03/2026;"a;1'), 'statement-cut-off'],
    ['a last line that ends early', 'Fecha;Detalle;Valor\n13/03/2026;a;1\n14/03/2026;b', 'statement-cut-off'],
    ['a PDF', '%PDF-1.7 ...', 'statement-pdf'],
    ['QIF', '!Type:Bank\nD16/11/2026\nT5.00\n^\n', 'statement-qif'],
    ['MT940', '{1:F01BANKCOBBXXX}{4:\n:20:1\n:25:0\n:60F:C261116COP0,\n-}', 'statement-mt940'],
    ['bare MT940', ':20:1\n:25:0\n:28C:1\n:60F:C261116COP0,\n:61:2611161116C5,\n', 'statement-mt940'],
    ['camt.052', camt().toString().replace('camt.053', 'camt.052'), 'statement-camt-052'],
    ['camt.054', camt().toString().replace('camt.053', 'camt.054'), 'statement-camt-054'],
    [
      'investments',
      ofx()
        .toString('latin1')
        .replace(/<(\/?)STMTRS>/g, '<$1INVSTMTRS>'),
      'statement-investments',
    ],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'statement-old-excel'],
    [
      'an Excel file of 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
      'statement-other-workbook',
    ],
    ['a table of a web page', '<table><tr><td>Fecha</td></tr></table>', 'statement-web-page'],
    ['an archived web page', 'MIME-Version: 1.0\nContent-Type: text/html\n\n<x>', 'statement-web-page'],
    ['XLSB', zipSync({ 'xl/workbook.bin': strToU8('x') }), 'statement-other-workbook'],
    [
      'ODS',
      zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }] }),
      'statement-other-workbook',
    ],
    ['other XML', '<?xml version="1.0"?><a/>', 'statement-unreadable'],
    ['zero bytes', 'Fecha;Valor\0\0', 'statement-unreadable'],
    ['a page', '<!doctype html><p>Log in', 'statement-web-page'],
    [
      'entities',
      camt().toString().replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'),
      'statement-unreadable',
    ],
  ])('with %s', async (_what, file, problem) => {
    expect(await problemOf(file)).toBe(problem);
  });

  test.each([
    ['OFX', ofx()],
    ['camt.053', camt()],
    ['XLSX', xlsx()],
  ])('when its end is missing: %s', async (_what, bytes) => {
    expect(await problemOf(bytes.subarray(0, bytes.length - 40))).toBe('statement-cut-off');
  });

  test.each([
    ['OFX', ofx([{ day: '2026-02-31', amountMinor: 1, text: 'a' }]), 'DTPOSTED'],
    ['camt.053', camt([{ day: '2026-02-31', amountMinor: 1, text: 'a' }]), 'BookgDt'],
  ])('with a day that does not exist in %s', async (_format, bytes, field) => {
    expect(await problemOf(bytes)).toBe(`statement-row-unreadable rows.1.${field}`);
  });

  test.each([
    ['OFX', ofx([{ day: '2026-02-01', amountMinor: MAX_AMOUNT_MINOR + 1, text: 'a' }]), 'TRNAMT'],
    ['camt.053', camt([{ day: '2026-02-01', amountMinor: MAX_AMOUNT_MINOR + 1, text: 'a' }]), 'Amt'],
  ])('with an amount of no transfer in %s', async (_format, bytes, field) => {
    expect(await problemOf(bytes)).toBe(`statement-row-unreadable rows.1.${field}`);
  });

  test('when an OFX movement is opened and never filled in', async () => {
    const file = ofx().toString('latin1').replace('<STMTTRN>', '<STMTTRN>'.repeat(1_000));
    expect(await problemOf(Buffer.from(file, 'latin1'))).toBe('statement-row-unreadable rows.1.DTPOSTED');
  });

  test('when it unpacks to more than it says', async () => {
    const size = 130_000_000;
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': [new Uint8Array(size), { level: 1 }] });
    const liar = Buffer.from(bomb);
    const real = Buffer.alloc(4);
    real.writeUInt32LE(size);
    for (let at = liar.indexOf(real); at >= 0; at = liar.indexOf(real, at)) liar.writeUInt32LE(100, at);
    expect(await problemOf(liar)).toBe('statement-unreadable');
  });

  test('when it is small but unpacks to much', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': [new Uint8Array(130_000_000), { level: 1 }] });
    expect(await problemOf(bomb)).toBe('statement-unreadable');
  });

  test('when it is another kind of ZIP', async () => {
    expect(await problemOf(zipSync({ 'a.txt': strToU8('hello') }))).toBe('statement-unreadable');
  });

  test('with more rows than a statement has', async () => {
    const row = '13/03/2026;a;1\n';
    expect(await problemOf(`Fecha;Detalle;Valor\n${row.repeat(60_000)}`)).toBe('statement-too-many-rows');
  });

  test('not because a workbook has a formula among its texts', async () => {
    const cells = (...values: string[]) =>
      values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('');
    const file = workbook([
      cells('Fecha', 'Detalle', 'Valor'),
      `${cells('2026-03-12')}<c t="str"><f>A1</f><v>Fecha</v></c><c><v>288050.30000000005</v></c>`,
    ]);
    expect(essence((await read(file)).movements)).toEqual([
      { day: '2026-03-12', amountMinor: 28_805_030, text: 'Fecha' },
    ]);
  });
});

describe('a workbook', () => {
  const cell = (address: string, content = '<v>1</v>') => `<c r="${address}" s="1">${content}</c>`;
  const sheet = (rows: string) => {
    const bytes = unzipSync(workbook([]));
    const name = 'xl/worksheets/sheet1.xml';
    bytes[name] = strToU8(
      strFromU8(bytes[name]!).replace('<sheetData></sheetData>', `<sheetData>${rows}</sheetData>`),
    );
    return zipSync(bytes);
  };

  test.each([
    ['its last cell', `<row r="1048576">${cell('XFD1048576')}</row>`, 'statement-too-many-rows'],
    ['its last row', `<row r="1048576">${cell('A1048576')}</row>`, 'statement-too-many-rows'],
    ['its last column', `<row r="1">${cell('XFD1')}</row>`, 'statement-too-wide'],
    ['a row that no workbook has', '<row r="99999999999"/>', 'statement-unreadable'],
    ['too many cells', `<row r="50000">${cell('GR50000')}</row>`, 'statement-too-many-rows'],
  ])('that fills %s is refused before it is read', async (_what, rows, problem) => {
    const startedAt = performance.now();
    expect(await problemOf(sheet(rows))).toBe(problem);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('may have empty cells to its end', async () => {
    const text = (address: string, value: string) =>
      `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = [
      `<row r="1">${text('A1', 'Fecha')}${text('B1', 'Detalle')}${text('C1', 'Valor')}</row>`,
      `<row r="2">${text('A2', '2026-03-12')}${text('B2', 'a')}<c r="C2"><v>5</v></c><c r="XFD2"/></row>`,
      '<row r="60000"><c r="A60000"/></row>',
    ];
    expect(essence((await read(sheet(rows.join('')))).movements)).toEqual([
      { day: '2026-03-12', amountMinor: 500, text: 'a' },
    ]);
  });

  test('may count its days from 1904', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const counted = unzipSync(
      workbook([
        ['Fecha', 'Detalle', 'Valor'].map(text).join(''),
        `<c><v>44880</v></c>${text('a')}<c><v>5</v></c>`,
      ]),
    );
    const name = 'xl/workbook.xml';
    const since = (flag: string) =>
      zipSync({
        ...counted,
        [name]: strToU8(strFromU8(counted[name]!).replace('<sheets>', `${flag}<sheets>`)),
      });
    const days = async (flag: string) => (await read(since(flag))).movements.map(({ day }) => day);
    expect(await days('')).toEqual(['2022-11-15']);
    expect(await days('<workbookPr date1904="1"/>')).toEqual(['2026-11-16']);
  });

  test.each([
    ['[$€-C0A]#,##0.00', 'statement-foreign-currency currency.EUR'],
    ['#,##0.00\\ &quot;€&quot;', 'statement-foreign-currency currency.EUR'],
    ['[$USD] #,##0.00', 'statement-foreign-currency currency.USD'],
    ['&quot;US$&quot;#,##0', 'statement-foreign-currency currency.USD'],
    ['[$$-240A]#,##0.00', 'was read'],
    ['[$COP] #,##0', 'was read'],
  ])('may show its sums as %s', async (code, fate) => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const parts = unzipSync(
      workbook([
        ['Fecha', 'Detalle', 'Valor'].map(text).join(''),
        `${text('2026-03-12')}${text('a')}<c s="1"><v>5</v></c>`,
      ]),
    );
    parts['xl/styles.xml'] = strToU8(
      `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    );
    expect(await problemOf(zipSync(parts))).toBe(fate);
  });

  test.each([
    ['12.345', 'statement-row-unreadable lines.2.amount'],
    ['12.340000000000001', 'was read'],
  ])('has numbers with a point: %s', async (number, fate) => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const file = workbook([
      ['Fecha', 'Detalle', 'Valor'].map(text).join(''),
      `${text('2026-03-12')}${text('a')}<c><v>${number}</v></c>`,
    ]);
    expect(await problemOf(file)).toBe(fate);
  });
});
