import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { camt, csv, ofx, xlsx } from './files.ts';
import { startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

const credits = (text: string, count = 3, day = '2026-03-15') =>
  Array.from({ length: count }, (_, at) => ({ day, amountMinor: 10_000 + at, text: `${text} ${at}` }));

const count = async (): Promise<number> =>
  (await statements.query<{ count: number }>('select count(*)::int as count from statement_rows'))[0]!.count;

test('an admin sees what was understood, and nothing counts until it is confirmed', async () => {
  const before = await count();
  const lines = [...credits('SEEN'), { day: '2026-03-16', amountMinor: -500, text: 'FEE' }];
  const { status, body } = await statements.upload(
    csv(lines, { encoding: 'windows-1252' }),
    'clara',
    'marzo.csv',
  );
  expect(status).toBe(201);
  expect(body.statement).toMatchObject({
    fileName: 'marzo.csv',
    format: 'csv',
    separator: ';',
    decimal: ',',
    dayOrder: 'dmy',
    from: '2026-03-15',
    to: '2026-03-16',
    credits: { count: 3, amount: 30_003 },
    debits: { count: 1, amount: 500 },
    known: 0,
    questions: [],
  });
  expect(await count()).toBe(before);
});

test('a confirmed statement adds its credits, and others hear of it', async () => {
  const draft = await statements.upload(csv(credits('HEARD')));
  const { statementId } = draft.body.statement;
  const { body } = await statements.confirm(statementId);
  expect(body.statement).toMatchObject({
    statementId,
    added: 3,
    approved: 0,
    importedBy: { role: 'admin', id: 'clara', name: 'Clara' },
  });
  const event = await statements.events.next(
    'statement.imported',
    ({ data }) => data.statementId === statementId,
  );
  expect(event.data).toMatchObject({ bank: 'bancolombia', credits: 3, added: 3, addedMinor: 30_003 });
  const listed = await statements.statements();
  expect(listed.statements[0]).toEqual(body.statement);
  expect(listed.lastDays).toEqual([{ bank: 'bancolombia', day: '2026-03-15' }]);
});

test.each([
  ['XLSX', xlsx(credits('XLSX'))],
  ['OFX', ofx(credits('OFX').map((line, at) => ({ ...line, number: `F${at}` })))],
  ['camt.053', camt(credits('CAMT').map((line, at) => ({ ...line, number: `C${at}` })))],
])('%s is imported like CSV', async (_format, bytes) => {
  const { body } = await statements.upload(bytes);
  expect((await statements.confirm(body.statement.statementId)).body.statement.added).toBe(3);
});

describe('the same money is added once', () => {
  test('from the same file', async () => {
    expect((await statements.import(credits('AGAIN'))).added).toBe(3);
    expect((await statements.upload(csv(credits('AGAIN')))).body.statement.known).toBe(3);
    expect((await statements.import(credits('AGAIN'))).added).toBe(0);
  });

  test('from an overlapping file', async () => {
    await statements.import(credits('OVERLAP', 3));
    expect((await statements.import(credits('OVERLAP', 5))).added).toBe(2);
  });

  test('but equal rows of one file are as many as they are', async () => {
    const equal = Array.from({ length: 3 }, () => ({ day: '2026-03-15', amountMinor: 5_000, text: 'EQUAL' }));
    expect((await statements.import(equal)).added).toBe(3);
    expect((await statements.import(equal)).added).toBe(0);
  });

  test('when two admins confirm at once', async () => {
    const before = await count();
    const one = await statements.upload(csv(credits('BOTH', 50)));
    const other = await statements.upload(csv(credits('BOTH', 60)), 'diego');
    const ids = [one, one, other, other].map(({ body }) => body.statement.statementId);
    const answers = await Promise.all(
      ids.map((id, at) => statements.confirm(id, at % 2 ? 'diego' : 'clara')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[0]!.body).toEqual(answers[1]!.body);
    expect(await count()).toBe(before + 60);
  });

  test('when a confirmation is sent again', async () => {
    const { body } = await statements.upload(csv(credits('TWICE')));
    const first = await statements.confirm(body.statement.statementId);
    expect(await statements.confirm(body.statement.statementId, 'diego')).toMatchObject({
      status: 200,
      body: first.body,
    });
  });
});

describe('what the file does not tell', () => {
  const file = csv(
    [
      { day: '2026-04-03', amountMinor: 1_000, text: 'ASKED' },
      { day: '2026-04-05', amountMinor: 1_000, text: 'ASKED' },
    ],
    { separator: ',', decimal: '.' },
  )
    .toString()
    .replace('Fecha', 'Fecha del banco');

  test('is asked before the import, and kept for the bank’s next file', async () => {
    const { statementId, questions } = (await statements.upload(Buffer.from(file))).body.statement;
    expect(questions).toEqual(['day-order']);
    expect(await statements.confirm(statementId)).toMatchObject({
      status: 409,
      body: { type: 'statement-unclear' },
    });
    const answered = await statements.setLayout(statementId, { dayOrder: 'dmy' });
    expect(answered.body.statement).toMatchObject({ questions: [], from: '2026-04-03', to: '2026-04-05' });
    expect((await statements.confirm(statementId)).body.statement.added).toBe(2);
    expect((await statements.upload(Buffer.from(file))).body.statement).toMatchObject({
      questions: [],
      known: 2,
    });
  });

  test('may be which columns are which', async () => {
    const { statementId, questions } = (await statements.upload(Buffer.from('2026-04-03;GUESSED;77,00\n')))
      .body.statement;
    expect(questions).toEqual(['columns']);
    const columns = [
      { column: 0, role: 'day' },
      { column: 1, role: 'text' },
      { column: 2, role: 'amount' },
    ];
    expect((await statements.setLayout(statementId, { columns })).body.statement).toMatchObject({
      questions: [],
      credits: { count: 1, amount: 7_700 },
    });
    expect((await statements.confirm(statementId)).status).toBe(200);
    expect(await statements.setLayout(statementId, { columns })).toMatchObject({ status: 409 });
  });

  test.each([
    [
      'a column that is not there',
      {
        columns: [
          { column: 150, role: 'day' },
          { column: 1, role: 'amount' },
        ],
      },
      'columns',
    ],
    ['one column', { columns: [{ column: 0, role: 'day' }] }, 'columns'],
    ['another order of days', { dayOrder: 'ydm' }, 'dayOrder'],
  ])('is not answered by %s', async (_what, body, path) => {
    const { statementId } = (await statements.upload(Buffer.from(file))).body.statement;
    expect(await statements.setLayout(statementId, body)).toMatchObject({
      status: 422,
      body: { errors: [{ path }] },
    });
  });
});

describe('a guess that fails keeps the draft', () => {
  const lines = (...rows: string[]) => Buffer.from([...rows, ''].join('\n'));
  const rolesOf = (
    columns: { column: number; title: string; role?: string }[],
    said: Record<string, string>,
  ) =>
    columns.flatMap(({ column, title, role = '' }) => {
      const chosen = said[title] ?? role;
      return chosen ? [{ column, role: chosen }] : [];
    });

  test('of payers’ accounts taken for ours', async () => {
    const file = lines('Fecha;Detalle;Cuenta;Valor', '16/04/2026;PAYER ACCOUNT;123-456789-01;288.050,00');
    const { status, body } = await statements.upload(file);
    expect([status, body.statement.questions, body.statement.doubts]).toEqual([
      201,
      ['columns'],
      [{ kind: 'other-account', column: 2, line: 2, text: '123-456789-01' }],
    ]);
    const { statementId, columns } = body.statement;
    const ours = await statements.setLayout(statementId, { columns: rolesOf(columns, {}) });
    expect(ours).toMatchObject({ status: 422, body: { type: 'statement-other-account' } });
    const answered = await statements.setLayout(statementId, {
      columns: rolesOf(columns, { Cuenta: 'text' }),
    });
    expect(answered.body.statement).toMatchObject({ questions: [], credits: { count: 1 } });
    expect((await statements.confirm(statementId)).body.statement.added).toBe(1);
    expect((await statements.upload(file)).body.statement).toMatchObject({ questions: [], known: 1 });
  });

  test('of a direction, whose words are kept for the bank’s next file', async () => {
    const file = (day: string) =>
      lines('Fecha;Detalle;Tipo;Valor', `${day};DIRECTION;Alfa;5,00`, `${day};DIRECTION;Beta;6,00`);
    const { statementId, columns, questions } = (await statements.upload(file('16/04/2026'))).body.statement;
    expect(questions).toEqual(['columns']);
    const said = { columns: rolesOf(columns, { Tipo: 'direction' }) };
    expect((await statements.setLayout(statementId, said)).body.statement).toMatchObject({
      // What a client of version 1.0 is asked.
      questions: ['columns'],
      asks: ['direction'],
      directionColumn: 2,
      directions: [{ value: 'alfa' }, { value: 'beta' }],
    });
    expect((await statements.confirm(statementId)).body.type).toBe('statement-unclear');
    const directions = [
      { value: 'alfa', isCredit: true },
      { value: 'beta', isCredit: false },
    ];
    expect((await statements.setLayout(statementId, { directions })).body.statement).toMatchObject({
      questions: [],
      credits: { count: 1, amount: 500 },
      debits: { count: 1, amount: 600 },
    });
    await statements.confirm(statementId);
    expect((await statements.upload(file('17/04/2026'))).body.statement).toMatchObject({
      questions: [],
      credits: { count: 1, amount: 500 },
    });
  });

  test('of a year, which holds for one file', async () => {
    const file = (day: string) => lines('Fecha;Detalle;Valor', `${day};YEARLESS;5,00`);
    const { statementId } = (await statements.upload(file('16/04'))).body.statement;
    const answered = await statements.setLayout(statementId, { year: 2026 });
    expect(answered.body.statement).toMatchObject({ questions: [], from: '2026-04-16', to: '2026-04-16' });
    await statements.confirm(statementId);
    expect((await statements.upload(file('17/04'))).body.statement.asks).toEqual(['year']);
    const named = await statements.upload(file('17/04'), 'clara', 'extracto-abril-2026.csv');
    expect(named.body.statement).toMatchObject({ questions: [], from: '2026-04-17' });
  });
});

test('two donors with the same sum on one day are both there, whatever the column of their names is called', async () => {
  for (const title of ['Tercero', 'Beneficiario', 'Titular', 'Quién']) {
    const file = (name: string) => Buffer.from(`Fecha;${title};Valor\n18/04/2026;${name};12.345,00\n`);
    const added = [];
    for (const name of [`ANA ${title}`, `LUIS ${title}`, `ANA ${title}`]) {
      const { statementId } = (await statements.upload(file(name))).body.statement;
      added.push((await statements.confirm(statementId)).body.statement.added);
    }
    expect([title, added]).toEqual([title, [1, 1, 0]]);
  }
});

describe('a row that corrects one of an earlier file', () => {
  const file = (number: string, amountMinor: number, corrects?: string) =>
    Buffer.from(
      ofx([{ day: '2026-04-19', amountMinor, text: `CORRECTED ${number}`, number }])
        .toString('latin1')
        .replace('<NAME>', `${corrects ? `<CORRECTFITID>${corrects}\n<CORRECTACTION>REPLACE\n` : ''}<NAME>`),
      'latin1',
    );
  const importOf = async (bytes: Buffer) =>
    statements.confirm((await statements.upload(bytes)).body.statement.statementId);
  const fates = async () =>
    (
      await statements.query<{ number: string; status: string }>(
        `select number, status from statement_rows where text like 'CORRECTED%' order by number`,
      )
    ).map(({ number, status }) => `${number} ${status}`);

  test('takes its place while it is open', async () => {
    await importOf(file('c1', 700));
    await importOf(file('c2', 800, 'c1'));
    expect(await fates()).toEqual(['c1 ignored', 'c2 open']);
    await importOf(file('c2', 800, 'c1'));
    expect(await fates()).toEqual(['c1 ignored', 'c2 open']);
  });

  test('is no second credit once it was decided', async () => {
    const { rowId } = await statements.row('CORRECTED c2');
    await statements.post('POST /api/admin/statement-rows/keep', { rowIds: [rowId] });
    await importOf(file('c3', 800, 'c2'));
    await importOf(file('c4', 900, 'c2'));
    expect(await fates()).toEqual(['c1 ignored', 'c2 kept', 'c3 ignored', 'c4 kept']);
  });
});

describe('a file is refused', () => {
  /** A workbook whose only cell is its last possible one. */
  const sparse = zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    ),
  });

  test.each([
    ['of another account', ofx(credits('OTHER'), '999-999999-99'), 422, 'statement-other-account'],
    [
      'in another currency',
      Buffer.from(camt(credits('USD')).toString().replaceAll('COP', 'USD')),
      422,
      'statement-foreign-currency',
    ],
    ['without a byte', Buffer.alloc(0), 422, 'statement-empty'],
    ['that is a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 422, 'statement-unreadable'],
    ['whose only cell is the last of a workbook', sparse, 422, 'statement-too-many-rows'],
    ['of 50 MB', Buffer.alloc(50_000_000, 'a'), 413, 'statement-too-large'],
  ])('%s', async (_what, bytes, status, type) => {
    const before = await statements.query('select id from statements');
    expect(await statements.upload(bytes)).toMatchObject({ status, body: { type } });
    expect(await statements.query('select id from statements')).toEqual(before);
  });

  test('that is none', async () => {
    const answer = await statements.admin('POST /api/admin/statements', { form: new FormData() });
    expect(answer).toMatchObject({
      status: 422,
      body: { type: 'statement-required', errors: [{ path: 'statement' }] },
    });
  });

  test('with the line and the column that cannot be read', async () => {
    const answer = await statements.upload(Buffer.from('Fecha;Valor\n12/03/2026;5\n12/03/2026;--5\n'));
    expect(answer).toMatchObject({
      status: 422,
      body: { type: 'statement-row-unreadable', errors: [{ path: 'lines.3.amount' }] },
    });
  });
});

