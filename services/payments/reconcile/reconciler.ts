import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type Stripe from 'stripe';
import type { CardProvider } from '../card-provider.ts';
import type { PaymentsConfig } from '../config.ts';
import type { SessionProvider } from '../photo-packages/provider.ts';
import type { Refunds } from '../refunds/refunds.ts';
import type { PaymentStore } from '../store.ts';
import type { Receive, Settlers } from '../webhook.ts';
import { serveAskedComparisons } from './asked.ts';
import { openComparison } from './compare.ts';
import { stripeLists } from './lists.ts';
import { reconcileOpenPayments } from './open-payments.ts';
import { reconcileOpenSessions } from './open-sessions.ts';

/** Repairs what webhooks and crashes lost: asks about what is open in our books, and compares Stripe's lists with them. */
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
  const books = { sql, clock, logger };

  await jobs.every('reconcile', schedule.intervalMs, async () => {
    await reconcileOpenPayments({ store, provider, settle: settlers.payment, logger });
    await refunds.sendUnsent(new Date(clock().getTime() - schedule.afterMs));
    await reconcileOpenSessions({ ...books, provider: sessions, settle: settlers.session });
    await charges.lookUpDue();
  });
  await jobs.every('compare', schedule.listsIntervalMs, async () => {
    const reports = await comparison.regular();
    for (const report of reports.filter(({ repaired }) => repaired > 0)) {
      logger.warn(report, 'the reconciler found what no webhook had told');
    }
  });
  await serveAskedComparisons({ sql, jobs, comparison, clock });
}
