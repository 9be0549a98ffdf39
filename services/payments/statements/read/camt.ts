import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { XMLParser } from 'fast-xml-parser';
import { amountOf } from './amounts.ts';
import { dayOf, dayOfInstant } from './days.ts';
import { type Movement, plain, type Reading, type ReadOptions, refuseForeign } from './movement.ts';

/** A node of the document: text, or children by name. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- every element is optional and may be repeated
type Node = any;

const REPEATED = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'Strd', 'AddtlTxInf']);

/** ISO 20022 camt.053, any version: https://www.iso20022.org */
export function readCamt(text: string, options: ReadOptions): Omit<Reading, 'format'> {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Problem('statement-unreadable');
  if (!/<\/(?:[\w-]+:)?Document>\s*$/.test(text)) throw new Problem('statement-cut-off');
  const statements = parsed(text).Document?.BkToCstmrStmt?.Stmt;
  if (!Array.isArray(statements)) throw new Problem('statement-unreadable');
  const { currency, today } = options;
  const movements = statements.flatMap((statement: Node) => {
    const { Id: accountId, Ccy } = statement.Acct ?? {};
    const account = textOf(accountId?.IBAN) ?? textOf(accountId?.Othr?.Id);
    const entries: Node[] = statement.Ntry ?? [];
    refuseForeign([textOf(Ccy), ...entries.map(({ Amt }) => Amt?.['@_Ccy'])], currency);
    return entries.flatMap((entry, at) => entryOf(entry, { account, currency, at, today }));
  });
  const first = statements[0]?.Acct?.Id;
  return {
    account: textOf(first?.IBAN) ?? textOf(first?.Othr?.Id),
    movements,
    otherLines: [],
    questions: [],
  };
}

function parsed(text: string): Node {
  try {
    return new XMLParser({
      ignoreAttributes: false,
      removeNSPrefix: true,
      parseTagValue: false,
      parseAttributeValue: false,
      maxNestedTags: 60,
      isArray: (name) => REPEATED.has(name),
    }).parse(text, true);
  } catch (cause) {
    throw new Problem('statement-unreadable', { cause });
  }
}

function textOf(node: Node): string | undefined {
  const text = typeof node === 'object' && node !== null ? node['#text'] : node;
  return typeof text === 'string' || typeof text === 'number' ? plain(String(text)) || undefined : undefined;
}

/** One entry; a batch of payments gives one movement for each. */
function entryOf(
  entry: Node,
  of: { account: string | undefined; currency: string; at: number; today: string | undefined },
): Movement[] {
  const status = textOf(entry.Sts?.Cd) ?? textOf(entry.Sts);
  if (status !== undefined && status !== 'BOOK') return [];
  const unreadable = (field: string, type: ProblemType = 'statement-row-unreadable') =>
    new Problem(type, { fields: [{ path: `rows.${of.at + 1}.${field}`, type: 'invalid' }] });
  const booked = textOf(entry.BookgDt?.Dt) ?? textOf(entry.BookgDt?.DtTm) ?? textOf(entry.ValDt?.Dt) ?? '';
  const day = dayOfInstant(booked) ?? dayOf(booked.slice(0, 10), 'ymd');
  if (!day) throw unreadable('BookgDt');
  if (of.today !== undefined && day > of.today) throw unreadable('BookgDt', 'statement-day-ahead');
  const kind = textOf(entry.CdtDbtInd);
  if (kind !== 'CRDT' && kind !== 'DBIT') throw unreadable('CdtDbtInd');
  const total = moneyOf(entry.Amt, of.currency);
  if (!total) throw unreadable('Amt');
  const sign = kind === 'CRDT' ? 1 : -1;
  const number = textOf(entry.AcctSvcrRef) ?? textOf(entry.NtryRef);
  const details: Node[] = (entry.NtryDtls ?? []).flatMap((one: Node) => one?.TxDtls ?? []);
  const about = { account: of.account, day };
  const marked = (node: Node) => [entry, node].some(isReversal) && { isReversal: true as const };
  const parts = details.map((one) => moneyOf(one.Amt ?? one.AmtDtls?.TxAmt?.Amt, of.currency));
  const isBatch =
    details.length > 1 &&
    parts.every((part) => part?.currency === total.currency) &&
    parts.reduce((sum, part) => sum + part!.amountMinor, 0) === total.amountMinor;
  const addition = textOf(entry.AddtlNtryInf);
  if (isBatch) {
    return details.map((detail, at) => ({
      ...about,
      ...marked(detail),
      ...whoAndWhy([detail], addition, sign),
      number: textOf(detail.Refs?.AcctSvcrRef) ?? (number && `${number}#${at + 1}`),
      amountMinor: sign * parts[at]!.amountMinor,
      currency: total.currency,
    }));
  }
  if (total.amountMinor === 0) return [];
  return [
    {
      ...about,
      ...marked(details[0]),
      ...whoAndWhy(details, addition, sign),
      number,
      amountMinor: sign * total.amountMinor,
      currency: total.currency,
    },
  ];
}

function moneyOf(node: Node, accountCurrency: string): { amountMinor: number; currency: string } | undefined {
  const currency = node?.['@_Ccy'] ?? accountCurrency;
  const text = textOf(node);
  if (text === undefined) return undefined;
  const amountMinor = amountOf(text, '.', currency);
  if (amountMinor === undefined || amountMinor < 0 || amountMinor > MAX_AMOUNT_MINOR) return undefined;
  return { amountMinor, currency };
}

/** Returned and cancelled payments: ISO 20022 external code sets, bank transaction sub-family. */
const RETURNS = ['RRTN', 'RPCR'];

/** A credit so marked takes a debit back, a debit a credit. */
function isReversal(node: Node): boolean {
  const code = textOf(node?.BkTxCd?.Domn?.Fmly?.SubFmlyCd);
  const marked = textOf(node?.RvslInd);
  return marked === 'true' || marked === '1' || node?.RtrInf !== undefined || RETURNS.includes(code ?? '');
}

function whoAndWhy(
  details: readonly Node[],
  addition: string | undefined,
  sign: number,
): Pick<Movement, 'text' | 'name'> {
  const words = details.flatMap((one) => [
    ...(one.RmtInf?.Ustrd ?? []),
    ...(one.RmtInf?.Strd ?? []).map((each: Node) => each?.CdtrRefInf?.Ref),
    one.Refs?.EndToEndId,
    ...(one.AddtlTxInf ?? []),
  ]);
  const { Dbtr: debtor, Cdtr: creditor } = details[0]?.RltdPties ?? {};
  // A reversed credit keeps its parties: the payer is the debtor.
  const parties = sign > 0 ? [debtor] : [creditor, debtor];
  const names = parties.map((one: Node) => textOf(one?.Nm) ?? textOf(one?.Pty?.Nm));
  return {
    text: plain(
      [...words.map(textOf), addition]
        .filter((word) => word !== undefined && word !== 'NOTPROVIDED')
        .join(' '),
    ),
    name: plain(names.filter((one) => one !== undefined).join(' · ')) || undefined,
  };
}
