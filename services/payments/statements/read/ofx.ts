import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { amountOf } from './amounts.ts';
import { colombianDay, dayOf } from './days.ts';
import { type Movement, plain, type Reading, type ReadOptions, refuseForeign } from './movement.ts';

/** OFX 1 (SGML, whose values have no closing tags) and OFX 2 (XML): https://financialdataexchange.org/ofx */
export function readOfx(text: string, options: ReadOptions): Omit<Reading, 'format'> {
  if (!/<\/OFX>\s*$/i.test(text)) throw new Problem('statement-cut-off');
  // Split, as a search for each end takes minutes in a hostile file.
  const statements = text
    .split(/<(?:CC)?STMTRS>/i)
    .slice(1)
    .filter((part) => /<\/(?:CC)?STMTRS>/i.test(part));
  if (statements.length === 0)
    throw new Problem(/<INVSTMTRS>/i.test(text) ? 'statement-investments' : 'statement-unreadable');
  const read = statements.map((statement) => rowsOf(statement, options));
  const movements = read.flatMap((one) => one.movements);
  const corrections = read.flatMap((one) => one.corrections);
  return {
    account: movements[0]?.account ?? valueOf(statements[0]!, 'ACCTID'),
    movements,
    otherLines: [],
    questions: [],
    ...(corrections.length > 0 && { corrections }),
  };
}

function rowsOf(statement: string, { currency, today }: ReadOptions) {
  const account = valueOf(statement, 'ACCTID');
  const blocks = statement
    .split(/<STMTTRN>/i)
    .slice(1)
    .map((part) => part.split(/<\/STMTTRN>/i, 1)[0]!);
  refuseForeign([valueOf(statement, 'CURDEF')?.toUpperCase(), ...blocks.map(currencyOf)], currency);
  // Banks that know no time write midnight, whatever the offset.
  const haveTimes = blocks.some(
    (block) => !/^\d{8}(?:0{6}(?:\.0+)?)?(?:\[|$)/.test(valueOf(block, 'DTPOSTED') ?? ''),
  );
  const rows = blocks.map((block, at) => ({
    movement: movementOf(block, { account, currency, today, at, haveTimes }),
    number: valueOf(block, 'FITID'),
    corrected: valueOf(block, 'CORRECTFITID'),
    isDeletion: valueOf(block, 'CORRECTACTION')?.toUpperCase() === 'DELETE',
  }));
  const numbers = new Set(rows.map(({ number }) => number));
  const ofThisFile = new Set(rows.map(({ corrected }) => corrected).filter((one) => numbers.has(one)));
  const movements = rows.flatMap(({ movement, number, corrected, isDeletion }) => {
    if (!movement) return [];
    if (number !== undefined && ofThisFile.has(number) && corrected !== number) return [];
    if (!isDeletion) return [movement];
    // A row that this file deletes from an earlier one counts as going back.
    return ofThisFile.has(corrected)
      ? []
      : [{ ...movement, amountMinor: -movement.amountMinor, isReversal: true as const }];
  });
  const corrections = rows.flatMap(({ corrected, number: by, isDeletion }) =>
    corrected === undefined || by === undefined || isDeletion || ofThisFile.has(corrected)
      ? []
      : [{ number: corrected, by }],
  );
  return { movements, corrections };
}

/** The currency of a row's amount, where it is another than the account's. */
const currencyOf = (block: string): string | undefined => {
  const aggregate = block.split(/<CURRENCY>/i)[1]?.split(/<\/CURRENCY>/i, 1)[0];
  return aggregate === undefined ? undefined : valueOf(aggregate, 'CURSYM')?.toUpperCase();
};

/** @returns undefined for a row in which no money moves */
function movementOf(
  block: string,
  of: {
    account: string | undefined;
    currency: string;
    today: string | undefined;
    at: number;
    haveTimes: boolean;
  },
): Movement | undefined {
  const unreadable = (field: string, type: ProblemType = 'statement-row-unreadable') =>
    new Problem(type, { fields: [{ path: `rows.${of.at + 1}.${field}`, type: 'invalid' }] });
  const posted = valueOf(block, 'DTPOSTED') ?? '';
  const day = (of.haveTimes && dayWithOffset(posted)) || dayOf(posted.slice(0, 8), 'ymd');
  if (!day) throw unreadable('DTPOSTED');
  if (of.today !== undefined && day > of.today) throw unreadable('DTPOSTED', 'statement-day-ahead');
  const written = valueOf(block, 'TRNAMT') ?? '';
  const amountMinor = amountOf(written, /,\d{1,2}$/.test(written) ? ',' : '.', of.currency);
  if (amountMinor === undefined || Math.abs(amountMinor) > MAX_AMOUNT_MINOR) throw unreadable('TRNAMT');
  if (amountMinor === 0) return undefined;
  const words = [valueOf(block, 'MEMO'), valueOf(block, 'CHECKNUM'), valueOf(block, 'REFNUM')];
  return {
    account: of.account,
    day,
    amountMinor,
    currency: of.currency,
    text: plain(words.filter((one) => one !== undefined).join(' ')),
    name: valueOf(block, 'NAME'),
    number: valueOf(block, 'FITID'),
  };
}

/** "20261117023000.000[0:GMT]" is 16 November in Colombia. @returns undefined without time and offset */
function dayWithOffset(posted: string): string | undefined {
  const found =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?\s*\[([+-]?\d{1,2}(?:\.\d{1,2})?)(?::[^\]]*)?\]/.exec(
      posted,
    );
  if (!found || !dayOf(posted.slice(0, 8), 'ymd')) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetMinutes = Number(found[7]) * 60;
  return colombianDay(new Date(Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second)));
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

function valueOf(text: string, tag: string): string | undefined {
  const found = new RegExp(`<${tag}>([^<\\r\\n]*)`, 'i').exec(text)?.[1];
  if (found === undefined) return undefined;
  return (
    plain(
      found.replace(/&(\w+);/g, (all, name: string) => ENTITIES.get(name) ?? all),
      200,
    ) || undefined
  );
}
