import { auditLogOf } from '@arboleda/chassis/audit/read.ts';
import { orderTokens } from '@arboleda/chassis/order-token.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import {
  openService,
  type OpenService,
  type Overrides,
  type RunningService,
} from '@arboleda/chassis/service.ts';
import { paymentsAuditEndpoints } from '@arboleda/contracts/endpoints/audit-log.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { paymentReading } from './admin/reading.ts';
import { openCharges } from './cards/charges.ts';
import { checkout } from './cards/checkout.ts';
import { cardProvider } from './cards/provider.ts';
import { startRetention } from './cards/retention.ts';
import { intentSettler, settler } from './cards/settle.ts';
import { paymentStore } from './cards/store.ts';
import { openUnpaidBound } from './cards/unpaid.ts';
import type { PaymentsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { disputeSettler } from './disputes/settle.ts';
import { paymentMetrics } from './metrics.ts';
import { openCatalogue, packageCheckout } from './photo-packages/checkout.ts';
import { sessionProvider } from './photo-packages/provider.ts';
import { sessionSettler } from './photo-packages/settle.ts';
import { startReconciler } from './reconcile/reconciler.ts';
import { openRefunds } from './refunds/refunds.ts';
import { refundProvider, refundSettler } from './refunds/settle.ts';
import { routes } from './routes.ts';
import { openStatements } from './statements/statements.ts';
import { openStripeClient } from './stripe.ts';
import { openTransfers } from './transfers/transfers.ts';
import { webhookReader, webhookReceiver } from './webhook.ts';

/** The service for payments by card and transfer, refunds, disputes, and photo packages. */
export async function startPayments(
  config: PaymentsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('payments', config, overrides);
  const sql = await service.platform.sql('payments', new URL('./migrations/', import.meta.url));
  service.onClose(() => sql.close());
  const jobs = service.platform.jobs('payments');
  service.onClose(() => jobs.close());
  const cards = await openCards({ service, sql, jobs, config });
  const transfers = await openTransfers({ service, sql, jobs, config });
  const statements = await openStatements({
    sql,
    jobs,
    transfers: transfers.store,
    refunds: cards.refunds,
    decided: transfers.decided,
    config,
    clock: service.clock,
  });
  await service.subscribe(
    consumers({ sql, transfers: transfers.followers, refunds: cards.refunds, clock: service.clock }),
  );
  return service.listen(
    { ...paymentsEndpoints, ...paymentsAuditEndpoints },
    {
      'GET /internal/payments/audit-log': ({ query }) => auditLogOf(sql, 'payments')(query),
      ...routes({ ...cards, config }),
      ...transfers.routes,
      ...statements,
    },
  );
}

/** Everything that uses Stripe. Its state arrives by webhook, API answer or reconciler. */
async function openCards(parts: {
  service: Pick<OpenService, 'call' | 'clock' | 'logger' | 'metrics'>;
  sql: Sql;
  jobs: Jobs;
  config: PaymentsConfig;
}) {
  const { service, sql, jobs, config } = parts;
  const { call, clock, logger } = service;
  const stripe = openStripeClient(config.stripe);
  const provider = cardProvider(stripe, config.stripe.webhookSecrets);
  const store = paymentStore(sql, { clock, reconcileAfterMs: config.reconcile.afterMs });
  const metrics = paymentMetrics(service.metrics, store, clock);
  const shared = { sql, clock, logger };

  const payment = settler({ store, clock, logger, metrics: service.metrics });
  const sessions = sessionProvider(stripe, config.siteUrl);
  const settleIntent = intentSettler({ provider, sessions, payment, session: (seen) => session(seen) });
  const refund = refundSettler({ ...shared, counted: metrics.refund, settleIntent });
  const refunds = openRefunds({
    ...shared,
    provider: refundProvider(stripe),
    settle: refund,
    counted: metrics.refund,
  });
  const dispute = disputeSettler({ ...shared, counted: metrics.dispute, settleIntent });
  const session = sessionSettler({ ...shared, provider: sessions, refunds, counted: metrics.purchase });
  const charges = openCharges({ ...shared, provider });
  const settlers = { payment, refund, dispute, session, charge: charges.changed };
  const receive = webhookReceiver({
    store,
    provider,
    settlers,
    logger,
    metrics: service.metrics,
    detailWithinMs: config.stripe.detailWithinMs,
  });
  const catalogue = openCatalogue({ prices: config.photoPackages, provider: sessions, clock, logger });
  await startReconciler({
    ...shared,
    stripe,
    jobs,
    store,
    provider,
    sessions,
    settlers,
    receive,
    refunds,
    charges,
    schedule: config.reconcile,
  });
  await startRetention({
    ...shared,
    jobs,
    provider,
    settle: payment,
    metrics: service.metrics,
    abandonedDays: config.abandonedDays,
  });

  return {
    readWebhook: webhookReader(provider, service.metrics, clock),
    receive,
    refunds,
    catalogue,
    reading: paymentReading(sql, clock),
    checkout: checkout({
      store,
      unpaid: openUnpaidBound({ max: config.unpaidOfNetwork, secret: config.quoteSecret, clock }),
      provider,
      call,
      clock,
      quoteSecret: config.quoteSecret,
      orderToken: orderTokens(config.orderTokenSecret),
    }),
    packageCheckout: packageCheckout({ ...shared, catalogue, provider: sessions, settle: session }),
  };
}
