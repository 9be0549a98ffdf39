import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { isVoid } from '../transfers/approvers.ts';
import { returnsByRow } from './returns.ts';
import type { Transfer } from '../transfers/transfer.ts';

export interface StatementRow {
  id: string;
  statement_id: string;
  bank: Bank;
  day: string;
  amount_minor: string;
  currency: Transfer['purchase']['currency'];
  text: string;
  name: string | null;
  number: string | null;
  is_reversal: boolean;
  parent_id: string | null;
  status: 'open' | 'linked' | 'split' | 'ignored' | 'kept';
  order_id: string | null;
  reason: string | null;
  decided_by: Actor | null;
  decided_at: Date | null;
  importer: Actor;
  imported_at: Date;
  /** Its importer lost the right to approve since. */
  is_importer_void: boolean;
  /** Linked to a transfer that was rejected afterwards. */
  is_stranded: boolean;
}

export const STRANDED = `(r.status = 'linked' and exists (
  select from transfers t where t.order_id = r.order_id and t.status = 'rejected'))`;

export const ROWS = `select r.id, r.statement_id, r.bank, r.day::text, r.amount_minor, r.currency, r.text, r.name, r.number,
    r.is_reversal, r.parent_id, r.status, r.order_id, r.reason, r.decided_by, r.decided_at, s.imported_by as importer, s.imported_at,
    ${isVoid(`s.imported_by ->> 'id'`, 's.imported_at')} as is_importer_void, ${STRANDED} as is_stranded
  from statement_rows r join statements s on s.id = r.statement_id`;

/** Locks rows until the transaction ends, in one order. */
export async function lockRows(tx: Transaction, ids: readonly string[]): Promise<StatementRow[]> {
  const { rows } = await tx.query<StatementRow>(
    `${ROWS} where r.id = any($1) order by r.id for update of r`,
    [ids],
  );
  return rows;
}

/** Locks rows whose money is free: nothing was decided, or they are kept, or their order was rejected. */
export async function lockOpen(tx: Transaction, ids: readonly string[]): Promise<StatementRow[]> {
  const rows = await lockAll(tx, ids);
  if (rows.some((row) => !isOpen(row))) throw new Problem('statement-row-taken');
  return rows;
}

/** Locks rows whose money is free, or which are ignored. @returns those that are not ignored yet */
export async function lockToIgnore(tx: Transaction, ids: readonly string[]): Promise<StatementRow[]> {
  const rows = (await lockAll(tx, ids)).filter(({ status }) => status !== 'ignored');
  if (rows.some((row) => !isOpen(row))) throw new Problem('statement-row-taken');
  return rows;
}

/** Locks rows like lockRows. @throws Problem `not-found` when one is missing */
export async function lockAll(tx: Transaction, ids: readonly string[]): Promise<StatementRow[]> {
  const rows = await lockRows(tx, ids);
  if (rows.length < new Set(ids).size) throw new Problem('not-found');
  return rows;
}

const isOpen = ({ status, is_stranded: isStranded }: StatementRow): boolean =>
  status === 'open' || status === 'kept' || isStranded;

/** Rows that pay an order. */
export async function linkedRows(tx: Transaction, orderId: string): Promise<StatementRow[]> {
  const { rows } = await tx.query<StatementRow>(`${ROWS} where r.order_id = $1 order by r.id`, [orderId]);
  return rows;
}

/** Orders that rows pay. */
export async function ordersOf(tx: Transaction, rowIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ order_id: string }>(
    'select distinct order_id from statement_rows where id = any($1) and order_id is not null order by order_id',
    [rowIds],
  );
  return rows.map((row) => row.order_id);
}

/** Records a decision on rows. */
export async function decide(
  tx: Transaction,
  ids: readonly string[],
  to: { status: StatementRow['status']; orderId?: string; reason?: string; by: Actor; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `update statement_rows set status = $2, order_id = $3, reason = $4, decided_by = $5, decided_at = $6
     where id = any($1)`,
    [ids, to.status, to.orderId ?? null, to.reason ?? null, JSON.stringify(to.by), to.at],
  );
}

/** Bounds the id of parts of parts, which grows with each split. */
const MAX_ID_LENGTH = 60;

/**
 * Clears payer and text of all rows that pay transfers or name their reference, of the other parts of such rows, and of
 * debits of the same money. References stay, so that matches do.
 */
export async function eraseRows(tx: Transaction, transferIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `with recursive theirs as (
       select order_id, reference_key from transfers where id = any($1)
     ), family as (
       select id, parent_id from statement_rows
       where order_id in (select order_id from theirs)
         or refs && array(select reference_key from theirs where reference_key is not null)
       union
       select r.id, r.parent_id from statement_rows r join family f on r.id = f.parent_id or r.parent_id = f.id
     )
     select id from family`,
    [transferIds],
  );
  const ids = rows.map(({ id }) => id);
  const returns = await returnsByRow(tx);
  const debits = ids.flatMap((id) => (returns.get(id) ?? []).map(({ debit }) => debit.id));
  await tx.query(`update statement_rows set name = null, text = '' where id = any($1)`, [ids]);
  await tx.query(
    `with theirs as (select order_id, reference_key from transfers where id = any($1))
     update statement_debits set name = null, text = ''
     where id = any($2)
       or order_id in (select order_id from theirs)
       or refs && array(select reference_key from theirs where reference_key is not null)
       or id in (select debit_id from suspected_returns where order_id in (select order_id from theirs))
       or refund_id in (select id from refunds where order_id in (select order_id from theirs))`,
    [transferIds, debits],
  );
}

/** Takes a decision back. */
export async function reopen(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    `update statement_rows set status = 'open', order_id = null, reason = null, decided_by = null, decided_at = null
     where id = $1`,
    [id],
  );
}

/** Makes a row of each part. @returns their ids */
export async function splitRow(
  tx: Transaction,
  id: string,
  amounts: readonly number[],
  by: Actor,
  at: Date,
): Promise<string[]> {
  const ids = amounts.map((_amount, index) => `${id}-${index + 1}`);
  if (ids.at(-1)!.length > MAX_ID_LENGTH) throw new Problem('statement-row-taken');
  await decide(tx, [id], { status: 'split', by, at });
  await tx.query(
    `insert into statement_rows (id, statement_id, position, bank, day, amount_minor, currency, text, name, number, refs,
       is_reversal, parent_id)
     select part.id, r.statement_id, r.position, r.bank, r.day, part.amount, r.currency, r.text, r.name, r.number, r.refs,
       r.is_reversal, r.id
     from statement_rows r, unnest($2::text[], $3::bigint[]) as part (id, amount) where r.id = $1`,
    [id, ids, amounts],
  );
  return ids;
}

/** Undoes a split. @throws Problem `statement-row-taken` when a part was decided */
export async function removeParts(tx: Transaction, id: string): Promise<void> {
  const { rows } = await tx.query<{ status: string }>(
    'select status from statement_rows where parent_id = $1 for update',
    [id],
  );
  if (rows.some(({ status }) => status !== 'open')) throw new Problem('statement-row-taken');
  await tx.query('delete from statement_rows where parent_id = $1', [id]);
}
