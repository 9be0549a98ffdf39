import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { folded } from '@arboleda/contracts/search.ts';
import { MATCH_DAYS, RETURN_DAYS, type ReturnReason } from '@arboleda/contracts/statement.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { type Name, nameFinder, nameOf } from './names.ts';

/** Money that left the account. */
export interface Debit {
  id: string;
  day: string;
  amountMinor: number;
  currency: string;
  text: string;
  name?: string | undefined;
  number?: string | undefined;
  /** Our references in its text. */
  references: readonly string[];
  /** The bank marks it as a reversal. */
  isReversal: boolean;
}

export interface PaidOrder {
  orderId: string;
  customerName: string;
  status: 'pending' | 'approved' | 'rejected';
}

/** Money that came: a credit, or an approved transfer whose credit was never imported, as of its submission. */
export interface Incoming extends Omit<Debit, 'id' | 'isReversal'> {
  rowId?: string | undefined;
  /** Orders that it pays or names. */
  orders: readonly PaidOrder[];
}

export interface Candidate {
  incoming: Incoming;
  reasons: ReturnReason[];
}

/** Money that a debit may have taken back. */
export interface Returned {
  debit: Debit;
  /** The latest first. */
  candidates: Candidate[];
  /** More than the sum speaks for it: it holds orders. */
  isStrong: boolean;
}

const DAY_MS = 86_400_000;

/** Beginnings of words for money that goes back, folded. */
const RETURN_WORDS =
  /\b(?:devol|devuel|revers|reintegr|rechaz|retorn|return|refund|reembols|reject|anula|anull|contracarg|charge ?back|extorn|storn|no (?:aplicad|abonad)|cancel|ajust|correcc|bounced|recall|unpaid|(?:dev|rev|rech)\b)/;

export const saysReturn = (text: string): boolean => RETURN_WORDS.test(folded(text));

/**
 * The money that a debit may have taken back: of the same sum or with our reference, at most RETURN_DAYS before. The best
 * evidence counts: our reference, the bank's number, the payer or the text, words of a return; else the sum within
 * MATCH_DAYS. All with equal evidence are named, as nothing tells them apart.
 */
export const returnedBy = (debit: Debit, incoming: readonly Incoming[]): Returned | undefined =>
  returnedAmong(debit, incoming.map(prepare));

/** The parts of a credit that are compared, prepared once for all debits. */
interface Prepared {
  incoming: Incoming;
  names: (Name | undefined)[];
  text: Text;
  number: string | undefined;
}

const prepare = (incoming: Incoming): Prepared => ({
  incoming,
  names: [incoming.name ?? '', ...incoming.orders.map(({ customerName }) => customerName)].map(nameOf),
  text: textOf(incoming.text),
  number: numberOf(incoming.number),
});

function returnedAmong(debit: Debit, all: readonly Prepared[]): Returned | undefined {
  const about = {
    isNamed: nameFinder([debit.name, debit.text]),
    isMarked: debit.isReversal || saysReturn(debit.text),
    text: textOf(debit.text),
    numbers: new Set([numberOf(debit.number), ...wordsOf(`${debit.text} ${debit.number ?? ''}`)]),
  };
  const found = all.flatMap((one) => {
    const reasons = reasonsOf(debit, one, about);
    return reasons.length > 0 ? [{ incoming: one.incoming, reasons, strength: strengthOf(reasons) }] : [];
  });
  if (found.length === 0) return undefined;
  const strength = found.reduce((most, one) => Math.max(most, one.strength), 0);
  const best = found.filter((one) => one.strength === strength);
  return {
    debit,
    candidates: best
      .map(({ incoming, reasons }) => ({ incoming, reasons }))
      .sort(
        (a, b) =>
          b.incoming.day.localeCompare(a.incoming.day) || keyOf(a.incoming).localeCompare(keyOf(b.incoming)),
      ),
    isStrong: best[0]!.reasons.some((reason) => reason !== 'amount'),
  };
}