test('twenty thousand rows are one import', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({
    day: `2026-0${1 + (at % 9)}-1${at % 10}`,
    amountMinor: 1_000 + at,
    text: `MANY ${at}`,
  }));
  expect((await statements.import(many)).added).toBe(20_000);
});

test('a credit that comes in two formats is perhaps the same, and its rows are not merged', async () => {
  const day = '2026-05-24';
  const alike = { day, amountMinor: 4_321_000, text: 'Consignación TWIN' };
  const other = { day, amountMinor: 4_321_000, text: 'Consignación OTRO' };
  const file = csv([
    { ...alike, balanceMinor: 9_000_000 },
    { ...other, balanceMinor: 13_321_000 },
  ]);
  await statements.confirm((await statements.upload(file, 'clara', 'mayo.csv')).body.statement.statementId);
  const twin = ofx([{ ...alike, text: 'CONSIGNACION  TWIN', number: 'F1' }]);
  await statements.confirm((await statements.upload(twin, 'clara', 'mayo.ofx')).body.statement.statementId);
  const { rows } = await statements.list('unknown', { q: 'TWIN' });
  expect(rows.map(({ sameAs }: { sameAs: { fileName: string } }) => sameAs.fileName).sort()).toEqual([
    'mayo.csv',
    'mayo.ofx',
  ]);
  expect(rows[0].sameAs.rowId).toBe(rows[1].rowId);
  expect(await statements.row('OTRO')).not.toHaveProperty('sameAs');
});
