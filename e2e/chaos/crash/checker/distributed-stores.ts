import { Kafka, logLevel } from 'kafkajs';
import { Client as MinioClient } from 'minio';
import { MongoClient } from 'mongodb';
import { buffer } from 'node:stream/consumers';
import { postgresStores, type Stores } from './stores.ts';

const SQL_SERVICES = ['auth', 'pricing', 'payments', 'notifications'];
const DOCUMENT_SERVICES = ['orders', 'assignments', 'media'];
/** Services that listen to events. */
const GROUPS = ['payments', 'orders', 'assignments', 'notifications'];
const EVERY = /^every:/;
const LOOK_AT_KAFKA_EVERY_MS = 1_000;

export interface Places {
  databaseUrl: string;
  mongodbUrl: string;
  brokers: string[];
  s3: { endpoint: string; accessKey: string; secretKey: string; bucketPrefix: string };
}

interface Told {
  outbox?: { at: Date }[];
}

/** The distributed tier, each engine through its own client. */
export async function distributedStores(places: Places): Promise<Stores> {
  const postgres = postgresStores(places.databaseUrl, SQL_SERVICES);
  const mongo = await new MongoClient(places.mongodbUrl).connect();
  const { hostname: endPoint, port } = new URL(places.s3.endpoint);
  const { accessKey, secretKey, bucketPrefix } = places.s3;
  const minio = new MinioClient({ endPoint, port: Number(port), useSSL: false, accessKey, secretKey });
  const kafka = await openKafka(places.brokers);

  const untold = async (service: string) => {
    const db = mongo.db(service);
    const names = (await db.listCollections({}, { nameOnly: true }).toArray())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('_') && !name.startsWith('system.'));
    const found = await Promise.all(
      names.map((name) =>
        db
          .collection<Told>(name)
          .find({ 'outbox.at': { $gt: new Date(0) } }, { projection: { outbox: 1 } })
          .toArray(),
      ),
    );
    return found.flat().flatMap(({ outbox = [] }) => outbox.map(({ at }) => at.getTime()));
  };
  const jobs = async (service: string) =>
    (
      await mongo
        .db(service)
        .collection('_jobs')
        .find({}, { projection: { name: 1 } })
        .toArray()
    ).filter(({ name }) => !EVERY.test(String(name)));
  const ofAll = async (count: (service: string) => Promise<number>) =>
    (await Promise.all(DOCUMENT_SERVICES.map(count))).reduce((sum, one) => sum + one, 0);

  return {
    rows: postgres.rows,
    documents: async <T>(service: string, collection: string) =>
      (await mongo.db(service).collection<{ doc: T }>(collection).find().toArray()).map(
        ({ doc }) => doc as T,
      ),
    async object(bucket, key) {
      try {
        return await buffer(await minio.getObject(`${bucketPrefix}${bucket}`, key));
      } catch {
        return undefined;
      }
    },
    leftovers: async () => [
      ...(await postgres.leftovers()),
      {
        what: 'entries of documents’ outboxes',
        count: await ofAll(async (name) => (await untold(name)).length),
      },
      { what: 'jobs beside documents', count: await ofAll(async (name) => (await jobs(name)).length) },
      {
        what: 'dead jobs beside documents',
        count: await ofAll((name) => mongo.db(name).collection('_dead_jobs').countDocuments()),
      },
      { what: 'events that a group has not handled', count: await kafka.lag() },
      { what: 'dead letters in topics', count: await kafka.deadLetters() },
    ],
    async oldestWaiting() {
      const oldest = await postgres.oldestWaiting();
      const waits = (service: string, since: number) =>
        oldest.set(service, Math.min(since, oldest.get(service) ?? Infinity));
      for (const service of DOCUMENT_SERVICES) {
        for (const at of await untold(service)) waits(service, at);
        for (const { _id } of await jobs(service)) {
          if (typeof _id === 'object') waits(service, _id.getTimestamp().getTime());
        }
      }
      for (const [group, since] of kafka.behindSince()) waits(group, since);
      return oldest;
    },
    async close() {
      await Promise.all([postgres.close(), mongo.close(), kafka.close()]);
    },
  };
}

/** Asks the brokers how far each group is; they do not say since when it is behind, so that is watched. */
async function openKafka(brokers: string[]) {
  const admin = new Kafka({ brokers, clientId: 'checker', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const behind = new Map<string, number>();
  const lastLevel = new Map<string, number>();
  let isClosed = false;

  const lagOf = async (group: string): Promise<number> => {
    const offsets = await admin.fetchOffsets({ groupId: group });
    let lag = 0;
    for (const { topic, partitions } of offsets) {
      const ends = new Map(
        (await admin.fetchTopicOffsets(topic)).map((end) => [end.partition, Number(end.high)]),
      );
      for (const { partition, offset } of partitions) {
        if (Number(offset) >= 0) lag += Math.max(0, (ends.get(partition) ?? 0) - Number(offset));
      }
    }
    return lag;
  };
  const look = async () => {
    for (const group of GROUPS) {
      const askedAt = Date.now();
      const lag = await lagOf(group).catch(() => Number.NaN);
      if (lag === 0) {
        behind.delete(group);
        lastLevel.set(group, askedAt);
      } else behind.set(group, lastLevel.get(group) ?? askedAt);
    }
  };
  const watching = (async () => {
    while (!isClosed) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_AT_KAFKA_EVERY_MS));
    }
  })();
  return {
    behindSince: () => behind,
    lag: async () => (await Promise.all(GROUPS.map(lagOf))).reduce((sum, lag) => sum + lag, 0),
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
