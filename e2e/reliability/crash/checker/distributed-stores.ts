import { Client as MinioClient } from 'minio';
import { MongoClient } from 'mongodb';
import { buffer } from 'node:stream/consumers';
import { watchGroups } from './groups.ts';
import { earlier, postgresStores, type StoredPhoto, type Stores } from './stores.ts';

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