function reasonsOf(
  debit: Debit,
  { incoming: one, names, text, number }: Prepared,
  about: {
    isNamed: ReturnType<typeof nameFinder>;
    isMarked: boolean;
    text: Text;
    numbers: ReadonlySet<string | undefined>;
  },
): ReturnReason[] {
  if (one.currency !== debit.currency) return [];
  const days = (Date.parse(debit.day) - Date.parse(one.day)) / DAY_MS;
  // A transfer may be announced some days after its money came and went.
  if (days > RETURN_DAYS || days < (one.rowId === undefined ? -MATCH_DAYS : 0)) return [];
  const isExact = one.amountMinor === debit.amountMinor;
  const hasReference = one.references.some((reference) => debit.references.includes(reference));
  if (!isExact) return hasReference ? ['reference'] : [];
  const reasons: ReturnReason[] = [
    ...(hasReference ? (['reference'] as const) : []),
    ...(number !== undefined && about.numbers.has(number) ? (['number'] as const) : []),
    ...(names.some(about.isNamed) ? (['name'] as const) : []),
    ...(isSameText(about.text, text) ? (['text'] as const) : []),
    ...(about.isMarked ? (['words'] as const) : []),
    'amount',
  ];
  const isSumAlone = reasons.length === 1;
  return isSumAlone && (days > MATCH_DAYS || one.rowId === undefined) ? [] : reasons;
}

const STRENGTHS: Record<ReturnReason, number> = {
  reference: 32,
  number: 16,
  name: 8,
  text: 8,
  words: 4,
  amount: 1,
};

/** The strength of the best reason; the exact sum decides between two with our reference. */
function strengthOf(reasons: readonly ReturnReason[]): number {
  const best = Math.max(...reasons.map((reason) => STRENGTHS[reason]));
  return reasons[0] === 'reference' && reasons.includes('amount') ? best + 1 : best;
}

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Shorter ones are branches or kinds of rows. */
const MIN_NUMBER = 5;

/** The bank's number for comparison; undefined when it tells nothing. */
function numberOf(number: string | undefined): string | undefined {
  const key = wordsOf(number ?? '').join('');
  return key.length >= MIN_NUMBER && /\d/.test(key) ? key : undefined;
}

/** Words of most rows of a bank, which name nobody. */
const COMMON_WORDS = new Set(
  'transferencia transferencias transf transfer pago pagos abono consignacion deposito credito debito cargo nota ach pse interbancaria inmediata recibida recibido enviada enviado cuenta ahorros corriente sucursal virtual linea desde hacia para por del los las con payment from the fecha banco entrada salida'.split(
    ' ',
  ),
);
const MIN_SHARED = 6;

interface Text {
  plain: string;
  /** Words that name somebody or something. */
  telling: ReadonlySet<string>;
}

const textOf = (text: string): Text => ({
  plain: folded(text).trim(),
  telling: new Set(
    wordsOf(text).filter((word) => word.length > 2 && !COMMON_WORDS.has(word) && !RETURN_WORDS.test(word)),
  ),
});

/** The same text, or all telling words of the debit are in that of the credit. */
function isSameText(debit: Text, credit: Text): boolean {
  if (debit.plain === credit.plain) return debit.plain !== '';
  const words = [...debit.telling];
  return words.join('').length >= MIN_SHARED && words.every((word) => credit.telling.has(word));
}

const keyOf = ({ rowId, orders }: Incoming): string => rowId ?? orders[0]?.orderId ?? '';

type Reader = Pick<Sql, 'query'>;

/** Ids of parts are that of the bank's row and their numbers: see splitRow. */
const ROW_ID_LENGTH = 22;
/** The row of the bank that a row is, or is a part of. */
export const bankRowOf = (rowId: string): string => rowId.slice(0, ROW_ID_LENGTH);

