import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import { type Clearing, daysBefore, IDEMPOTENCY_DAYS, keepRetention } from '@arboleda/chassis/retention.ts';
import { type AbandonedParts, forgetAbandoned } from './abandoned.ts';

/** Removes on schedule what payments needs only for a while; paid payments and their receipts stay. */
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
      'abandoned payments': forgetAbandoned({ ...parts, before: () => before(abandonedDays) }),
    },
  });
}

const DELETE_WEBHOOKS = `delete from stripe_events where id in (
  select id from stripe_events where received_at < $1 order by received_at limit $2)`;

/** One that waits is still told from the same sent again. */
const FINGERPRINT = `, fingerprint = case when status = 'pending' then fingerprint end`;

/** What a call is known by when it is repeated; the hash is of what the buyer typed. */
const forgetKeys = (table: 'payments' | 'transfers', more: string) =>
  `update ${table} set idempotency_key = null, request_hash = ''${more} where id in (
     select id from ${table} where created_at < $1 and (request_hash <> '' or idempotency_key is not null)
     order by created_at limit $2)`;

const FORGET_REFUND_KEYS = `update refunds set idempotency_key = null, request_hash = null where id in (
  select id from refunds where created_at < $1 and idempotency_key is not null order by created_at limit $2)`;
