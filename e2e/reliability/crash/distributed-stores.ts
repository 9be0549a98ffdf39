import { Kafka, logLevel } from 'kafkajs';
import { Client as MinioClient } from 'minio';
import { MongoClient } from 'mongodb';
import { buffer } from 'node:stream/consumers';
import {
  earlier,
  type Offsets,
  openBehind,
  postgresStores,
  type StoredPhoto,
  type Stores,
} from './stores.ts';

const SQL_SERVICES = ['auth', 'pricing', 'payments', 'orders', 'assignments', 'notifications'];
/** Services that listen to events. */
const GROUPS = ['payments', 'orders', 'assignments', 'notifications'];

export interface Places {
  databaseUrl: string;
  mongodbUrl: string;
  brokers: string[];
  s3: { endpoint: string; accessKey: string; secretKey: string; bucketPrefix: string };
}

interface Told {
  outbox?: { at: Date }[];
}
interface PhotoDocument extends Told {
  photo: StoredPhoto & { uploadedAt: string; work?: { step: string } };
}

/** The distributed tier, each engine through its own client. */
export async function distributedStores(places: Places): Promise<Stores> {
  const postgres = postgresStores(places.databaseUrl, SQL_SERVICES);
  const mongo = await new MongoClient(places.mongodbUrl).connect();
  // It stands in for MongoDB where tests run without a registry, and reads whole collections for each question.
  const { ferretdbVersion } = await mongo.db('admin').command({ buildInfo: 1 });
  const { hostname: endPoint, port } = new URL(places.s3.endpoint);
  const { accessKey, secretKey, bucketPrefix } = places.s3;
  const minio = new MinioClient({ endPoint, port: Number(port), useSSL: false, accessKey, secretKey });
  const kafka = await watchGroups(places.brokers, GROUPS);

  const photos = mongo.db('media').collection<PhotoDocument>('photos');
  /** Photos that have something to publish, or pictures to be made. */
  const photosLeft = () =>
    photos
      .find({ $or: [{ 'outbox.at': { $gt: new Date(0) } }, { 'photo.work.step': { $exists: true } }] })
      .toArray();

  return {
    rows: postgres.rows,
    judgesRecovery: ferretdbVersion === undefined,
    photos: async () => (await photos.find().toArray()).map(({ photo }) => photo),
    async object(bucket, key) {
      try {
        return await buffer(await minio.getObject(`${bucketPrefix}${bucket}`, key));
      } catch {
        return undefined;
      }
    },
    leftovers: async () => [
      ...(await postgres.leftovers()),
      { what: 'photos with events or pictures to be made', count: (await photosLeft()).length },
      { what: 'events that a group has not handled', count: await kafka.lag() },
      { what: 'dead letters in topics', count: await kafka.deadLetters() },
    ],
    async oldestWaiting() {
      const oldest = await postgres.oldestWaiting();
      const waits = (service: string, since: number) => earlier(oldest, service, since);
      for (const { outbox = [], photo } of await photosLeft()) {
        for (const { at } of outbox) waits('media', at.getTime());
        if (photo.work?.step === 'jpeg') waits('media', Date.parse(photo.uploadedAt));
      }
      for (const [group, since] of kafka.behindSince()) waits(group, since);
      return oldest;
    },
    async close() {
      await Promise.all([postgres.close(), mongo.close(), kafka.close()]);
    },
  };
}

const LOOK_EVERY_MS = 1_000;

/** How far groups of consumers are, as the brokers tell. */
export interface Groups {
  /** Since when groups that are behind are so. */
  behindSince(): ReadonlyMap<string, number>;
  /** How many events are not handled. */
  lag(): Promise<number>;
  /** How many are in topics of dead letters. */
  deadLetters(): Promise<number>;
  close(): Promise<void>;
}

async function watchGroups(brokers: string[], names: readonly string[]): Promise<Groups> {
  const admin = new Kafka({ brokers, clientId: 'checker', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const watched = names.map((name) => ({ name, since: openBehind() }));
  const behind = new Map<string, number>();
  let isClosed = false;

  /** Ends are asked for first: what comes meanwhile is handled of none. */
  const offsetsOf = async (groupId: string): Promise<{ ends: Offsets; handled: Offsets }> => {
    const topics = (await admin.fetchOffsets({ groupId })).map(({ topic }) => topic);
    const ends = new Map<string, number>();
    for (const topic of topics) {
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, Number(high));
    }
    const handled = new Map<string, number>();
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId })) {
      // A partition of which it has committed nothing yet says -1.
      for (const { partition, offset } of partitions)
        if (Number(offset) >= 0) handled.set(`${topic}/${partition}`, Number(offset));
    }
    return { ends, handled };
  };
  const look = async () => {
    for (const { name, since } of watched) {
      const at = Date.now();
      const offsets = await offsetsOf(name).catch(() => undefined);
      if (!offsets) continue;
      const time = since({ at, ...offsets });
      if (time === undefined) behind.delete(name);
      else behind.set(name, time);
    }
  };
  const watching = (async () => {
    while (!isClosed) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  return {
    behindSince: () => behind,
    async lag() {
      const all = await Promise.all(names.map(offsetsOf));
      const lagOf = ({ ends, handled }: { ends: Offsets; handled: Offsets }) =>
        [...handled].reduce(
          (sum, [partition, offset]) => sum + Math.max(0, (ends.get(partition) ?? 0) - offset),
          0,
        );
      return all.reduce((sum, offsets) => sum + lagOf(offsets), 0);
    },
    async deadLetters() {
      const topics = (await admin.listTopics()).filter((topic) => topic.endsWith('.dead-letters'));
      const offsets = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
      return offsets.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
    },
    async close() {
      isClosed = true;
      await watching;
      await admin.disconnect();
    },
  };
}
