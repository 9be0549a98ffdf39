import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Seen, WebhookReceipt } from '../settling.ts';
import { idOf, readStripe, stripeCharge } from '../stripe.ts';
import { chargeFacts } from './payment.ts';
import type { CardProvider } from './provider.ts';

const BATCH = 100;
const HOUR_MS = 60 * 60_000;
/** Stripe settles within days; nothing changes after that. */
const GIVE_UP_AFTER_MS = 30 * 24 * HOUR_MS;

export interface Charges {
  lookUpDue(): Promise<void>;
  /** Handles a webhook about a charge: schedules a lookup unless its fee is known. */
  changed(object: object, receipt: WebhookReceipt): Promise<Seen>;
}

/** Looks up the fees of paid payments, with retries until Stripe has settled them. */
export function openCharges(parts: {
  sql: Sql;
  provider: Pick<CardProvider, 'lookUp'>;
  clock: () => Date;
  logger: Logger;
}): Charges {
  const { sql, provider, clock, logger } = parts;

  interface Due {
    id: string;
    intent_id: string;
    created_at: Date;
    charge_due_at: Date;
  }

  async function lookUp({
    id: paymentId,
    intent_id: intentId,
    created_at: createdAt,
    ...due
  }: Due): Promise<void> {
    const facts = await provider
      .lookUp(intentId)
      .then(({ latest_charge }) => chargeFacts(latest_charge))
      .catch((error: unknown) => {
        logger.warn({ err: error, paymentId }, 'a charge could not be looked up');
        return undefined;
      });
    const isOver = clock().getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS;
    const again = facts || isOver ? null : new Date(clock().getTime() + HOUR_MS);
    await sql.prepared(
      // A webhook may have made it due again meanwhile.
      `update payments set charge = coalesce($2, charge),
         charge_due_at = case when date_trunc('milliseconds', charge_due_at) = $4 then $3 else charge_due_at end
       where id = $1`,
      [paymentId, facts ? JSON.stringify(facts) : null, again, due.charge_due_at],
    );
  }

  return {
    async changed(object, { eventId, type }) {
      const intentId = idOf(readStripe(stripeCharge, object, ['data', 'object']).payment_intent);
      const { rows } = await sql.prepared<{ is_new: boolean; is_known: boolean | null }>(
        `with payment as (select id, charge is not null as is_known from payments where intent_id = $1),
           received as (
             insert into stripe_events (id, type, payment_id, received_at)
             values ($2, $3, (select id from payment), $4) on conflict (id) do nothing returning id),
           due as (
             update payments set charge_due_at = $4
             where id = (select id from payment where not is_known) and exists (select from received))
         select exists (select from received) as is_new, (select is_known from payment) as is_known`,
        [intentId ?? null, eventId, type, clock()],
      );
      const { is_new: isNew, is_known: isKnown } = rows[0]!;
      if (!isNew) return 'duplicate';
      if (isKnown === null) return 'not-ours';
      return isKnown ? 'known' : 'changed';
    },
    async lookUpDue() {
      // A busy shop takes more payments in an interval than one batch.
      for (let isFull = true; isFull;) {
        const { rows } = await sql.query<Due>(
          `select id, intent_id, created_at, charge_due_at from payments where charge_due_at <= $1 order by charge_due_at limit $2`,
          [clock(), BATCH],
        );
        for (const row of rows) await lookUp(row);
        isFull = rows.length === BATCH;
      }
    },
  };
}
