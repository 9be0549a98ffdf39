import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import { FOLDED_AT_ONCE, type KeptTally } from './tallies.ts';

/** Puts rows of tallies together, beside the work of who notices that it is due. */
export interface Folding {
  due(tally: KeptTally): void;
  /** Resolves when what was begun is over; nothing is begun after it. */
  close(): Promise<void>;
}

/** @param pool the caller's to end, after close() */
export function openFolding(pool: pg.Pool, logger: Logger): Folding {
  const running = new Map<string, Promise<void>>();
  let closed = false;
  const fold = async ({ fold: text }: KeptTally): Promise<void> => {
    for (let n = FOLDED_AT_ONCE; n === FOLDED_AT_ONCE && !closed;) {
      const { rows } = await pool.query<{ n: number }>(text);
      n = rows[0]!.n;
    }
  };
  return {
    due(tally) {
      if (closed || running.has(tally.name)) return;
      const run = fold(tally)
        // Figures are right without it, only slower.
        .catch((error: unknown) =>
          logger.warn({ err: error, tally: tally.name }, 'a tally was not put together'),
        )
        .finally(() => running.delete(tally.name));
      running.set(tally.name, run);
    },
    async close() {
      closed = true;
      await Promise.all(running.values());
    },
  };
}
