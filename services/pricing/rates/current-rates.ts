import type { Logger } from '@arboleda/chassis/log.ts';
import { setTimeout as after } from 'node:timers/promises';
import { currentTable, type RateTable } from './rates.ts';
import type { RateStore } from '../store.ts';

/** Maximum delay of a request while older rates are known. */
const MAX_WAIT_MS = 1_000;

/**
 * The current table, read from the store at most once in `forMs`, by one query at a time. While the store is
 * slow or unavailable, the last table is used. @throws the store's error when no table is known yet
 */
export function currentRates(
  store: Pick<RateStore, 'latest'>,
  options: { forMs: number; clock: () => Date; logger: Logger; maxWaitMs?: number },
): () => Promise<RateTable> {
  const { forMs, clock, logger, maxWaitMs = MAX_WAIT_MS } = options;
  let known: { table: RateTable; untilMs: number } | undefined;
  let asking: Promise<RateTable> | undefined;

  const ask = async (): Promise<RateTable> => {
    try {
      const table = currentTable(await store.latest());
      known = { table, untilMs: clock().getTime() + forMs };
      return table;
    } catch (error) {
      if (!known) throw error;
      logger.warn({ err: error }, 'rates could not be read; prices stay as they were');
      return known.table;
    } finally {
      asking = undefined;
    }
  };

  return async () => {
    if (known && clock().getTime() < known.untilMs) return known.table;
    asking ??= ask();
    return known ? Promise.race([asking, after(maxWaitMs, known.table, { ref: false })]) : asking;
  };
}