/** Older debits that nobody decided have no say any more. */
const DECIDE_WITHIN = `interval '180 days'`;
const UNDECIDED = `d.status = 'open'
  and s.imported_at > (select max(imported_at) from statements) - ${DECIDE_WITHIN}`;

/** Credits that open debits of recent statements may have taken back. Computed when they are asked for, as matches are. */
export async function openReturns(sql: Reader): Promise<Returned[]> {
  return returnsOf(sql, await debitsWhere(sql, UNDECIDED, []));
}

export async function returnsOf(sql: Reader, debits: readonly Debit[]): Promise<Returned[]> {
  if (debits.length === 0) return [];
  const incoming = (await incomingFor(sql, debits)).map(prepare);
  const bySum = Map.groupBy(incoming, (one) => sumOf(one.incoming));
  const named = incoming.filter((one) => one.incoming.references.length > 0);
  return debits.flatMap((debit) => {
    const same = bySum.get(sumOf(debit)) ?? [];
    if (debit.references.length === 0) return returnedAmong(debit, same) ?? [];
    const byReference = named.filter(
      ({ incoming: one }) =>
        sumOf(one) !== sumOf(debit) && one.references.some((each) => debit.references.includes(each)),
    );
    return returnedAmong(debit, [...same, ...byReference]) ?? [];
  });
}

const sumOf = ({ amountMinor, currency }: { amountMinor: number; currency: string }) =>
  `${currency} ${amountMinor}`;

interface MoneyRow {
  id: string;
  day: string;
  amount_minor: string;
  currency: string;
  text: string;
  name: string | null;
  number: string | null;
  refs: string[];
}

const moneyOf = (row: MoneyRow) => ({
  day: row.day,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  text: row.text,
  name: row.name ?? undefined,
  number: row.number ?? undefined,
  references: row.refs,
});

/** @param where a condition on d and its statement s */
export async function debitsWhere(sql: Reader, where: string, values: readonly unknown[]): Promise<Debit[]> {
  const { rows } = await sql.query<MoneyRow & { is_reversal: boolean }>(
    `select d.id, d.day::text, d.amount_minor, d.currency, d.text, d.name, d.number, d.refs, d.is_reversal
     from statement_debits d join statements s on s.id = d.statement_id where ${where} order by d.day, d.id`,
    values,
  );
  return rows.map((row) => ({ id: row.id, ...moneyOf(row), isReversal: row.is_reversal }));
}

/** Money goes back once. $6: the debits that are asked about. */
const isNotTaken = (where: string): string =>
  `not exists (select from statement_debits x where x.status = 'return' and x.${where} and x.id <> all($6))`;

/** Bounds memory, as in matching.ts. */
const MAX_INCOMING = 50_000;

