import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { openStripe } from './card-provider.ts';
import { checkout } from './checkout.ts';
import type { PaymentsConfig } from './config.ts';
import { reconcile } from './reconcile.ts';
import { routes } from './routes.ts';
import { settler } from './settle.ts';
import { showPayments } from './metrics.ts';
import { paymentStore } from './store.ts';
import { webhookReceiver } from './webhook.ts';

/** Card payments: intents, Stripe's webhooks, and what became of them. */
export async function startPayments(
  config: PaymentsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('payments', config, overrides);
  const { call, clock, logger, metrics } = service;
  const sql = await service.platform.sql('payments', new URL('./migrations/', import.meta.url));
  service.onClose(() => sql.close());
  const store = paymentStore(sql, { clock, reconcileAfterMs: config.reconcile.afterMs });
  showPayments(metrics, store, clock);
  const provider = openStripe(config.stripe);
  const settle = settler({ store, clock, logger, metrics });
  const jobs = service.platform.jobs('payments');
  service.onClose(() => jobs.close());
  await jobs.every('reconcile', config.reconcile.intervalMs, () =>
    reconcile({ store, provider, settle, logger }),
  );
  return service.listen(
    paymentsEndpoints,
    routes({
      config,
      provider,
      clock,
      checkout: checkout({ store, provider, call, clock, quoteSecret: config.quoteSecret }),
      receive: webhookReceiver({ store, provider, settle, logger }),
    }),
  );
}
