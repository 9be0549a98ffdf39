import { askedNumber } from '@arboleda/chassis/http/gauge.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import { ageDays, currentTable } from './rates.ts';
import type { RateStore } from './store.ts';

/** What operators see of rates: a provider that fails, or answers with old or unbelievable ones, is seen here. */
export function showRates(metrics: Metrics, store: RateStore, clock: () => Date): void {
  askedNumber(
    metrics,
    { name: 'rates_age_days', help: 'Age of the exchange rates that prices are made of' },
    async () => ageDays(currentTable(await store.latest()).asOf, clock()),
  );
  askedNumber(
    metrics,
    { name: 'rates_refresh_failures', help: 'Tries in a row in which the provider of rates gave none' },
    async () => (await store.lastRefresh())?.failures ?? 0,
  );
  askedNumber(
    metrics,
    { name: 'rates_refused', help: 'Currencies whose last offered rate was not believed' },
    async () => (await store.lastRefresh())?.refused.length ?? 0,
  );
}
