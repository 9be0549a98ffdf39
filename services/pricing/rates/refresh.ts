import type { Logger } from '@arboleda/chassis/log.ts';
import { acceptRates, currentTable, outdated, type RateProvider } from './rates.ts';
import { isDue, pauseMs, type RefreshPace } from './refresh-plan.ts';
import type { RateStore } from '../store.ts';

interface RefreshParts {
  provider: RateProvider;
  store: RateStore;
  pace: RefreshPace;
  logger: Logger;
  clock: () => Date;
  alertAfterDays: number;
}

/**
 * Asks the provider when a refresh is due and stores plausible rates. Failures are logged and recorded; the
 * last known rates stay.
 */
export async function refreshWhenDue(parts: RefreshParts): Promise<void> {
  const { store, pace, logger, clock, alertAfterDays } = parts;
  const last = await store.lastRefresh();
  const attemptedAt = clock();
  if (!isDue(last, pace, attemptedAt)) return;
  try {
    const refused = await refresh(parts);
    await store.noteRefresh({ attemptedAt, failures: 0, refused: refused.map(({ currency }) => currency) });
    if (refused.length > 0) logger.error({ refused }, 'rates moved too far to be believed');
  } catch (error) {
    const failures = (last?.failures ?? 0) + 1;
    await store.noteRefresh({ attemptedAt, failures, refused: last?.refused ?? [] });
    const retryInSeconds = Math.round(pauseMs(failures, pace) / 1000);
    logger.error({ err: error, failures, retryInSeconds }, 'the provider of rates gave none');
  }
  const table = currentTable(await store.latest());
  const currencies = outdated(table, alertAfterDays, clock());
  if (currencies.length > 0) logger.error({ asOf: table.asOf, currencies }, 'rates are too old');
}

async function refresh({ provider, store, clock }: RefreshParts) {
  const known = currentTable(await store.latest());
  const { table, refused } = acceptRates(known, await provider.fetch(), clock());
  if (table) await store.keep(table, clock());
  return refused;
}
