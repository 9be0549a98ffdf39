import { isDuplicate } from '@arboleda/chassis/adapters/mongodb/client.ts';
import { currentContext } from '@arboleda/chassis/context.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import { toEnvelope } from '@arboleda/chassis/events/envelope.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { EventBus } from '@arboleda/chassis/ports/event-bus.ts';
import { type Change, UniqueViolation } from '@arboleda/chassis/records.ts';
import { linkTrace, traceHeaders } from '@arboleda/chassis/telemetry/trace.ts';
import type { Db, Filter, IndexDescription } from 'mongodb';
import { openOutbox, OUTBOX_INDEX, type StoredPhoto, toEntry } from './mongodb-outbox.ts';
import { type Photo, PICTURE_STEPS } from './photo.ts';
import type { Page, PhotoStore } from './store.ts';

const INDEXES = [
  OUTBOX_INDEX,
  { name: 'filename', key: { 'photo.filename': 1 }, unique: true },
  // Sparse: photos without a key do not collide.
  { name: 'clientKey', key: { 'photo.clientKey': 1 }, unique: true, sparse: true },
  { name: 'contentHash', key: { 'photo.contentHash': 1 } },
  { name: 'order', key: { 'photo.orderId': 1, 'photo.uploadedAt': 1, _id: 1 } },
  { name: 'flagged', key: { isFlagged: 1, 'photo.uploadedAt': 1, _id: 1 } },
  { name: 'flag', key: { 'photo.flags': 1, 'photo.uploadedAt': 1, _id: 1 } },
  { name: 'work', key: { 'photo.work.step': 1, 'photo.work.dueAt': 1 }, sparse: true },
] as const satisfies readonly IndexDescription[];

const TRIES = 100;
const LONGEST_PAUSE_MS = 50;
const MOST_OF_FILES = 200;
const MOST_GIVEN_UP = 1_000;

