import type { Collection as MongoCollection } from 'mongodb';
import { toEntries } from '../../../outbox/entry.ts';
import {
  type Change,
  type Collection,
  type CollectionDefinition,
  type Document,
  UniqueViolation,
  type Where,
} from '../../../ports/documents.ts';
import { sumsBy } from '../../sums.ts';
import { isDuplicate } from '../client.ts';
import type { Outbox } from './outbox.ts';
import { storedField, toFilter, toFind } from './query.ts';
import { type StoredDocument, type Told, toTold } from './stored.ts';
import { openTurns } from '../../../turns.ts';
import { crashPoint } from '../../../crash-point.ts';

const TRIES = 100;
const LONGEST_PAUSE_MS = 50;
/** How many consumed events a document remembers; a repetition comes soon after the first delivery. */
const CONSUMED_KEPT = 200;

/** One kind of document in a collection of its own. */
export function openCollection<T extends Document>(parts: {
  collection: MongoCollection<StoredDocument>;
  definition: CollectionDefinition;
  outbox: Outbox;
  clock: () => Date;
}): Collection<T> {
  const { collection, definition, outbox, clock } = parts;
  // Only other processes' changes can come between: those of this one would mostly fail against each other.
  const inTurn = openTurns();

  const read = (id: string, projection: Partial<Record<keyof StoredDocument, 1>>) =>
    collection.findOne({ _id: id }, { projection }) as Promise<StoredDocument<T> | null>;

  /** @returns false when somebody else wrote between. */
  const write = async (
    id: string,
    stored: StoredDocument | null,
    change: Change<T>,
    eventId?: string,
  ): Promise<boolean> => {
    if (change.document._id !== id)
      throw new Error(`document ${change.document._id} was decided on as ${id}`);
    const version = (stored?.version ?? 0) + 1;
    const told = toTold(toEntries(change.events, change.jobs, version, clock()));
    if (told.length > 0) crashPoint('before-commit');
    try {
      if (stored) {
        const { matchedCount } = await collection.updateOne(
          { _id: id, version: stored.version },
          { $set: { doc: change.document, version }, ...appended(eventId, told) },
        );
        if (matchedCount === 0) return false;
      } else {
        await collection.insertOne({
          _id: id,
          version,
          doc: change.document,
          ...(eventId !== undefined && { consumed: [eventId] }),
          ...(told.length > 0 && { outbox: told }),
        });
      }
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const index = await refusingIndex(collection, definition, change.document);
      if (index !== undefined) throw new UniqueViolation(index);
      return false;
    }
    if (told.length > 0) crashPoint('after-commit');
    outbox.committed(collection, id, told);
    return true;
  };

  /** Nothing is to be changed, but the event shall not be decided on again. */
  const remember = async (id: string, version: number, eventId: string): Promise<boolean> => {
    const { matchedCount } = await collection.updateOne({ _id: id, version }, appended(eventId, []));
    return matchedCount === 1;
  };

  /**
   * One figure at a time: of several in one group FerretDB tells the first alone.
   * @param summed what each document adds
   */
  const groupedBy = async (
    by: string,
    summed: 1 | `$${string}`,
    where?: Where,
    atMost?: number,
  ): Promise<Record<string, number>> => {
    const group = storedField(by);
    const groups = await collection
      .aggregate<{ _id: unknown; figure: number }>([
        { $match: { $and: [toFilter(where), { [group]: { $ne: null } }] } },
        ...(atMost === undefined ? [] : [{ $limit: atMost }]),
        { $group: { _id: `$${group}`, figure: { $sum: summed } } },
      ])
      .toArray();
    return Object.fromEntries(groups.map(({ _id, figure }) => [String(_id), figure]));
  };

  return {
    get: async (id) => (await read(id, { doc: 1 }))?.doc,

    async find(query) {
      const { filter, ...how } = toFind(query);
      if (query.limit === 0) return [];
      const found = await collection.find(filter, how).toArray();
      return found.map((stored) => stored.doc as T);
    },

    async count(where, { atMost } = {}) {
      // To MongoDB none is no limit.
      if (atMost === 0) return 0;
      return collection.countDocuments(toFilter(where), atMost === undefined ? {} : { limit: atMost });
    },

    async countBy(field, where, { atMost } = {}) {
      return atMost === 0 ? {} : groupedBy(field, 1, where, atMost);
    },

    async sum(field, where) {
      const [all] = await collection
        .aggregate<{ total: number }>([
          { $match: toFilter(where) },
          { $group: { _id: null, total: { $sum: `$${storedField(field)}` } } },
        ])
        .toArray();
      return all?.total ?? 0;
    },

    async figuresBy(by, summed, where) {
      const [counts, ...sums] = await Promise.all([
        groupedBy(by, 1, where),
        ...summed.map((field) => groupedBy(by, `$${storedField(field)}`, where)),
      ]);
      const figuresOf = (value: string) => sumsBy(summed, (at) => sums[at]![value] ?? 0);
      return Object.fromEntries(
        Object.entries(counts).map(([value, count]) => [value, { count, sums: figuresOf(value) }]),
      );
    },

    change: (id, decide, { eventId, isNew } = {}) =>
      inTurn(id, async () => {
        const first = isNew ? decide(undefined) : undefined;
        if (first && (await write(id, null, first, eventId))) return first.document;
        for (let tries = 1; tries <= TRIES; tries++) {
          const stored = await read(id, {
            doc: 1,
            version: 1,
            ...(eventId !== undefined && { consumed: 1 }),
          });
          if (eventId !== undefined && stored?.consumed?.includes(eventId)) return stored.doc;
          const change = decide(stored?.doc);
          if (change) {
            if (await write(id, stored, change, eventId)) return change.document;
          } else if (!stored || eventId === undefined || (await remember(id, stored.version, eventId))) {
            return stored?.doc;
          }
          await pause(tries);
        }
        throw new Error(`${definition.name} ${id} is being changed by too many at once`);
      }),
  };
}

function appended(eventId: string | undefined, told: readonly Told[]) {
  const $push = {
    ...(eventId !== undefined && { consumed: { $each: [eventId], $slice: -CONSUMED_KEPT } }),
    ...(told.length > 0 && { outbox: { $each: [...told] } }),
  };
  return Object.keys($push).length > 0 ? { $push } : {};
}

/**
 * Which unique index refused a document: the one under which another has what it wants. None when it was the id that
 * another insertion took meanwhile, or the other is gone again.
 */
async function refusingIndex(
  collection: MongoCollection<StoredDocument>,
  definition: CollectionDefinition,
  document: Document,
): Promise<string | undefined> {
  for (const index of definition.indexes) {
    if ('list' in index || !index.unique) continue;
    const { name, fields } = index;
    const [field] = Object.keys(fields);
    if (field === undefined) continue;
    const value = valueAt(document, field);
    if (value === undefined) continue;
    const other = await collection.findOne(
      { [storedField(field)]: { $eq: value }, _id: { $ne: document._id } },
      { projection: { _id: 1 } },
    );
    if (other) return name;
  }
  return undefined;
}

const valueAt = (document: object, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

const pause = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 * tries, LONGEST_PAUSE_MS)));
