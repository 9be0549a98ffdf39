import { withContext } from '../context.ts';
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
  /** Resolves when everything that was pushed has been tried. */
  flush(): Promise<void>;
}

/** Publishes events in one call and jobs in another. */
export async function handOver(
  entries: readonly OutboxEntry[],
  to: { bus: Pick<EventBus, 'publish'>; jobs: Pick<Jobs, 'enqueue'> },
): Promise<void> {
  const events = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));
  if (events.length > 0) await to.bus.publish(events);
  for (const entry of entries) {
    if ('job' in entry) await withContext(entry.context, () => to.jobs.enqueue([entry.job]));
  }
}

export function openRelay<Row extends OutboxRow>(parts: {
  handOver: (entries: readonly OutboxEntry[]) => Promise<void>;
  /** Takes what was handed over out of the outbox. */
  settle: (rows: readonly Row[]) => Promise<void>;
  logger: Logger;
}): Relay<Row> {
  let waiting: Row[] = [];
  let running: Promise<void> | undefined;

  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await parts.handOver(batch.map((row) => row.entry));
        crashPoint('published');
        await parts.settle(batch);
      } catch (error) {
        parts.logger.warn({ err: error, rows: batch.length }, 'outbox rows are left to the sweeper');
      }
    }
    running = undefined;
  };

  return {
    push(rows) {
      if (rows.length === 0) return;
      waiting.push(...rows);
      running ??= run();
    },
    flush: async () => running,
  };
}
