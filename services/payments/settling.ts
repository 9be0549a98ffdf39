import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';

/** Stripe's events that may have an effect here. Stripe keeps them for thirty days, so that missed ones are found. */
export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
] as const;

/** A webhook's id, recorded in the same transaction as its effect. */
export interface WebhookReceipt {
  eventId: string;
  type: string;
}

/** @returns false when this webhook was processed before */
export async function recordReceipt(
  sql: Pick<Sql, 'query'>,
  { eventId, type }: WebhookReceipt,
  now: Date,
  paymentId?: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into stripe_events (id, type, payment_id, received_at) values ($1, $2, $3, $4)
     on conflict (id) do nothing`,
    [eventId, type, paymentId ?? null, now],
  );
  return rowCount === 1;
}

export async function receiptsAmong(
  sql: Pick<Sql, 'query'>,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>('select id from stripe_events where id = any($1)', [
    eventIds,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** The effect of an object from Stripe. */
export type Seen =
  | 'changed'
  | 'known'
  /** The object belongs to another system. */
  | 'not-ours'
  /** The same webhook was processed before. */
  | 'duplicate';

export type Source = 'webhook' | 'reconciler' | 'answer';

/** Serializes decisions on one thing over all replicas until the transaction ends. */
export const lock = async (
  tx: Transaction,
  what: 'money' | 'packages' | 'accounts' | 'gifts to' | 'gifts of',
  id: string,
): Promise<void> =>
  void (await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${what}:${id}`]));
