import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { currencyNamed, type Movement, plain, type Reading } from './movement.ts';
import { amountOf, dayOf } from './values.ts';

/** OFX 1 (SGML, whose values have no closing tags) and OFX 2 (XML): https://financialdataexchange.org/ofx */
export function readOfx(text: string, accountCurrency: string): Omit<Reading, 'format'> {
  if (!/<\/OFX>\s*$/i.test(text)) throw new Problem('statement-cut-off');
  // Split, as a search for each end takes minutes in a hostile file.
  const statements = text
    .split(/<(?:CC)?STMTRS>/i)
    .slice(1)
    .filter((part) => /<\/(?:CC)?STMTRS>/i.test(part));
  if (statements.length === 0) throw new Problem('statement-unreadable');
  const movements = statements.flatMap((statement) => {
    const account = valueOf(statement, 'ACCTID');
    const currency = currencyNamed(valueOf(statement, 'CURDEF')) ?? accountCurrency;
    const blocks = statement
      .split(/<STMTTRN>/i)
      .slice(1)
      .map((part) => part.split(/<\/STMTTRN>/i, 1)[0]!);
    return blocks.flatMap((block, at) => movementOf(block, { account, currency, at }));
  });
  return {
    account: movements[0]?.account ?? valueOf(statements[0]!, 'ACCTID'),
    movements,
    otherLines: [],
    questions: [],
  };
}

function movementOf(
  block: string,
  of: { account: string | undefined; currency: string; at: number },
): Movement[] {
  const unreadable = (field: string) =>
    new Problem('statement-row-unreadable', {
      fields: [{ path: `rows.${of.at + 1}.${field}`, type: 'invalid' }],
    });
  const day = dayOf((valueOf(block, 'DTPOSTED') ?? '').slice(0, 8), 'ymd');
  if (!day) throw unreadable('DTPOSTED');
  const written = valueOf(block, 'TRNAMT') ?? '';
  const amountMinor = amountOf(written, /,\d{1,2}$/.test(written) ? ',' : '.', of.currency);
  if (amountMinor === undefined || Math.abs(amountMinor) > MAX_AMOUNT_MINOR) throw unreadable('TRNAMT');
  if (amountMinor === 0) return [];
  const words = [valueOf(block, 'MEMO'), valueOf(block, 'CHECKNUM'), valueOf(block, 'REFNUM')];
  return [
    {
      account: of.account,
      day,
      amountMinor,
      currency: of.currency,
      text: plain(words.filter((one) => one !== undefined).join(' ')),
      name: valueOf(block, 'NAME'),
      number: valueOf(block, 'FITID'),
    },
  ];
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
