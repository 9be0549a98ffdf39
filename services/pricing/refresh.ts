import type { Logger } from '@arboleda/chassis/log.ts';
import { acceptRates, currentTable, type RateProvider } from './rates.ts';
import type { RateStore } from './store.ts';

/** Asks the provider and keeps what can be believed. @throws when the provider does not answer: the job is tried again. */
export async function refreshRates(parts: {
  provider: RateProvider;
  store: RateStore;
  logger: Logger;
  clock: () => Date;
}): Promise<void> {
  const known = currentTable(await parts.store.latest());
  const { table, refused } = acceptRates(known, await parts.provider.fetch());
  if (refused.length > 0) parts.logger.error({ refused }, 'rates moved too far to be believed');
  if (table) await parts.store.keep(table, parts.clock());
}
