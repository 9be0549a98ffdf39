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
  /** What is being handled, and not for too long: the sweeper leaves it alone. */
  inHand(): Row[];
  /** Resolves when everything that was pushed has been tried, and what was handed over is out of the outbox. */
  flush(): Promise<void>;
}

interface Ways {
  bus: Pick<EventBus, 'publish' | 'handOver'>;
  jobs: Pick<Jobs, 'enqueue' | 'handOver'>;
}

/**
 * Hands over all events in one call, and all jobs in another. Resolves when what comes later can be handed over, with a promise
 * for each entry that resolves when it need not be kept any more.
 */
export async function handOver(entries: readonly OutboxEntry[], to: Ways): Promise<Promise<unknown>[]> {
  const events = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));
  const handed = events.length > 0 ? [...(await to.bus.handOver(events))] : [];
  const jobs = entries.flatMap((entry) => ('job' in entry ? [{ ...entry.job, context: entry.context }] : []));
  // What becomes of jobs spoils no event.
  const given =
    jobs.length === 0
      ? []
      : await to.jobs.handOver(jobs).then(
          (kept) => [...kept],
          (error: unknown) => jobs.map(() => Promise.reject(error)),
        );
  return entries.map((entry) => ('event' in entry ? handed.shift()! : given.shift()!));
}

/** Stores one entry where it is handled from. */
export const store = (entry: OutboxEntry, to: Ways): Promise<void> =>
  'event' in entry
    ? to.bus.publish([entry.event])
    : to.jobs.enqueue([{ ...entry.job, context: entry.context }]);

/**
 * So long what was handed over stays in the outbox, to be taken out together with what comes after it. Far below the age at which
 * sweepers hand it over once more; whoever gets it twice takes it once.
 */
const SETTLE_AFTER_MS = 200;
/** What is still being handled then may be handed over by the sweeper too. */
const IN_HAND_AT_MOST_MS = 30_000;

export function openRelay<Row extends OutboxRow>(parts: {
  handOver: (entries: readonly OutboxEntry[]) => Promise<Promise<unknown>[]>;
  /** Takes what was handed over out of the outbox. */
  settle: (rows: readonly Row[]) => Promise<void>;
  logger: Logger;
}): Relay<Row> {
  let waiting: Row[] = [];
  let handedOver: Row[] = [];
  const inHand = new Map<Row, { since: number; done: Promise<void> }>();
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
  const finish = async (row: Row, handled: Promise<unknown>) => {
    await handled;
    crashPoint('published');
    handedOver.push(row);
    settling ??= setTimeout(() => void settle(), SETTLE_AFTER_MS);
  };
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await attempt(batch, async () => {
        const handling = await parts.handOver(batch.map((row) => row.entry));
        batch.forEach((row, at) => {
          const done = attempt([row], () => finish(row, handling[at]!)).then(() => void inHand.delete(row));
          inHand.set(row, { since: Date.now(), done });
        });
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
    inHand() {
      const latest = Date.now() - IN_HAND_AT_MOST_MS;
      return [...inHand].flatMap(([row, { since }]) => (since > latest ? [row] : []));
    },
    async flush() {
      await running;
      await Promise.all([...inHand.values()].map(({ done }) => done));
      await settle();
    },
  };
}
