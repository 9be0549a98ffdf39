import type { Logger } from '../log.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { OutboxEntry } from './entry.ts';
import { crashPoint } from '../crash-point.ts';

/** What is kept in an outbox; each engine adds where. */
export interface OutboxRow {
  entry: OutboxEntry;
}

/** Hands committed outbox rows over, in order, a batch at a time. */
export interface Relay<Row extends OutboxRow> {
  /** Returns at once. What fails stays in the outbox for the sweeper. */
  push(rows: readonly Row[]): void;
  /** Resolves when everything that was pushed has been tried, and what was handed over is out of the outbox. */
  flush(): Promise<void>;
}

/** Publishes all events in one call, and enqueues all jobs in another. */
export async function handOver(
  entries: readonly OutboxEntry[],
  to: { bus: Pick<EventBus, 'publish'>; jobs: Pick<Jobs, 'enqueue'> },
): Promise<void> {
  const events = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));
  if (events.length > 0) await to.bus.publish(events);
  const jobs = entries.flatMap((entry) => ('job' in entry ? [{ ...entry.job, context: entry.context }] : []));
  if (jobs.length > 0) await to.jobs.enqueue(jobs);
}

/**
 * So long what was handed over stays in the outbox, to be taken out together with what comes after it. Far below the age at which
 * sweepers hand it over once more; whoever gets it twice takes it once.
 */
const SETTLE_AFTER_MS = 50;

export function openRelay<Row extends OutboxRow>(parts: {
  handOver: (entries: readonly OutboxEntry[]) => Promise<void>;
  /** Takes what was handed over out of the outbox. */
  settle: (rows: readonly Row[]) => Promise<void>;
  logger: Logger;
}): Relay<Row> {
  let waiting: Row[] = [];
  let handedOver: Row[] = [];
  let running: Promise<void> | undefined;
  let settling: NodeJS.Timeout | undefined;
  let settled = Promise.resolve();

  /** What fails is left to the sweeper. */
  const attempt = (rows: readonly Row[], step: () => Promise<void>) =>
    step().catch((error: unknown) =>
      parts.logger.warn({ err: error, rows: rows.length }, 'outbox rows are left to the sweeper'),
    );
  /** @returns when all that was handed over so far is settled, by an earlier call too. */
  const settle = (): Promise<void> => {
    clearTimeout(settling);
    settling = undefined;
    const rows = handedOver;
    handedOver = [];
    if (rows.length > 0) settled = settled.then(() => attempt(rows, () => parts.settle(rows)));
    return settled;
  };
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await attempt(batch, async () => {
        await parts.handOver(batch.map((row) => row.entry));
        crashPoint('published');
        handedOver.push(...batch);
        settling ??= setTimeout(() => void settle(), SETTLE_AFTER_MS);
      });
    }
    running = undefined;
  };

  return {
    push(rows) {
      if (rows.length === 0) return;
      waiting.push(...rows);
      running ??= run();
    },
    async flush() {
      await running;
      await settle();
    },
  };
}
