import { counter, type Metrics } from './http/metrics.ts';
import type { Logger } from './log.ts';
import type { Jobs } from './ports/jobs.ts';

/**
 * For how many days everything is kept that makes a repeat harmless: idempotency keys, ids of webhooks and of consumed
 * events. Far longer than Stripe and Kafka tell of an event, which is thirty days.
 */
export const IDEMPOTENCY_DAYS = 90;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
const BATCH = 500;

/** Clears one kind of thing that is kept no longer: a batch of at most `limit`. @returns how many it cleared */
export type Clearing = (limit: number) => Promise<number>;

/** What is kept until then was kept for so many days. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Clears what a service keeps no longer, every hour and in batches, so that no statement holds many rows. What cannot be
 * cleared is logged and does not hold up the rest.
 * @param clearings by what they clear: the label of the figure, and of the log line
 */
export async function keepRetention(parts: {
  jobs: Pick<Jobs, 'every'>;
  metrics: Metrics;
  logger: Logger;
  clearings: Record<string, Clearing>;
}): Promise<void> {
  const { jobs, metrics, logger, clearings } = parts;
  const cleared = counter(metrics, {
    name: 'retention_cleared_total',
    help: 'What was removed because it is kept no longer',
    labels: ['what'],
  });
  await jobs.every('retention', EVERY_MS, async () => {
    for (const [what, clear] of Object.entries(clearings)) {
      try {
        const count = await inBatches(clear, BATCH);
        cleared.inc({ what }, count);
        if (count > 0) logger.info({ what, count }, 'cleared what is kept no longer');
      } catch (error) {
        logger.error({ err: error, what }, 'what is kept no longer could not be cleared');
      }
    }
  });
}

/** @returns how many were cleared in all */
export async function inBatches(clear: Clearing, size: number): Promise<number> {
  for (let total = 0; ;) {
    const count = await clear(size);
    total += count;
    if (count < size) return total;
  }
}
