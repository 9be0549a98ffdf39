import { counter, type Metrics } from './http/metrics.ts';
import type { Logger } from './log.ts';
import type { Jobs } from './ports/jobs.ts';

/**
 * How long idempotency keys and the ids of webhooks and consumed events are kept. Stripe and Kafka redeliver for at
 * most 30 days.
 */
export const IDEMPOTENCY_DAYS = 90;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
const BATCH = 500;

/** Deletes at most `limit` expired rows of one kind. @returns how many it deleted */
export type Clearing = (limit: number) => Promise<number>;

/** The cutoff for a retention of `days`. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Deletes expired data every hour, in batches so that no statement locks many rows. A failure is logged and does not
 * stop the rest.
 * @param clearings by kind: the label in metrics and logs
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

/** @returns the total deleted */
export async function inBatches(clear: Clearing, size: number): Promise<number> {
  for (let total = 0; ;) {
    const count = await clear(size);
    total += count;
    if (count < size) return total;
  }
}
