import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { disputesOf, type StoredDispute } from './dispute.ts';
import type { Subject } from './subject.ts';
import type { Account, Refund, RefundStatus } from './refund.ts';

type Reader = Pick<Sql, 'query'>;

export interface RefundCall {
  idempotencyKey: string;
  hash: string;
}

const COLUMNS = `id, subject, subject_id, order_id, amount_minor, currency, reason, method, made_by, status, stripe_id,
  failure_reason, dismissed, request_hash, created_at, settled_at,
  (select jsonb_strip_nulls(jsonb_build_object('debitId', d.id, 'day', d.day, 'number', d.number))
    from statement_debits d where d.refund_id = refunds.id) as debit`;

interface Row {
  id: string;
  subject: Refund['subject'];
  subject_id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  reason: string;
  method: Refund['method'];
  made_by: Actor | null;
  status: RefundStatus;
  stripe_id: string | null;
  failure_reason: string | null;
  dismissed: Refund['dismissed'] | null;
  request_hash: string | null;
  created_at: Date;
  settled_at: Date | null;
  debit: Refund['debit'] | null;
}

export type StoredRefund = Refund & { requestHash: string | undefined };

async function many(sql: Reader, condition: string, values: readonly unknown[]): Promise<StoredRefund[]> {
  const { rows } = await sql.query<Row>(
    `select ${COLUMNS} from refunds where ${condition} order by created_at, id`,
    values,
  );
  return rows.map(read);
}

/** Refunds of payments and photo packages, oldest first. */
const refundsOf = (sql: Reader, subjectIds: readonly string[]) =>
  many(sql, 'subject_id = any($1)', [subjectIds]);

/** A payment or photo package with its refunds and disputes. */
export interface PaidAccount extends Account {
  subject: Subject;
  disputes: readonly StoredDispute[];
}

export async function accountsOf(sql: Reader, subjects: readonly Subject[]): Promise<PaidAccount[]> {
  const ids = subjects.map(({ id }) => id);
  const refunds = Map.groupBy(await refundsOf(sql, ids), ({ subjectId }) => subjectId);
  const disputes = Map.groupBy(await disputesOf(sql, ids), ({ subjectId }) => subjectId);
  return subjects.map((subject) => ({
    subject,
    refunds: refunds.get(subject.id) ?? [],
    disputes: disputes.get(subject.id) ?? [],
  }));
}

export const accountOf = async (sql: Reader, subject: Subject): Promise<PaidAccount> =>
  (await accountsOf(sql, [subject]))[0]!;

export const refundWithKey = async (sql: Reader, subjectId: string, idempotencyKey: string) =>
  (await many(sql, 'subject_id = $1 and idempotency_key = $2', [subjectId, idempotencyKey]))[0];

export const refundNamed = async (sql: Reader, refundId: string) =>
  (await many(sql, 'id = $1', [refundId]))[0];

export const refundOfStripe = async (sql: Reader, stripeId: string) =>
  (await many(sql, 'stripe_id = $1', [stripeId]))[0];

/** Refunds created before then that may not have reached Stripe. */
export const unsentRefunds = (sql: Reader, before: Date) =>
  many(sql, `status = 'creating' and created_at <= $1`, [before]);

export async function insertRefund(sql: Reader, refund: Refund, call?: RefundCall): Promise<void> {
  await sql.query(
    `insert into refunds (id, subject, subject_id, order_id, amount_minor, currency, reason, method, made_by, status,
       stripe_id, failure_reason, created_at, settled_at, idempotency_key, request_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      refund.refundId,
      refund.subject,
      refund.subjectId,
      refund.orderId,
      refund.amountMinor,
      refund.currency,
      refund.reason,
      refund.method,
      refund.by ? JSON.stringify(refund.by) : null,
      refund.status,
      refund.stripeId ?? null,
      refund.failureReason ?? null,
      refund.createdAt,
      refund.settledAt ?? null,
      call?.idempotencyKey ?? null,
      call?.hash ?? null,
    ],
  );
}

export async function updateRefund(
  sql: Reader,
  { refundId, status, stripeId, failureReason, dismissed, settledAt }: Refund,
): Promise<void> {
  await sql.query(
    `update refunds set status = $2, stripe_id = $3, failure_reason = $4, settled_at = $5, dismissed = $6
     where id = $1`,
    [
      refundId,
      status,
      stripeId ?? null,
      failureReason ?? null,
      settledAt ?? null,
      dismissed ? JSON.stringify(dismissed) : null,
    ],
  );
}

const read = (row: Row): StoredRefund => ({
  refundId: row.id,
  subject: row.subject,
  subjectId: row.subject_id,
  orderId: row.order_id,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  reason: row.reason,
  method: row.method,
  by: row.made_by ?? undefined,
  status: row.status,
  stripeId: row.stripe_id ?? undefined,
  failureReason: row.failure_reason ?? undefined,
  dismissed: row.dismissed ?? undefined,
  requestHash: row.request_hash ?? undefined,
  createdAt: row.created_at,
  settledAt: row.settled_at ?? undefined,
  debit: row.debit ?? undefined,
});
