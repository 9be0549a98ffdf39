import { type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import { currentTable, outdated, rateAgeDays } from './rates/rates.ts';
import type { RateStore } from './store.ts';

/** Metrics of rates: failures of the provider, and old or rejected rates. */
export function showRates(
  metrics: Metrics,
  { store, clock, alertAfterDays }: { store: RateStore; clock: () => Date; alertAfterDays: number },
): void {
  const table = async () => currentTable(await store.latest());
  plainGauge(
    metrics,
    { name: 'rates_age_days', help: 'Age of the oldest exchange rate that prices are made of' },
    async () => {
      const now = await table();
      return Math.max(...CURRENCIES.map((currency) => rateAgeDays(now, currency, clock())));
    },
  );
  plainGauge(
    metrics,
    {
      name: 'rates_too_old',
      help: 'Currencies whose rate is older than RATES_ALERT_AFTER_DAYS',
    },
    async () => outdated(await table(), alertAfterDays, clock()).length,
  );
  plainGauge(
    metrics,
    { name: 'rates_refresh_failures', help: 'Tries in a row in which the provider of rates gave none' },
    async () => (await store.lastRefresh())?.failures ?? 0,
  );
  plainGauge(
    metrics,
    { name: 'rates_refused', help: 'Currencies whose last offered rate was not believed' },
    async () => (await store.lastRefresh())?.refused.length ?? 0,
  );
}
