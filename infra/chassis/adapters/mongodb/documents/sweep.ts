import type { Collection, UpdateFilter } from 'mongodb';
import type { Logger } from '../../../log.ts';
import type { OutboxEntry } from '../../../outbox/entry.ts';
import { readEntry, type StoredDocument, type Told } from './stored.ts';

const DOCUMENTS_A_TURN = 200;
const AT_ONCE = 4;
/** Far longer than it takes to hand a document's entries over; then another replica tries. */
const LEASE_MS = 30_000;
/** A document whose entries could not be handed over is left alone by this process for so long. */
const LEFT_ALONE_MS = 5_000;

interface SweepParts {
  collections: () => Promise<Collection<StoredDocument>[]>;
  store: (entry: OutboxEntry) => Promise<void>;
  graceMs: number;
  logger: Logger;
}

/**
 * One round over what a crash or an outage left. Entries of one document stay in order; a document whose entries cannot
 * be handed over does not hold up others.
 */
export function openSweep(parts: SweepParts): () => Promise<void> {
  const leftAlone = new Map<string, number>();
  return async () => {
    for (const [key, until] of leftAlone) if (until <= Date.now()) leftAlone.delete(key);
    for (const collection of await parts.collections()) await sweepCollection(collection, leftAlone, parts);
  };
}

const keyOf = (collection: Collection<StoredDocument>, id: string) => `${collection.collectionName}/${id}`;

async function sweepCollection(
  collection: Collection<StoredDocument>,
  leftAlone: Map<string, number>,
  parts: SweepParts,
): Promise<void> {
  const before = new Date(Date.now() - parts.graceMs);
  const own = keyOf(collection, '');
  const spared = [...leftAlone.keys()]
    .filter((key) => key.startsWith(own))
    .map((key) => key.slice(own.length));
  // By the index "outbox".
  const found = await collection
    .find(
      { 'outbox.at': { $lt: before }, ...(spared.length > 0 && { _id: { $nin: spared } }) },
      { projection: { _id: 1 }, sort: { 'outbox.at': 1 }, limit: DOCUMENTS_A_TURN },
    )
    .toArray();
  const ids = found.map((document) => document._id);
  // After a failure a hand rests until the next round: mostly it is the bus that is away, and all would fail.
  const work = async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
      if (await tell(collection, id, before, parts)) continue;
      leftAlone.set(keyOf(collection, id), Date.now() + LEFT_ALONE_MS);
      return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** @returns false when an entry could not be handed over. */
async function tell(
  collection: Collection<StoredDocument>,
  id: string,
  before: Date,
  { store, logger }: SweepParts,
): Promise<boolean> {
  const now = Date.now();
  const leased = await collection.findOneAndUpdate(
    { _id: id, 'outbox.at': { $lt: before }, leasedUntil: { $not: { $gt: new Date(now) } } },
    { $set: { leasedUntil: new Date(now + LEASE_MS) } },
    { returnDocument: 'after' },
  );
  const due = leased?.outbox?.filter((told) => told.at < before) ?? [];
  if (!leased || due.length === 0) return true;
  const done: Told[] = [];
  try {
    for (const told of due) {
      await store(readEntry(told));
      done.push(told);
    }
  } catch (error) {
    logger.warn(
      { err: error, collection: collection.collectionName, id },
      'an outbox entry cannot be handed over yet',
    );
  }
  const settled: UpdateFilter<StoredDocument> = { $unset: { leasedUntil: '' } };
  if (done.length > 0) settled.$pullAll = { outbox: done };
  await collection.updateOne({ _id: id }, settled);
  return done.length === due.length;
}