/** @throws the driver's errors while MongoDB is unavailable */
export async function openMongoPhotos(parts: {
  db: Db;
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
}): Promise<PhotoStore & { outboxAgeMs(): Promise<number> }> {
  const photos = parts.db.collection<StoredPhoto>('photos');
  for (const { key, ...options } of INDEXES) await photos.createIndex(key, options);
  const outbox = openOutbox({ ...parts, photos });

  const find = async (filter: Filter<StoredPhoto>, limit: number) =>
    (await photos.find(filter, { projection: { photo: 1 }, limit }).toArray()).map(({ photo }) => photo);

  /** Links what is done about a photo to the trace of its upload. */
  const read = async (id: string) => {
    const stored = await photos.findOne(
      { _id: id },
      { projection: { photo: 1, version: 1, traceparent: 1 } },
    );
    linkTrace(stored?.traceparent);
    return stored ?? undefined;
  };

  const page = async (filter: Filter<StoredPhoto>, direction: 1 | -1, { after, limit }: Page) => {
    const found = await photos
      .find(after ? { $and: [filter, ...behind(after, direction)] } : filter, {
        projection: { photo: 1 },
        sort: { 'photo.uploadedAt': direction, _id: direction },
        limit,
      })
      .toArray();
    return found.map(({ photo }) => photo);
  };

  /** @returns false when another write came first */
  const write = async (
    stored: StoredPhoto | undefined,
    { record: photo, events = [] }: Change<Photo>,
  ): Promise<boolean> => {
    const { _id } = photo;
    const version = (stored?.version ?? 0) + 1;
    const isFlagged = photo.flags.length > 0;
    const entries = events.map((event) => toEntry(toEnvelope(event, version, new Date(), currentContext())));
    if (entries.length > 0) crashPoint('before-commit');
    if (stored) {
      const { matchedCount } = await photos.updateOne(
        { _id, version: stored.version },
        {
          $set: { photo, version, isFlagged },
          ...(entries.length > 0 && { $push: { outbox: { $each: entries } } }),
        },
      );
      if (matchedCount === 0) return false;
    } else {
      try {
        await photos.insertOne({
          _id,
          version,
          photo,
          isFlagged,
          ...traceHeaders(),
          ...(entries.length > 0 && { outbox: entries }),
        });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        if (await photos.findOne({ _id }, { projection: { _id: 1 } })) return false;
        throw new UniqueViolation('photos.clientKey');
      }
    }
    if (entries.length > 0) crashPoint('after-commit');
    outbox.publish(_id, entries);
    return true;
  };

  return {
    engine: 'mongodb',
    check: async () => void (await parts.db.command({ ping: 1 })),
    close: outbox.close,
    outboxAgeMs: outbox.ageMs,

    get: async (id) => (await read(id))?.photo,

    async change(id, decide, { isNew } = {}) {
      const first = isNew ? decide(undefined) : undefined;
      if (first && (await write(undefined, first))) return first.record;
      for (let tries = 1; tries <= TRIES; tries++) {
        const stored = await read(id);
        const change = decide(stored?.photo);
        if (!change) return stored?.photo;
        if (await write(stored, change)) return change.record;
        await pause(tries);
      }
      throw new Error(`photo ${id} is being changed by too many at once`);
    },

    byFilenames: (filenames) => find({ 'photo.filename': { $in: [...filenames] } }, filenames.length),
    byClientKey: async (clientKey) => (await find({ 'photo.clientKey': clientKey }, 1))[0],
    ofFiles: (contentHashes) => find({ 'photo.contentHash': { $in: [...contentHashes] } }, MOST_OF_FILES),
    ofOrder: (orderId, of) => page({ 'photo.orderId': orderId }, 1, of),
    flagged: ({ flag, isHidden, orderId, workerId }, of) =>
      page(
        {
          isFlagged: true,
          ...(flag && { 'photo.flags': flag }),
          ...(isHidden !== undefined && { 'photo.hidden': { $exists: isHidden } }),
          ...(orderId !== undefined && { 'photo.orderId': orderId }),
          ...(workerId !== undefined && { 'photo.workerId': workerId }),
        },
        -1,
        of,
      ),

    async lease(steps, now, until) {
      const leased = await photos.findOneAndUpdate(
        { 'photo.work.step': { $in: [...steps] }, 'photo.work.dueAt': { $lte: now.toISOString() } },
        {
          $set: { 'photo.work.dueAt': until.toISOString() },
          $inc: { version: 1, 'photo.work.tries': 1 },
        },
        { sort: { 'photo.work.step': 1, 'photo.work.dueAt': 1 }, returnDocument: 'after' },
      );
      return leased?.photo;
    },

    async givenUp() {
      const given = await photos
        .find(GIVEN_UP, { projection: { photo: 1 }, sort: { 'photo.uploadedAt': 1 }, limit: MOST_GIVEN_UP })
        .toArray();
      return given.map(({ photo }) => photo);
    },
    count: (what) =>
      photos.countDocuments(
        what === 'givenUp' ? GIVEN_UP : { 'photo.work.step': what, 'photo.work.dueAt': { $exists: true } },
      ),
  };
}

const GIVEN_UP: Filter<StoredPhoto> = {
  'photo.work.step': { $in: [...PICTURE_STEPS] },
  'photo.work.dueAt': { $exists: false },
};

/** The first condition follows from the second, but lets an index scan start there. */
function behind([uploadedAt, id]: readonly [string, string], direction: 1 | -1): Filter<StoredPhoto>[] {
  const beyond = direction === 1 ? '$gt' : '$lt';
  return [
    { 'photo.uploadedAt': { [`${beyond}e`]: uploadedAt } },
    {
      $or: [
        { 'photo.uploadedAt': { [beyond]: uploadedAt } },
        { 'photo.uploadedAt': uploadedAt, _id: { [beyond]: id } },
      ],
    },
  ];
}

const pause = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 * tries, LONGEST_PAUSE_MS)));
