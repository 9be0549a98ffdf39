import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchRows, type OpenRow, type Payable, referencesIn } from './match.ts';
import { nameFinder, nameOf } from './names.ts';
import { makeReference, referenceKey } from '../transfers/transfer.ts';

const reference = referenceKey(makeReference((below) => 7 % below))!;
const hyphened = `${reference.slice(0, 3)}-${reference.slice(3)}`;
const other = referenceKey(makeReference((below) => 11 % below))!;

const aRow = (parts: Partial<OpenRow> = {}): OpenRow => {
  const row = {
    id: 'r1',
    day: '2026-03-12',
    amountMinor: 28_805_000,
    currency: 'COP',
    text: hyphened,
    ...parts,
  };
  return { ...row, references: referencesIn(row.text, row.name) };
};
const aPayable = (parts: Partial<Payable> = {}): Payable => ({
  orderId: 'a',
  status: 'pending',
  amountMinor: 28_805_000,
  currency: 'COP',
  customerName: 'Ana García',
  reference,
  day: '2026-03-11',
  paidMinor: 0,
  ...parts,
});
const matched = (rows: OpenRow[], payables: Payable[]) =>
  [...matchRows(rows, payables)].map(([id, { list, candidates }]) => [
    id,
    list,
    ...candidates.map(({ orderId, reasons }) => `${orderId}: ${reasons.join(' ')}`),
  ]);

describe('our reference is found', () => {
  test.each([
    ['as we wrote it', `PAGO ${hyphened} ANA`],
    ['without its hyphen', `PAGO ${reference} ANA`],
    ['in lower case', `pago ${hyphened.toLowerCase()}`],
    ['inside other words', `TRANSFX${reference}ANAGARCIA`],
    ['with blanks in it', `ARB ${reference.slice(3, 6)} ${reference.slice(6)}`],
    ['after another ARB', `ARBARB${reference.slice(3)}`],
  ])('%s', (_how, text) => expect(referencesIn(text)).toEqual([reference]));

  test('only with its check character', () => {
    const wrong = reference.slice(0, -1) + (reference.endsWith('2') ? '3' : '2');
    expect(referencesIn(wrong, 'Arboleda 5', 'CARBON', undefined)).toEqual([]);
  });
});

describe('a row is sure', () => {
  test('with reference, sum and currency of one pending transfer', () => {
    expect(matched([aRow()], [aPayable(), aPayable({ orderId: 'b', reference: other })])).toEqual([
      ['r1', 'sure', 'a: reference amount'],
    ]);
  });

  test.each([
    ['another sum', aRow({ amountMinor: 28_800_000 }), aPayable(), 'a: reference amount-differs'],
    ['another currency', aRow({ currency: 'USD' }), aPayable(), 'a: reference amount-differs'],
    [
      'a transfer on which something was paid',
      aRow(),
      aPayable({ paidMinor: 1 }),
      'a: reference amount-differs',
    ],
    [
      'a transfer that was approved by hand',
      aRow(),
      aPayable({ status: 'approved' }),
      'a: reference amount approved-before',
    ],
  ])('not with %s', (_what, row, payable, reasons) => {
    expect(matched([row], [payable])).toEqual([['r1', 'perhaps', reasons]]);
  });

  test('not while a second transfer has the reference', () => {
    expect(matched([aRow()], [aPayable({ orderId: 'b' }), aPayable({ amountMinor: 5 })])).toEqual([
      [
        'r1',
        'perhaps',
        'b: reference amount several-candidates',
        'a: reference amount-differs several-candidates',
      ],
    ]);
  });

  test('not while a second row has the reference', () => {
    const lists = matched([aRow(), aRow({ id: 'r2', amountMinor: 1 })], [aPayable()]).map(([, list]) => list);
    expect(lists).toEqual(['perhaps', 'perhaps']);
  });
});

test.each([
  ['a rejected one', aPayable({ status: 'rejected' })],
  ['one that its rows paid', aPayable({ status: 'approved', paidMinor: 28_805_000 })],
])('money for %s belongs to no order', (_what, payable) => {
  expect(matched([aRow()], [payable])).toEqual([['r1', 'without-order', 'a: reference']]);
});

describe('a row without a reference', () => {
  const row = (parts: Partial<OpenRow>) => aRow({ text: 'TRANSFERENCIA', name: 'GARCIA ANA', ...parts });

  test('is perhaps a transfer’s with its sum and a similar name within five days', () => {
    expect(matched([row({ day: '2026-03-16' })], [aPayable()])).toEqual([
      ['r1', 'perhaps', 'a: amount name'],
    ]);
  });

  test.each([
    ['six days later', row({ day: '2026-03-17' })],
    ['another sum', row({ amountMinor: 1 })],
    ['another name', row({ name: 'LUIS ROJAS' })],
  ])('is unknown with %s', (_what, one) => {
    expect(matched([one], [aPayable()])).toEqual([['r1', 'unknown']]);
  });

  test('has several candidates when two are alike', () => {
    expect(matched([row({})], [aPayable({ orderId: 'b' }), aPayable()])).toEqual([
      ['r1', 'perhaps', 'a: amount name several-candidates', 'b: amount name several-candidates'],
    ]);
  });
});

describe('a name', () => {
  test.each([
    ['José Muñoz', 'JOSE MUNOZ', true],
    ['José Muñoz', 'MUNOS JOSE', true],
    ['Ana María García', 'ANA MARIA GARCA', true],
    ['Ana García', 'PAGO DE ANA GARCIA LTDA', true],
    ['Ana García', 'ANA GOMEZ', false],
    ['Li', 'LI WEI', false],
  ])('%s is in “%s”: %s', (name, text, isIn) => {
    expect(nameFinder([text])(nameOf(name))).toBe(isIn);
  });

  test('is found with any two letters changed, added or left out, and not with four others', () => {
    const letter = fc.constantFrom(...'abcdefgh');
    const name = fc.array(letter, { minLength: 8, maxLength: 14 });
    const edit = fc.record({ at: fc.nat(7), remove: fc.nat(1), add: fc.array(letter, { maxLength: 1 }) });
    const edited = (
      letters: readonly string[],
      edits: readonly { at: number; remove: number; add: string[] }[],
    ) =>
      edits.reduce((text, { at, remove, add }) => text.toSpliced(at, remove, ...add), [...letters]).join('');
    fc.assert(
      fc.property(name, fc.array(edit, { maxLength: 2 }), (letters, edits) => {
        expect(nameFinder([edited(letters, edits)])(nameOf(letters.join('')))).toBe(true);
        expect(nameFinder([`${letters.slice(4).join('')}zzzz`])(nameOf(letters.join('')))).toBe(false);
      }),
    );
  });
});
