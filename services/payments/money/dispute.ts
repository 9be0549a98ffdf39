import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { fromStripeAmount } from '@arboleda/contracts/money.ts';
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
  subjectId: string;
  updatedAt: Date;
}

/** Disputes of payments and photo packages, oldest first. */
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
