import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Clearing } from '@arboleda/chassis/retention.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { CardProvider } from '../card-provider.ts';
import type { Settle } from '../settle.ts';
import { sightingOf } from '../sighting.ts';

export interface AbandonedParts {
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
/** So many are asked about at Stripe in one turn of the hour. */
const AT_ONCE = 100;

/**
 * Forgets who began a payment and never paid. The intent is canceled first: nobody can pay for an order whose buyer is
 * no longer known. One that turns out to be paid is settled instead, and stays.
 */
export function forgetAbandoned(parts: AbandonedParts & { before: () => Date }): Clearing {
  const { sql, provider, settle, clock, logger, before } = parts;

  /** @returns whether nothing can be paid any more */
  async function isOver({ id, intent_id: intentId, status }: Abandoned): Promise<boolean> {
    if (status !== 'open') return true;
    try {
      const intent = await provider.cancel(intentId);
      if (intent === 'unknown') return true;
      await settle({ paymentId: id, sighting: sightingOf(intent), by: 'reconciler' });
      return intent.status === 'canceled';
    } catch (error) {
      logger.error({ err: error, paymentId: id }, 'an abandoned payment could not be canceled');
      return false;
    }
  }

  const forget = async (id: string) =>
    (
      await sql.query(
        `update payments set customer = $2, customer_at = $3, locale = null, request_hash = '', idempotency_key = null
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
