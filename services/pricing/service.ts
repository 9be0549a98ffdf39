import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { pricingEndpoints } from '@arboleda/contracts/endpoints/pricing.ts';
import type { PricingConfig } from './config.ts';
import { currentRates } from './rates/current-rates.ts';
import { httpRates } from './rates/http-rates.ts';
import { showRates } from './metrics.ts';
import { trialRates } from './rates/rates.ts';
import { refreshWhenDue } from './rates/refresh.ts';
import { routes } from './routes.ts';
import { rateStore } from './store.ts';

export async function startPricing(
  config: PricingConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('pricing', config, overrides);
  const { clock, logger } = service;
  const sql = await service.platform.sql('pricing', new URL('./migrations/', import.meta.url));
  service.onClose(() => sql.close());
  const store = rateStore(sql);
  if (config.isTrial && !(await store.latest())) await store.keep(trialRates(clock()), clock());
  if (config.ratesUrl) {
    const provider = httpRates(config.ratesUrl);
    const jobs = service.platform.jobs('pricing');
    service.onClose(() => jobs.close());
    const pace = { refreshMs: config.ratesRefreshMs, retryMs: config.ratesRetryMs };
    await jobs.every('refresh-rates', Math.min(pace.refreshMs, pace.retryMs), () =>
      refreshWhenDue({ provider, store, pace, logger, clock, alertAfterDays: config.ratesAlertAfterDays }),
    );
  }
  showRates(service.metrics, { store, clock, alertAfterDays: config.ratesAlertAfterDays });
  const rates = currentRates(store, { forMs: config.ratesCacheMs, clock, logger });
  return service.listen(pricingEndpoints, routes({ rates, config, clock }));
}
