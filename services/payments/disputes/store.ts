import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Dispute } from './dispute.ts';

export interface StoredDispute extends Omit<Dispute, 'intentId'> {
  subjectId: string;
  updatedAt: Date;
}

/** Disputes of payments and purchases, oldest first. */
export async function disputesOf(
  sql: Pick<Sql, 'query'>,
  subjectIds: readonly string[],
): Promise<StoredDispute[]> {
  const { rows } = await sql.query<{
    id: string;
    subject_id: string;
    amount_minor: string;
    currency: string;
    reason: string;
    status: string;
    created_at: Date;
    updated_at: Date;
  }>('select * from disputes where subject_id = any($1) order by created_at, id', [subjectIds]);
  return rows.map((row) => ({
    disputeId: row.id,
    subjectId: row.subject_id,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
