import type { Logger } from '@arboleda/chassis/log.ts';
import { currentTable, type RateTable } from './rates.ts';
import type { RateStore } from './store.ts';

/**
 * The table that prices are made of, asked of the store no more than once in `forMs`. While the store does not answer,
 * prices stay as they were. @throws what the store throws when nothing was ever known.
 */
export function currentRates(
  store: Pick<RateStore, 'latest'>,
  options: { forMs: number; clock: () => Date; logger: Logger },
): () => Promise<RateTable> {
  let known: RateTable | undefined;
  let asking: { untilMs: number; answer: Promise<RateTable> } | undefined;

  const ask = async (): Promise<RateTable> => {
    try {
      known = currentTable(await store.latest());
    } catch (error) {
      asking = undefined;
      if (!known) throw error;
      options.logger.warn({ err: error }, 'rates could not be read; prices stay as they were');
    }
    return known;
  };

  return () => {
    const nowMs = options.clock().getTime();
    if (!asking || nowMs >= asking.untilMs) asking = { untilMs: nowMs + options.forMs, answer: ask() };
    return asking.answer;
  };
}
