import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import type { Logger } from '../../../log.ts';
import type { OutboxEntry } from '../../../outbox/entry.ts';
import { handOver, openRelay, store } from '../../../outbox/relay.ts';
import type { EventBus } from '../../../ports/event-bus.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { repeat } from '../../../repeat.ts';
import { readEntry, type StoredDocument, type Told } from './stored.ts';
import { openSweep } from './sweep.ts';

/** What documents have decided to say, kept in them until it is handed over. */
export interface Outbox {
  /** To be called with what was written. */
  committed(collection: Collection<StoredDocument>, id: string, told: readonly Told[]): void;
  /** Age of the oldest entry; 0 when there is none. */
  ageMs(): Promise<number>;
  /** Hands over what is pushed, and stops. */
  close(): Promise<void>;
}

export interface OutboxParts {
  db: Db;
  bus: Pick<EventBus, 'publish' | 'handOver'>;
  jobs: Pick<Jobs, 'enqueue' | 'handOver'>;
  logger: Logger;
  /** How old an entry must be before the sweeper takes it from the relay of the process that wrote it. */
  graceMs?: number;
}

const GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 1_000;
const LONG_AGO = new Date(0);

interface Row {
  collection: Collection<StoredDocument>;
  id: string;
  told: Told;
  entry: OutboxEntry;
}

export function openOutbox(parts: OutboxParts): Outbox {
  const { db, logger } = parts;
  const relay = openRelay<Row>({ handOver: (entries) => handOver(entries, parts), settle, logger });
  const sweep = openSweep({
    collections: () => documentCollections(db),
    store: (entry) => store(entry, parts),
    graceMs: parts.graceMs ?? GRACE_MS,
    logger,
  });
  const sweeper = repeat(SWEEP_EVERY_MS, sweep, logger, 'outbox sweep');
  return {
    committed: (collection, id, told) =>
      relay.push(told.map((one) => ({ collection, id, told: one, entry: readEntry(one) }))),
    async ageMs() {
      const oldest = await Promise.all((await documentCollections(db)).map(oldestEntry));
      const times = oldest.flatMap((at) => (at ? [at.getTime()] : []));
      return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times));
    },
    async close() {
      await sweeper.stop();
      await relay.flush();
    },
  };
}

/** Has nothing to do with the version: it neither disturbs a change nor is it undone by one. */
async function settle(rows: readonly Row[]): Promise<void> {
  for (const [collection, own] of Map.groupBy(rows, (row) => row.collection)) {
    const settled = [...Map.groupBy(own, (row) => row.id)].map(
      ([id, ofOne]): AnyBulkWriteOperation<StoredDocument> => ({
        updateOne: {
          filter: { _id: id },
          update: { $pullAll: { outbox: ofOne.map((row) => row.told) } },
        },
      }),
    );
    await collection.bulkWrite(settled, { ordered: false });
  }
}

/** Those of this service's other processes as well; names that begin with _ are not of documents. */
async function documentCollections(db: Db): Promise<Collection<StoredDocument>[]> {
  const all = await db.listCollections({}, { nameOnly: true }).toArray();
  return all
    .filter(({ name }) => !name.startsWith('_') && !name.startsWith('system.'))
    .map(({ name }) => db.collection<StoredDocument>(name));
}

/** By the index "outbox". */
async function oldestEntry(collection: Collection<StoredDocument>): Promise<Date | undefined> {
  const found = await collection.findOne(
    { 'outbox.at': { $gt: LONG_AGO } },
    { sort: { 'outbox.at': 1 }, projection: { 'outbox.at': 1 } },
  );
  return found?.outbox?.map((told) => told.at).reduce((a, b) => (a < b ? a : b));
}
