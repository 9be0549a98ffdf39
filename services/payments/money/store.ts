import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
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

interface RefundRow {
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
  idempotency_key: string | null;
  request_hash: string | null;
  created_at: Date;
  settled_at: Date | null;
  debit: Refund['debit'] | null;
}

/** A refund with the call that made it, if one did. */
export type StoredRefund = Refund & { call?: RefundCall | undefined };

/** Read and changed under the lock of their money. */
export const refunds = lockedRecords<StoredRefund, RefundRow>({
  table: 'refunds',
  key: 'id',
  fixed: [
    'subject',
    'subject_id',
    'order_id',
    'amount_minor',
    'currency',
    'reason',
    'method',
    'made_by',
    'created_at',
    'idempotency_key',
    'request_hash',
  ],
  columns: ['status', 'stripe_id', 'failure_reason', 'dismissed', 'settled_at'],
  computed: `(select jsonb_strip_nulls(jsonb_build_object('debitId', d.id, 'day', d.day, 'number', d.number))
    from statement_debits d where d.refund_id = refunds.id) as debit`,
  toRow: (refund) => ({
    id: refund.refundId,
    subject: refund.subject,
    subject_id: refund.subjectId,
    order_id: refund.orderId,
    amount_minor: String(refund.amountMinor),
    currency: refund.currency,
    reason: refund.reason,
    method: refund.method,
    made_by: refund.by ?? null,
    status: refund.status,
    stripe_id: refund.stripeId ?? null,
    failure_reason: refund.failureReason ?? null,
    dismissed: refund.dismissed ?? null,
    created_at: refund.createdAt,
    settled_at: refund.settledAt ?? null,
    idempotency_key: refund.call?.idempotencyKey ?? null,
    request_hash: refund.call?.hash ?? null,
  }),
  fromRow: (row) => ({
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
    createdAt: row.created_at,
    settledAt: row.settled_at ?? undefined,
    debit: row.debit ?? undefined,
    call:
      row.idempotency_key === null
        ? undefined
        : { idempotencyKey: row.idempotency_key, hash: row.request_hash! },
  }),
});

/** Refunds of payments and photo packages, oldest first. */
const refundsOf = (sql: Reader, subjectIds: readonly string[]) =>
  refunds.select(sql, 'where subject_id = any($1) order by created_at, id', [subjectIds]);

/** A payment or photo package with its refunds and disputes. */
export interface PaidAccount extends Account {
  subject: Subject;
  disputes: readonly StoredDispute[];
}

export async function accountsOf(sql: Reader, subjects: readonly Subject[]): Promise<PaidAccount[]> {
  const ids = subjects.map(({ id }) => id);
  const given = Map.groupBy(await refundsOf(sql, ids), ({ subjectId }) => subjectId);
  const disputes = Map.groupBy(await disputesOf(sql, ids), ({ subjectId }) => subjectId);
  return subjects.map((subject) => ({
    subject,
    refunds: given.get(subject.id) ?? [],
    disputes: disputes.get(subject.id) ?? [],
  }));
}

export const accountOf = async (sql: Reader, subject: Subject): Promise<PaidAccount> =>
  (await accountsOf(sql, [subject]))[0]!;

export const refundWithKey = (sql: Reader, subjectId: string, idempotencyKey: string) =>
  refunds.find(sql, 'subject_id = $1 and idempotency_key = $2', [subjectId, idempotencyKey]);

export const refundOfStripe = (sql: Reader, stripeId: string) =>
  refunds.find(sql, 'stripe_id = $1', [stripeId]);

/** Refunds created before then that may not have reached Stripe. */
export const unsentRefunds = (sql: Reader, before: Date) =>
  refunds.select(sql, `where status = 'creating' and created_at <= $1 order by created_at, id`, [before]);
