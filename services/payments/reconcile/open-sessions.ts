import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { SessionProvider } from '../photo-packages/provider.ts';
import type { SettleSession } from '../photo-packages/settle.ts';

const BATCH = 100;
/** A session is open for a day; asked about so often, its end is soon known also when the webhook was lost. */
const ASK_EVERY_MS = 30 * 60_000;

/** Asks Stripe what became of checkout sessions that are still open. */
export async function reconcileOpenSessions(parts: {
  sql: Sql;
  provider: Pick<SessionProvider, 'lookUp'>;
  settle: SettleSession;
  clock: () => Date;
  logger: Logger;
}): Promise<void> {
  const { sql, provider, settle, clock, logger } = parts;
  const { rows } = await sql.query<{ id: string; session_id: string }>(
    `select id, session_id from package_purchases
     where status in ('open', 'processing') and updated_at <= $1 order by updated_at limit $2`,
    [new Date(clock().getTime() - ASK_EVERY_MS), BATCH],
  );
  for (const { id, session_id } of rows) {
    try {
      await settle(await provider.lookUp(session_id));
    } catch (error) {
      logger.error({ err: error, purchaseId: id }, 'a checkout session could not be reconciled');
    }
    await sql.query('update package_purchases set updated_at = $2 where id = $1', [id, clock()]);
  }
}
