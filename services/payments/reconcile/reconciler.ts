import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type Stripe from 'stripe';
import { intentSnapshotOf } from '../cards/payment.ts';
import type { CardProvider } from '../cards/provider.ts';
import type { Settle } from '../cards/settle.ts';
import type { PaymentStore, StoredPayment } from '../cards/store.ts';
import type { PaymentsConfig } from '../config.ts';
import type { SessionProvider } from '../photo-packages/provider.ts';
import type { SettleSession } from '../photo-packages/settle.ts';
import type { Refunds } from '../refunds/refunds.ts';
import type { Receive, Settlers } from '../webhook.ts';
import { openComparison, serveAskedComparisons } from './compare.ts';
import { stripeLists } from './lists.ts';

/**
 * Recovers from lost webhooks and crashes: checks open payments at Stripe and compares Stripe's lists with
 * the database.
 */
export async function startReconciler(parts: {
  stripe: Stripe;
  sql: Sql;
  jobs: Jobs;
  store: PaymentStore;
  provider: CardProvider;
  sessions: SessionProvider;
  settlers: Settlers;
  receive: Receive;
  refunds: Pick<Refunds, 'sendUnsent'>;
  charges: { lookUpDue(): Promise<void> };
  schedule: PaymentsConfig['reconcile'];
  clock: () => Date;
  logger: Logger;
}): Promise<void> {
  const { sql, jobs, store, provider, sessions, settlers, refunds, charges, schedule, clock, logger } = parts;
  const comparison = openComparison({ sql, lists: stripeLists(parts), clock });
  const shared = { sql, clock, logger };

  await jobs.every('reconcile', schedule.intervalMs, async () => {
    await reconcileOpenPayments({ store, provider, settle: settlers.payment, logger });
    await refunds.sendUnsent(new Date(clock().getTime() - schedule.afterMs));
    await reconcileOpenSessions({ ...shared, provider: sessions, settle: settlers.session });
  });
  await jobs.every('look-up-charges', schedule.chargesIntervalMs, () => charges.lookUpDue());
  await jobs.every('compare', schedule.listsIntervalMs, async () => {
    const reports = await comparison.regular();
    for (const report of reports.filter(({ repaired }) => repaired > 0)) {
      logger.warn(report, 'found payments that no webhook had reported');
    }
  });
  await serveAskedComparisons({ sql, jobs, comparison, clock });
}

/** Payments checked in one run. */
const BATCH = 100;

/** Checks open payments at Stripe, in case a webhook was lost. */
async function reconcileOpenPayments(parts: {
  store: PaymentStore;
  provider: CardProvider;
  settle: Settle;
  logger: Logger;
}): Promise<void> {
  const { store, provider, settle, logger } = parts;

  async function check(payment: StoredPayment): Promise<void> {
    const { paymentId } = payment.purchase;
    try {
      const snapshot = intentSnapshotOf(await provider.lookUp(payment.state.intentId));
      await settle({ paymentId, snapshot, by: 'reconciler' });
    } catch (error) {
      logger.error({ err: error, paymentId }, 'a payment could not be reconciled');
    }
    await store.postpone(payment);
  }

  for (const payment of await store.due(BATCH)) await check(payment);
}

/** A session stays open for a day, so a lost webhook is noticed soon after. */
const ASK_EVERY_MS = 30 * 60_000;

/** Checks open checkout sessions at Stripe, in case a webhook was lost. */
async function reconcileOpenSessions(parts: {
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
