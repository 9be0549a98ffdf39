import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { recordReceipt, type Seen, type WebhookReceipt } from '../settling.ts';
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
    changed: (object, receipt) =>
      sql.transaction(async (tx): Promise<Seen> => {
        const intentId = idOf(readStripe(stripeCharge, object, ['data', 'object']).payment_intent);
        const { rows } = await tx.query<{ id: string; is_known: boolean }>(
          'select id, charge is not null as is_known from payments where intent_id = $1',
          [intentId ?? null],
        );
        const [payment] = rows;
        if (!(await recordReceipt(tx, receipt, clock(), payment?.id))) return 'duplicate';
        if (!payment) return 'not-ours';
        if (payment.is_known) return 'known';
        await tx.query('update payments set charge_due_at = $2 where id = $1', [payment.id, clock()]);
        return 'changed';
      }),
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
