import { orderTokens } from '@arboleda/chassis/order-token.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import { paymentReading } from './admin/reading.ts';
import { cardProvider } from './card-provider.ts';
import { openCharges } from './charges/charges.ts';
import { checkout } from './checkout.ts';
import type { PaymentsConfig } from './config.ts';
import { disputeSettler } from './disputes/settle.ts';
import { paymentMetrics } from './metrics.ts';
import { openCatalogue, packageCheckout } from './photo-packages/checkout.ts';
import { sessionProvider } from './photo-packages/provider.ts';
import { sessionSettler } from './photo-packages/settle.ts';
import { startReconciler } from './reconcile/reconciler.ts';
import { openRefunds } from './refunds/refunds.ts';
import { refundProvider, refundSettler } from './refunds/settle.ts';
import { startRetention } from './retention/retention.ts';
import { intentSettler } from './settle-intent.ts';
import { settler } from './settle.ts';
import { paymentStore } from './store.ts';
import { openStripeClient } from './stripe/client.ts';
import { webhookReceiver } from './webhook.ts';

/** All that stands on Stripe: what it tells comes in by webhooks, by its answers, or by the reconciler. */
export async function openCards(parts: {
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
  const books = { sql, clock, logger };

  const payment = settler({ store, clock, logger, metrics: service.metrics });
  const sessions = sessionProvider(stripe, config.siteUrl);
  const settleIntent = intentSettler({ provider, sessions, payment, session: (seen) => session(seen) });
  const refund = refundSettler({ ...books, counted: metrics.refund, settleIntent });
  const refunds = openRefunds({
    ...books,
    provider: refundProvider(stripe),
    settle: refund,
    counted: metrics.refund,
  });
  const dispute = disputeSettler({ ...books, counted: metrics.dispute, settleIntent });
  const session = sessionSettler({ ...books, provider: sessions, refunds, counted: metrics.purchase });
  const charges = await openCharges({ ...books, jobs, provider });
  const settlers = { payment, refund, dispute, session, charge: charges.changed };
  const receive = webhookReceiver({ store, provider, settlers, logger, metrics: service.metrics });
  const catalogue = openCatalogue({ prices: config.photoPackages, provider: sessions, clock, logger });
  await startReconciler({
    ...books,
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
    ...books,
    jobs,
    provider,
    settle: payment,
    metrics: service.metrics,
    abandonedDays: config.abandonedDays,
  });

  return {
    provider,
    receive,
    refunds,
    catalogue,
    reading: paymentReading(sql, clock),
    checkout: checkout({
      store,
      provider,
      call,
      clock,
      quoteSecret: config.quoteSecret,
      orderToken: orderTokens(config.orderTokenSecret),
    }),
    packageCheckout: packageCheckout({ ...books, catalogue, provider: sessions, settle: session }),
  };
}
