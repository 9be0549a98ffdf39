import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { camt } from '../test/files.ts';
import { readStatement } from './read.ts';

const options = { currency: 'COP', layouts: {}, today: '2026-11-30' };

interface Row {
  posted?: string;
  amount?: string;
  id?: string;
  more?: string;
}

const file = (rows: readonly Row[], currency = 'COP') =>
  Buffer.from(
    `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>000-000000-00</BANKACCTFROM><BANKTRANLIST>${rows
      .map(
        ({ posted = '20261116120000', amount = '5.00', id = 'k1', more = '' }) =>
          `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${posted}<TRNAMT>${amount}<FITID>${id}<NAME>ANA${more}</STMTTRN>`,
      )
      .join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );

const read = (rows: readonly Row[], currency?: string) => readStatement(file(rows, currency), options);

const problemOf = async (reading: Promise<unknown>) => {
  const problem = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof Problem)) return problem;
  return [problem.type, ...problem.fields.map(({ path }) => path)].join(' ');
};

describe('the day of a row is Colombia’s', () => {
  test.each([
    ['20261117023000[0:GMT]', '2026-11-16'],
    ['20261117023000.000[0:GMT]', '2026-11-16'],
    ['20261117045959[0]', '2026-11-16'],
    ['20261117050000[0:GMT]', '2026-11-17'],
    ['20261116120000[-5:EST]', '2026-11-16'],
    ['20261116230000[-5:COT]', '2026-11-16'],
    ['20261116230000[-08:PST]', '2026-11-17'],
    ['20261117090000[+10:AEST]', '2026-11-16'],
    ['20261117100000[+5.5:IST]', '2026-11-16'],
    // Banks that know no time write midnight.
    ['20261117000000[0:GMT]', '2026-11-17'],
    ['20261117000000.000[-3:BRT]', '2026-11-17'],
    ['20261117', '2026-11-17'],
    ['20261117023000', '2026-11-17'],
  ])('%s', async (posted, day) => {
    expect((await read([{ posted }])).movements[0]!.day).toBe(day);
  });

  test('at midnight too, where other rows have times', async () => {
    const { movements } = await read([
      { posted: '20261117000000[0:GMT]' },
      { posted: '20261117150000[0:GMT]', id: 'k2' },
    ]);
    expect(movements.map(({ day }) => day)).toEqual(['2026-11-16', '2026-11-17']);
  });

  test.each([
    ['2026-11-17T02:30:00Z', '2026-11-16'],
    ['2026-11-16T23:30:00-08:00', '2026-11-17'],
    ['2026-11-17T00:00:00Z', '2026-11-17'],
    ['2026-11-17T02:30:00', '2026-11-17'],
  ])('in camt.053: %s', async (time, day) => {
    const text = camt([{ day: '2026-11-01', amountMinor: 500, text: 'a' }])
      .toString()
      .replace('<Dt>2026-11-01</Dt>', `<DtTm>${time}</DtTm>`);
    expect((await readStatement(Buffer.from(text), options)).movements[0]!.day).toBe(day);
  });
});

describe('another currency is named', () => {
  test.each(['CHF', 'USD', 'eur'])('%s', async (currency) => {
    expect(await problemOf(read([{}], currency))).toBe(
      `statement-foreign-currency currency.${currency.toUpperCase()}`,
    );
  });

  test('of one row, but not the one that its sum was exchanged from', async () => {
    const of = (tag: string) => `<${tag}><CURRATE>1<CURSYM>USD</${tag}>`;
    expect(await problemOf(read([{}, { id: 'k2', more: of('CURRENCY') }]))).toBe(
      'statement-foreign-currency currency.USD',
    );
    expect((await read([{ more: of('ORIGCURRENCY') }])).movements).toHaveLength(1);
  });

  test.each(['CHF', 'USD'])('in camt.053: %s', async (currency) => {
    const foreign = Buffer.from(camt().toString().replaceAll('COP', currency));
    expect(await problemOf(readStatement(foreign, options))).toBe(
      `statement-foreign-currency currency.${currency}`,
    );
  });
});

test.each([
  ['20261201120000', 'statement-day-ahead rows.1.DTPOSTED'],
  ['20311114', 'statement-day-ahead rows.1.DTPOSTED'],
])('a day after today is refused: %s', async (posted, problem) => {
  expect(await problemOf(read([{ posted }]))).toBe(problem);
  const text = camt([{ day: '2031-11-14', amountMinor: 500, text: 'a' }]);
  expect(await problemOf(readStatement(text, options))).toBe('statement-day-ahead rows.1.BookgDt');
});

test.each(['--21.78', '-(21.78)', '-21.78-', '5.00.00'])('%s is no sum', async (amount) => {
  expect(await problemOf(read([{ amount }]))).toBe('statement-row-unreadable rows.1.TRNAMT');
});

describe('a row that corrects another', () => {
  const corrects = (id: string, action = 'REPLACE') => `<CORRECTFITID>${id}<CORRECTACTION>${action}`;
  const essence = async (rows: readonly Row[]) => {
    const { movements, corrections } = await read(rows);
    return { rows: movements.map(({ number, amountMinor }) => [number, amountMinor]), corrections };
  };

  test('replaces it', async () => {
    expect(await essence([{}, { id: 'k2', amount: '6.00', more: corrects('k1') }])).toEqual({
      rows: [['k2', 600]],
    });
  });

  test('replaces what replaced another', async () => {
    const rows = [{}, { id: 'k2', more: corrects('k1') }, { id: 'k3', amount: '7.00', more: corrects('k2') }];
    expect(await essence(rows)).toEqual({ rows: [['k3', 700]] });
  });

  test('may delete it', async () => {
    expect(await essence([{}, { id: 'k2' }, { id: 'k3', more: corrects('k1', 'DELETE') }])).toEqual({
      rows: [['k2', 500]],
    });
  });

  test('of an earlier file is named', async () => {
    expect(
      await essence([
        { id: 'k2', more: corrects('k1') },
        { id: 'k4', more: corrects('k3', 'DELETE') },
      ]),
    ).toEqual({
      // What was deleted goes back.
      rows: [
        ['k2', 500],
        ['k4', -500],
      ],
      corrections: [{ number: 'k1', by: 'k2' }],
    });
  });
});
