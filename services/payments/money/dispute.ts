import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import type { Subject } from './subject.ts';
import { idOf, readStripe, stripeDispute } from '../stripe.ts';

/** A chargeback or an inquiry of the cardholder's bank. */
export interface Dispute {
  disputeId: string;
  intentId: string | undefined;
  amountMinor: number;
  currency: string;
  reason: string;
  status: string;
  createdAt: Date;
}

/**
 * Order of statuses: https://docs.stripe.com/api/disputes/object#dispute_object-status. An inquiry may become
 * a dispute.
 */
const WEIGHT: Record<string, number> = {
  warning_needs_response: 1,
  warning_under_review: 2,
  warning_closed: 3,
  needs_response: 4,
  under_review: 5,
  won: 6,
  lost: 6,
  prevented: 6,
  appeal_needs_response: 7,
  appeal_under_review: 8,
};

/** Whether a status is newer than the known one: webhooks may be repeated, late and out of order. */
export function isDisputeNews(known: string | undefined, seen: string): boolean {
  if (known === undefined) return true;
  if (known === seen) return false;
  // An appeal ends in the same statuses as the dispute itself.
  const isAppeal = (WEIGHT[known] ?? 0) > 6;
  return isAppeal || (WEIGHT[seen] ?? 9) >= (WEIGHT[known] ?? 0);
}

/** The amount lost in a dispute: all of it when the dispute is in another currency. */
export function lostMinorOf(
  { status, amountMinor, currency }: Pick<Dispute, 'status' | 'amountMinor' | 'currency'>,
  paid: { amountMinor: number; currency: string },
): number {
  if (status !== 'lost') return 0;
  return currency === paid.currency ? Math.min(amountMinor, paid.amountMinor) : paid.amountMinor;
}

/** @throws Problem when the object differs from Stripe's documentation */
export function disputeOf(object: object): Dispute {
  const dispute = readStripe(stripeDispute, object, ['data', 'object']);
  const currency = dispute.currency.toUpperCase();
  return {
    disputeId: dispute.id,
    intentId: idOf(dispute.payment_intent),
    amountMinor: fromStripeAmount(dispute.amount, currency),
    currency,
    reason: dispute.reason,
    status: dispute.status,
    createdAt: new Date(dispute.created * 1000),
  };
}

export interface StoredDispute extends Omit<Dispute, 'intentId'> {
  subject: Subject['kind'];
  subjectId: string;
  orderId: string;
  updatedAt: Date;
}

interface DisputeRow {
  id: string;
  subject: Subject['kind'];
  subject_id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  reason: string;
  status: string;
  created_at: Date;
  updated_at: Date;
}

/** Changed under the lock of their money. */
export const disputes = lockedRecords<StoredDispute, DisputeRow>({
  table: 'disputes',
  key: 'id',
  fixed: ['subject', 'subject_id', 'order_id', 'currency', 'created_at'],
  columns: ['amount_minor', 'reason', 'status', 'updated_at'],
  toRow: (dispute) => ({
    id: dispute.disputeId,
    subject: dispute.subject,
    subject_id: dispute.subjectId,
    order_id: dispute.orderId,
    amount_minor: String(dispute.amountMinor),
    currency: dispute.currency,
    reason: dispute.reason,
    status: dispute.status,
    created_at: dispute.createdAt,
    updated_at: dispute.updatedAt,
  }),
  fromRow: (row) => ({
    disputeId: row.id,
    subject: row.subject,
    subjectId: row.subject_id,
    orderId: row.order_id,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }),
});

/** Disputes of payments and photo packages, oldest first. */
export const disputesOf = (sql: Pick<Sql, 'query'>, subjectIds: readonly string[]) =>
  disputes.select(sql, 'where subject_id = any($1) order by created_at, id', [subjectIds]);
