import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { pricingEndpoints } from '@arboleda/contracts/endpoints/pricing.ts';
import type { PricingConfig } from './config.ts';
import { httpRates } from './http-rates.ts';
import { refreshRates } from './refresh.ts';
import { routes } from './routes.ts';
import { rateStore } from './store.ts';

/** Exchange rates, package prices and signed quotes. */
export async function startPricing(
  config: PricingConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('pricing', config, overrides);
  const { clock, logger } = service;
  const sql = await service.platform.sql('pricing', new URL('./migrations/', import.meta.url));
  service.onClose(() => sql.close());
  const store = rateStore(sql);
  if (config.ratesUrl) {
    const provider = httpRates(config.ratesUrl);
    const jobs = service.platform.jobs('pricing');
    service.onClose(() => jobs.close());
    await jobs.every('refresh-rates', config.ratesRefreshMs, () =>
      refreshRates({ provider, store, logger, clock }),
    );
  }
  return service.listen(pricingEndpoints, routes({ store, config, clock }));
}