async function incomingFor(sql: Reader, debits: readonly Debit[]): Promise<Incoming[]> {
  const days = debits.map(({ day }) => day).sort();
  const sums = [...new Map(debits.map((one) => [sumOf(one), one])).values()];
  const values = [
    sums.map(({ amountMinor }) => amountMinor),
    sums.map(({ currency }) => currency),
    [...new Set(debits.flatMap(({ references }) => references))],
    days[0],
    days.at(-1),
    debits.map(({ id }) => id),
  ];
  const [{ rows }, { rows: transfers }] = await Promise.all([
    sql.query<MoneyRow>(
      `select id, day::text, amount_minor, currency, text, name, number, refs from statement_rows
       where parent_id is null and ${isNotTaken('row_id = statement_rows.id')} and day between $4::date - ${RETURN_DAYS} and $5::date
         and ((amount_minor, currency) in (select * from unnest($1::bigint[], $2::text[])) or (refs <> '{}' and refs && $3))
       order by day desc, id limit ${MAX_INCOMING}`,
      values,
    ),
    sql.query<MoneyRow & { order_id: string; created_at: Date; status: PaidOrder['status'] }>(
      `select order_id, created_at, status, coalesce((state -> 'approval' ->> 'amountReceivedMinor')::bigint, amount_minor)
           as amount_minor, currency, '' as text, customer ->> 'name' as name, null as number,
         array_remove(array[reference_key], null) as refs
       from transfers t
       where status = 'approved' and not exists (select from statement_rows r where r.order_id = t.order_id)
         and ${isNotTaken('order_id = t.order_id')}
         and created_at between $4::date - ${RETURN_DAYS + MATCH_DAYS} and $5::date + ${MATCH_DAYS + 1}
         and ((coalesce((state -> 'approval' ->> 'amountReceivedMinor')::bigint, amount_minor), currency)
             in (select * from unnest($1::bigint[], $2::text[]))
           or reference_key = any($3))
       order by created_at desc limit ${MAX_INCOMING}`,
      values,
    ),
  ]);
  const orders = await ordersOfRows(sql, rows);
  const credits = rows.map((row) => ({ rowId: row.id, ...moneyOf(row), orders: orders.get(row.id) ?? [] }));
  const onRows = new Set(credits.flatMap((one) => one.orders.map(({ orderId }) => orderId)));
  const byHand = transfers
    .filter(({ order_id: orderId }) => !onRows.has(orderId))
    .map((row) => ({
      ...moneyOf(row),
      day: dayOf(row.created_at),
      orders: [{ orderId: row.order_id, customerName: row.name ?? '', status: row.status }],
    }));
  return [...credits, ...byHand];
}

/** Orders that rows or their parts pay, or which they name by our reference. By row. */
async function ordersOfRows(sql: Reader, of: readonly MoneyRow[]): Promise<Map<string, PaidOrder[]>> {
  const { rows } = await sql.query<{
    id: string;
    order_id: string;
    name: string;
    status: PaidOrder['status'];
  }>(
    `with recursive family as (
       select id as bank_row, id, order_id, refs from statement_rows where id = any($1)
       union all
       select f.bank_row, r.id, r.order_id, r.refs from statement_rows r join family f on r.parent_id = f.id
     )
     select distinct f.bank_row as id, t.order_id, t.customer ->> 'name' as name, t.status
     from family f join transfers t on t.order_id = f.order_id or (f.order_id is null and t.reference_key = any(f.refs))
     order by 1, 2`,
    [of.map(({ id }) => id)],
  );
  return Map.groupBy(
    rows.map((row) => ({ id: row.id, orderId: row.order_id, customerName: row.name, status: row.status })),
    ({ id }) => id,
  );
}

/** A debit that may have taken a credit back, or did. */
export interface ReturnOfRow {
  debit: Debit;
  reasons: ReturnReason[];
  isStrong: boolean;
  isDecided: boolean;
}

/** By the bank's row. */
export async function returnsByRow(sql: Reader): Promise<Map<string, ReturnOfRow[]>> {
  const [open, decided] = await Promise.all([
    openReturns(sql),
    debitsWhere(sql, `d.status = 'return' and d.row_id is not null`, []),
  ]);
  const { rows } = await sql.query<{ id: string; row_id: string }>(
    'select id, row_id from statement_debits where id = any($1)',
    [decided.map(({ id }) => id)],
  );
  const rowOf = new Map(rows.map((row) => [row.id, row.row_id]));
  const all = [
    ...open.flatMap(({ debit, candidates, isStrong }) =>
      candidates.flatMap(({ incoming: { rowId }, reasons }) =>
        rowId === undefined ? [] : [{ rowId, debit, reasons, isStrong, isDecided: false }],
      ),
    ),
    ...decided.map((debit) => ({
      rowId: rowOf.get(debit.id)!,
      debit,
      reasons: [],
      isStrong: true,
      isDecided: true,
    })),
  ];
  return Map.groupBy(all, ({ rowId }) => rowId);
}
