import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Debit } from './returns.ts';

export interface StoredDebit extends Pick<Debit, 'id' | 'day' | 'amountMinor' | 'currency' | 'number'> {
  status: 'open' | 'return' | 'refund' | 'other';
  /** The decision, unless it is open. */
  decision?:
    | {
        rowId?: string | undefined;
        orderId?: string | undefined;
        refundId?: string | undefined;
        by: Actor;
        at: Date;
      }
    | undefined;
}

interface DebitRow {
  id: string;
  day: string;
  amount_minor: string;
  currency: string;
  number: string | null;
  status: StoredDebit['status'];
  row_id: string | null;
  order_id: string | null;
  refund_id: string | null;
  decided_by: Actor | null;
  decided_at: Date | null;
}

export const debits = lockedRecords<StoredDebit, DebitRow>({
  table: 'statement_debits',
  key: 'id',
  columns: ['status', 'row_id', 'order_id', 'refund_id', 'decided_by', 'decided_at'],
  computed: 'day::text, amount_minor, currency, number',
  toRow: ({ id, status, decision }) => ({
    id,
    status,
    row_id: decision?.rowId ?? null,
    order_id: decision?.orderId ?? null,
    refund_id: decision?.refundId ?? null,
    decided_by: decision?.by ?? null,
    decided_at: decision?.at ?? null,
  }),
  fromRow: (row) => ({
    id: row.id,
    day: row.day,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    number: row.number ?? undefined,
    status: row.status,
    decision:
      row.decided_by === null
        ? undefined
        : {
            rowId: row.row_id ?? undefined,
            orderId: row.order_id ?? undefined,
            refundId: row.refund_id ?? undefined,
            by: row.decided_by,
            at: row.decided_at!,
          },
  }),
});

/**
 * Locks a debit that may be decided on. A return is final: money was booked for it.
 * @throws Problem `not-found`, `statement-row-taken`
 */
export async function lockUndecided(tx: Transaction, id: string): Promise<StoredDebit> {
  const debit = await debits.lock(tx, id);
  if (!debit) throw new Problem('not-found');
  if (debit.status === 'return') throw new Problem('statement-row-taken');
  return debit;
}

export const isProven = async (tx: Transaction, refundId: string): Promise<boolean> =>
  (await debits.find(tx, 'refund_id = $1', [refundId])) !== undefined;
