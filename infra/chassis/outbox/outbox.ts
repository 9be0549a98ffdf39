import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { crashPoint } from '../crash-point.ts';
import type { Logger } from '../log.ts';

/** Stores events in the statement that decides them, so that they are published only if it commits. */
export interface Outbox {
  /**
   * An `insert` of the events in `values` that returns one row for each stored event.
   * @param at number of the first placeholder @param where a condition, for instance over `written`
   */
  insert(at: number, where?: string): string;
  /** Values of the placeholders from `at` on. */
  values(events: readonly ArboledaEvent[]): unknown[];
  /** Call it after the commit. @param rows as JSON objects, what `insert` returned */
  committed(events: readonly ArboledaEvent[], rows: readonly unknown[]): void;
  /** Age of the oldest committed event that is not published yet; 0 when there is none. */
  ageMs(): Promise<number>;
  /** Publishes what is left, and stops. */
  close(): Promise<void>;
}

/** Publishes committed outbox rows in order, in batches. */
interface Relay<Row> {
  /** Returns at once. Rows that fail stay in the outbox for the sweeper. */
  push(rows: readonly Row[]): void;
  /** Rows that are being published, or published but not deleted yet: the sweeper skips them. */
  inProgress(): Row[];
  /** Resolves when everything pushed has been tried, and published rows are deleted. */
  flush(): Promise<void>;
}

/**
 * Published rows are deleted together after this time. It is far below the age at which the sweeper publishes a row
 * again; consumers ignore duplicates.
 */
const DELETE_AFTER_MS = 200;

export function openRelay<Row>(parts: {
  /** Resolves when the bus has stored all of them. */
  publish: (rows: readonly Row[]) => Promise<void>;
  /** Deletes published rows. */
  settle: (rows: readonly Row[]) => Promise<void>;
  logger: Logger;
}): Relay<Row> {
  let waiting: Row[] = [];
  let published: Row[] = [];
  const inHand = new Set<Row>();
  let running: Promise<void> | undefined;
  let settling: NodeJS.Timeout | undefined;
  let settled = Promise.resolve();

  const quietly = (rows: readonly Row[], step: Promise<void>) =>
    step.catch((error: unknown) => {
      for (const row of rows) inHand.delete(row);
      parts.logger.warn({ err: error, rows: rows.length }, 'outbox rows are left to the sweeper');
    });
  /** Resolves when everything published so far is deleted. */
  const settle = (): Promise<void> => {
    clearTimeout(settling);
    settling = undefined;
    const rows = published;
    published = [];
    if (rows.length > 0)
      settled = settled.then(async () => {
        await quietly(rows, parts.settle(rows));
        for (const row of rows) inHand.delete(row);
      });
    return settled;
  };
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const step = async () => {
        await parts.publish(batch);
        crashPoint('published');
        published.push(...batch);
        settling ??= setTimeout(() => void settle(), DELETE_AFTER_MS);
      };
      await quietly(batch, step());
    }
    running = undefined;
  };

  return {
    push(rows) {
      if (rows.length === 0) return;
      for (const row of rows) inHand.add(row);
      waiting.push(...rows);
      running ??= run();
    },
    inProgress: () => [...inHand],
    async flush() {
      await running;
      await settle();
    },
  };
}
