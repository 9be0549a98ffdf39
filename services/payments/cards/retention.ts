import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { type Clearing, daysBefore, IDEMPOTENCY_DAYS, keepRetention } from '@arboleda/chassis/retention.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { intentSnapshotOf } from './payment.ts';
import type { CardProvider } from './provider.ts';
import type { Settle } from './settle.ts';
import { UNPAID_WINDOW_MS } from './unpaid.ts';

/** Deletes data that payments needs only for a while. Paid payments and their receipts stay. */
export async function startRetention(
  parts: AbandonedParts & { jobs: Jobs; metrics: Metrics; logger: Logger; abandonedDays: number },
): Promise<void> {
  const { sql, clock, abandonedDays } = parts;
  const before = (days: number) => daysBefore(clock(), days);
  const clear =
    (statement: string): Clearing =>
    async (limit) =>
      (await sql.query(statement, [before(IDEMPOTENCY_DAYS), limit])).rowCount ?? 0;

  await keepRetention({
    ...parts,
    clearings: {
      webhooks: clear(DELETE_WEBHOOKS),
      'idempotency keys of payments': clear(forgetKeys('payments', '')),
      'idempotency keys of transfers': clear(forgetKeys('transfers', FINGERPRINT)),
      'idempotency keys of refunds': clear(FORGET_REFUND_KEYS),
      'networks of unpaid payments': async (limit) =>
        (await sql.query(FORGET_NETWORKS, [new Date(clock().getTime() - UNPAID_WINDOW_MS), limit]))
          .rowCount ?? 0,
      'abandoned payments': forgetAbandoned({ ...parts, before: () => before(abandonedDays) }),
    },
  });
}

const DELETE_WEBHOOKS = `delete from stripe_events where id in (
  select id from stripe_events where received_at < $1 order by received_at limit $2)`;

/** A pending transfer keeps its fingerprint, so a repeated submission is still recognized. */
const FINGERPRINT = `, fingerprint = case when status = 'pending' then fingerprint end`;

/** Clears the idempotency key and the request hash, which is derived from personal data. */
const forgetKeys = (table: 'payments' | 'transfers', more: string) =>
  `update ${table} set idempotency_key = null, request_hash = ''${more} where id in (
     select id from ${table} where created_at < $1 and (request_hash <> '' or idempotency_key is not null)
     order by created_at limit $2)`;

const FORGET_REFUND_KEYS = `update refunds set idempotency_key = null, request_hash = null where id in (
  select id from refunds where created_at < $1 and idempotency_key is not null order by created_at limit $2)`;

const FORGET_NETWORKS = `update payments set network_hash = null where id in (
  select id from payments where network_hash is not null and created_at < $1 limit $2)`;

interface AbandonedParts {
  sql: Sql;
  provider: Pick<CardProvider, 'cancel'>;
  settle: Settle;
  clock: () => Date;
  logger: Logger;
}

interface Abandoned {
  id: string;
  created_at: Date;
  intent_id: string;
  status: string;
}

const UNPAID = `'open', 'canceled'`;
/** Intents to cancel at Stripe in one hourly run. */
const AT_ONCE = 100;

/**
 * Erases buyers who started a payment and never paid. Cancels the intent first, so nobody can pay for an
 * order without a buyer. If the intent turns out to be paid, it is settled instead.
 */
function forgetAbandoned(parts: AbandonedParts & { before: () => Date }): Clearing {
  const { sql, provider, settle, clock, logger, before } = parts;

  /** @returns whether the payment can no longer be paid */
  async function isOver({ id, intent_id: intentId, status }: Abandoned): Promise<boolean> {
    if (status !== 'open') return true;
    try {
      const intent = await provider.cancel(intentId);
      if (intent === 'unknown') return true;
      await settle({ paymentId: id, snapshot: intentSnapshotOf(intent), by: 'reconciler' });
      return intent.status === 'canceled';
    } catch (error) {
      logger.error({ err: error, paymentId: id }, 'an abandoned payment could not be canceled');
      return false;
    }
  }

  const forget = async (id: string) =>
    (
      await sql.query(
        `update payments set customer = $2, customer_at = $3, locale = null, gift = null, details = null, request_hash = '',
           idempotency_key = null
         where id = $1 and status in (${UNPAID})`,
        [id, JSON.stringify(ERASED_CUSTOMER), clock()],
      )
    ).rowCount ?? 0;

  return async () => {
    const { rows } = await sql.query<Abandoned>(
      `select id, created_at, intent_id, status from payments
       where status in (${UNPAID}) and customer ->> 'email' <> '${ERASED_CUSTOMER.email}'
         and created_at < $1 order by created_at, id limit $2`,
      [before(), AT_ONCE],
    );
    let forgotten = 0;
    for (const payment of rows) {
      if (await isOver(payment)) forgotten += await forget(payment.id);
    }
    return forgotten;
  };
}
