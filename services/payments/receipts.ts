import type { Sql } from '@arboleda/chassis/ports/sql.ts';

/** A webhook's identity, recorded in the same transaction as its effect. */
export interface WebhookReceipt {
  eventId: string;
  type: string;
}

/** @returns false when this webhook was taken before. */
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

/** Which of these webhooks were taken before. */
export async function receiptsAmong(
  sql: Pick<Sql, 'query'>,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>('select id from stripe_events where id = any($1)', [
    eventIds,
  ]);
  return new Set(rows.map(({ id }) => id));
}
