import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { CardProvider } from '../card-provider.ts';
import { chargeFacts } from './charge.ts';

/** The job that looks a paid payment's charge up: `{ paymentId }`. */
export const CHARGE_JOB = 'look-up-charge';

const BATCH = 100;
const HOUR_MS = 60 * 60_000;
/** Stripe settles within days; after this there will be no more to learn. */
const GIVE_UP_AFTER_MS = 30 * 24 * HOUR_MS;

/** Learns the fees of paid payments: soon after they were paid, and again while Stripe has not settled them. */
export async function openCharges(parts: {
  sql: Sql;
  jobs: Jobs;
  provider: Pick<CardProvider, 'lookUp'>;
  clock: () => Date;
  logger: Logger;
}): Promise<{ lookUpDue(): Promise<void> }> {
  const { sql, jobs, provider, clock, logger } = parts;

  async function lookUp(paymentId: string, intentId: string, createdAt: Date): Promise<void> {
    const facts = await provider.lookUp(intentId).then(chargeFacts, (error: unknown) => {
      logger.warn({ err: error, paymentId }, 'a charge could not be looked up');
      return undefined;
    });
    const isOver = clock().getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS;
    const again = facts || isOver ? null : new Date(clock().getTime() + HOUR_MS);
    await sql.prepared(
      'update payments set charge = coalesce($2, charge), charge_due_at = $3 where id = $1',
      [paymentId, facts ? JSON.stringify(facts) : null, again],
    );
  }

  interface Row {
    id: string;
    intent_id: string;
    created_at: Date;
  }
  const lookUpAll = async (rows: readonly Row[]) => {
    for (const { id, intent_id, created_at } of rows) await lookUp(id, intent_id, created_at);
  };

  await jobs.handle(CHARGE_JOB, async ({ paymentId }) => {
    const { rows } = await sql.prepared<Row>(
      'select id, intent_id, created_at from payments where id = $1 and charge_due_at is not null',
      [paymentId],
    );
    await lookUpAll(rows);
  });

  return {
    async lookUpDue() {
      const { rows } = await sql.query<Row>(
        `select id, intent_id, created_at from payments where charge_due_at <= $1 order by charge_due_at limit $2`,
        [clock(), BATCH],
      );
      await lookUpAll(rows);
    },
  };
}
