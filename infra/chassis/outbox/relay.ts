import { crashPoint } from '../crash-point.ts';
import type { Logger } from '../log.ts';

/** Publishes committed rows of an outbox in order, a batch at a time. */
export interface Relay<Row> {
  /** Returns at once. What fails stays in the outbox for the sweeper. */
  push(rows: readonly Row[]): void;
  /** What is being published, or was and is still in the outbox: the sweeper leaves it alone. */
  inHand(): Row[];
  /** Resolves when everything that was pushed has been tried, and what was published is out of the outbox. */
  flush(): Promise<void>;
}

/**
 * So long what was published stays in the outbox, to be removed together with what comes after it. Far below the age at which
 * sweepers publish it once more; whoever gets it twice takes it once.
 */
const SETTLE_AFTER_MS = 200;

export function openRelay<Row>(parts: {
  /** Resolves when the bus has all of them. */
  publish: (rows: readonly Row[]) => Promise<void>;
  /** Takes what was published out of the outbox. */
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
  /** @returns when all that was published so far is settled, by an earlier call too */
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
        settling ??= setTimeout(() => void settle(), SETTLE_AFTER_MS);
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
    inHand: () => [...inHand],
    async flush() {
      await running;
      await settle();
    },
  };
}
