import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { referenceKey, referenceOrigin, type Transfer } from '../transfers/transfer.ts';
import { type Match, matchRows, type OpenRow, type Payable } from './match.ts';
import { bankRowOf, returnsByRow, saysReturn } from './returns.ts';

/** Rows of a transfer on statements, and the last day that was imported. */
export interface OnStatement {
  rows: { rowId: string; day: string; amount: number; currency: Transfer['purchase']['currency'] }[];
  lastDay?: string;
}

export interface StatementMatching {
  /** Matches of all open rows but the unknown ones. */
  all(): Promise<Map<string, Match>>;
  /** By order id. */
  ofTransfers(transfers: readonly Transfer[]): Promise<Map<string, OnStatement>>;
}

/** Bounds the memory of a match; more open rows than this with the sum or reference of a transfer wait for the next. */
const MAX_MATCHED = 50_000;

/** Matches are computed when they are asked for: a transfer may be submitted after its row was imported. */
export function statementMatching(sql: Pick<Sql, 'query'>): StatementMatching {
  async function all(): Promise<Map<string, Match>> {
    const { rows: named } = await sql.query<{ ref: string }>(
      `select distinct unnest(refs) as ref from statement_rows where status = 'open' and refs <> '{}'`,
    );
    const payables = await payablesOf(
      sql,
      `t.status = 'pending' or t.reference_key = any($1)`,
      named.map(({ ref }) => ref),
    );
    const pending = payables.filter(({ status }) => status === 'pending');
    const rows = await openRows(
      sql,
      `(refs <> '{}' and refs && $1) or (amount_minor, currency) in (select * from unnest($2::bigint[], $3::text[]))`,
      [
        payables.flatMap(({ reference }) => reference ?? []),
        pending.map(({ amountMinor }) => amountMinor),
        pending.map(({ currency }) => currency),
      ],
    );
    return new Map([...matchRows(rows, payables)].filter(([, { list }]) => list !== 'unknown'));
  }

  return {
    all,
    async ofTransfers(transfers) {
      if (transfers.length === 0) return new Map();
      const ids = transfers.map(({ purchase }) => purchase.orderId);
      const [sure, linked, lastDays] = await Promise.all([
        surelyOf(sql, transfers),
        linkedTo(sql, ids),
        lastDaysOf(sql),
      ]);
      return new Map(
        transfers.map(({ purchase: { orderId, currency }, bank }) => {
          const lastDay = lastDays.get(bank);
          const rows = [...(linked.get(orderId) ?? []), ...(sure.get(orderId) ?? [])].map(
            ({ id: rowId, day, amountMinor: amount }) => ({ rowId, day, amount, currency }),
          );
          return [orderId, { rows, ...(lastDay && { lastDay }) }];
        }),
      );
    },
  };
}

/** Open rows that surely pay pending ones of these transfers. */
async function surelyOf(
  sql: Pick<Sql, 'query'>,
  transfers: readonly Transfer[],
): Promise<Map<string, OpenRow[]>> {
  const references = transfers.flatMap(({ state, reference }) =>
    state.status === 'pending' ? (referenceKey(reference) ?? []) : [],
  );
  if (references.length === 0) return new Map();
  const first = await openRows(sql, `refs <> '{}' and refs && $1`, [references]);
  if (first.length === 0) return new Map();
  // A row may name a second transfer, which keeps it from being sure.
  const named = [...new Set(first.flatMap((row) => row.references))];
  const rows = await openRows(sql, `refs <> '{}' and refs && $1`, [named]);
  const matches = matchRows(rows, await payablesOf(sql, 't.reference_key = any($1)', named));
  return Map.groupBy(
    first.filter(({ id }) => matches.get(id)?.list === 'sure'),
    ({ id }) => matches.get(id)!.candidates[0]!.orderId,
  );
}

async function linkedTo(sql: Pick<Sql, 'query'>, orderIds: readonly string[]) {
  const { rows } = await sql.query<{ id: string; order_id: string; day: string; amount_minor: string }>(
    `select id, order_id, day::text, amount_minor from statement_rows where order_id = any($1) order by day, id`,
    [orderIds],
  );
  return Map.groupBy(
    rows.map((row) => ({
      id: row.id,
      orderId: row.order_id,
      day: row.day,
      amountMinor: Number(row.amount_minor),
    })),
    ({ orderId }) => orderId,
  );
}

/** By bank. */
export async function lastDaysOf(sql: Pick<Sql, 'query'>): Promise<Map<string, string>> {
  const { rows } = await sql.query<{ bank: string; day: string }>(
    `select bank, max(last_day)::text as day from statements where status = 'imported' group by bank`,
  );
  return new Map(rows.map(({ bank, day }) => [bank, day]));
}

async function openRows(
  sql: Pick<Sql | Transaction, 'query'>,
  where: string,
  values: readonly unknown[],
): Promise<OpenRow[]> {
  const { rows } = await sql.query<{
    id: string;
    day: string;
    amount_minor: string;
    currency: string;
    text: string;
    name: string | null;
    refs: string[];
    is_reversal: boolean;
  }>(
    `select id, day::text, amount_minor, currency, text, name, refs, is_reversal from statement_rows
     where status = 'open' and (${where}) order by day desc, id limit ${MAX_MATCHED}`,
    values,
  );
  const returns = rows.length > 0 ? await returnsByRow(sql) : new Map<string, unknown>();
  return rows.map((row) => ({
    id: row.id,
    day: row.day,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    text: row.text,
    name: row.name ?? undefined,
    references: row.refs,
    isDoubtful: row.is_reversal || saysReturn(row.text) || returns.has(bankRowOf(row.id)),
  }));
}

/** @param where a condition on t, and on $1 as references */
async function payablesOf(
  sql: Pick<Sql, 'query'>,
  where: string,
  references: readonly string[],
): Promise<Payable[]> {
  const { rows } = await sql.query<{
    order_id: string;
    status: Payable['status'];
    amount_minor: string;
    currency: string;
    name: string;
    reference_key: string | null;
    created_at: Date;
    paid: string;
  }>(
    `select t.order_id, t.status, t.amount_minor, t.currency, t.customer ->> 'name' as name, t.reference_key, t.created_at,
       coalesce((select sum(amount_minor) from statement_rows r where r.order_id = t.order_id), 0) as paid
     from transfers t where ${where}`,
    [references],
  );
  return rows.map((row) => ({
    orderId: row.order_id,
    status: row.status,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    customerName: row.name,
    reference:
      row.reference_key !== null && referenceOrigin(row.reference_key) === 'ours'
        ? row.reference_key
        : undefined,
    day: dayOf(row.created_at),
    paidMinor: Number(row.paid),
  }));
}
