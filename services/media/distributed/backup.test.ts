import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import { openMinioObjects } from '@arboleda/chassis/adapters/minio/minio.ts';
import { openMongo } from '@arboleda/chassis/adapters/mongodb/client.ts';
import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { type Frame, readFrames, withEnding } from '@arboleda/chassis/backup/format.ts';
import { openSession } from '@arboleda/chassis/backup/rows.ts';
import { copyService, requireEmpty, restoreService } from '@arboleda/chassis/backup/service.ts';
import type { ServiceStores } from '@arboleda/chassis/backup/stores.ts';
import { all } from '@arboleda/chassis/testing/all.ts';
import { startMinio, type TestMinio } from '@arboleda/chassis/testing/containers/minio.ts';
import { startMongo, type TestMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
import { startTestPostgres, type TestPostgres } from '@arboleda/chassis/testing/postgres.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { documents } from '../backup.ts';
import { openMongoPhotos } from '../photos/mongodb-store.ts';
import { becomeReady, newWork, type Photo } from '../photos/photo.ts';

const logger = pino({ level: 'silent' });
const MORE_THAN_A_PAGE = 510;

let [mongo, minio, postgres]: [TestMongo, TestMinio, TestPostgres] = [] as never;
let client: pg.Client;
let folder: string;
beforeAll(async () => {
  [mongo, minio, postgres] = await Promise.all([startMongo(), startMinio(), startTestPostgres()]);
  client = await openSession(postgres.url);
  folder = await mkdtemp(join(tmpdir(), 'arboleda-media-'));
}, 180_000);
afterAll(async () => {
  await client?.end();
  await Promise.all([mongo?.stop(), minio?.stop(), postgres?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const aPhoto = (more: Partial<Photo> = {}): Photo => ({
  _id: randomUUID(),
  filename: `${randomUUID()}.jpg`,
  contentHash: randomUUID(),
  assignmentId: 'assignment-1',
  orderId: 'a'.repeat(24),
  workerId: 'worker-1',
  originalName: 'IMG_1.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 3,
  uploadedAt: new Date().toISOString(),
  state: 'accepted',
  variants: [],
  flags: [],
  ...more,
});

async function* each<T>(parts: readonly T[]) {
  yield* parts;
}
const copied = async (stores: ServiceStores): Promise<Frame[]> =>
  all(readFrames(withEnding(copyService(stores))));
const documentsIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ header }) => (header.kind === 'document' ? [header.document] : []));

test('photos and their files move from MongoDB and MinIO to PostgreSQL and a folder, and back', async () => {
  const urlOf = (name: string) => Object.assign(new URL(mongo.url), { pathname: `/${name}` }).href;
  const source = openMongo(urlOf('source'), logger);
  const store = await openMongoPhotos({
    db: source.database('media'),
    // Kafka is away, so events stay in the photos.
    bus: { publish: () => Promise.reject(new Error('Kafka is away')) },
    logger,
  });
  const context = { correlationId: 'c' };
  const ready = becomeReady(
    aPhoto({ work: newWork('jpeg', context, new Date()), flags: ['far-from-place'] }),
    [{ nominalWidth: 320, width: 320, height: 240 }],
    new Date(),
  )!;
  await store.change(ready.record._id, () => ready, { isNew: true });
  const writer = await documents.toMongodb(urlOf('source'));
  for (let n = 1; n < MORE_THAN_A_PAGE; n++)
    await writer.write({
      version: n,
      photo: aPhoto(n % 2 ? { clientKey: `key-${n}` } : { takenAt: '2026-05-01' }),
    });
  await writer.close();
  const objects = await openMinioObjects({ ...minio, bucket: 'from-here' });
  const bytes = randomBytes(300_000);
  await objects.put('originals/one.jpg', bytes, 'image/jpeg');
  await objects.put('variants/empty', Buffer.alloc(0), 'text/plain');

  const inMongo = { service: 'media', mongodbUrl: urlOf('source'), documents, objects } as const;
  const frames = await copied(inMongo);
  expect(documentsIn(frames)).toHaveLength(MORE_THAN_A_PAGE);
  const outbox = frames.flatMap(({ header }) => (header.kind === 'outbox' ? [header.event.type] : []));
  expect(outbox).toEqual(ready.events!.map(({ type }) => type));
  expect(outbox).toContain('photo.uploaded');

  const files = await openFileObjects(join(folder, 'media'));
  const inPostgres = { service: 'media', client, documents, objects: files } as const;
  await requireEmpty(inPostgres);
  const prepare = () => prepareTables({ databaseUrl: postgres.url, service: 'media', logger });
  await restoreService(inPostgres, each(frames), prepare);
  expect(Buffer.from((await files.read('originals/one.jpg'))!).equals(bytes)).toBe(true);
  expect((await files.info('variants/empty'))!.contentType).toBe('text/plain');
  await expect(requireEmpty(inPostgres)).rejects.toThrow('The database of media is not empty');

  const there = await copied(inPostgres);
  const back = await openMinioObjects({ ...minio, bucket: 'back-again' });
  const inMongoAgain = { service: 'media', mongodbUrl: urlOf('again'), documents, objects: back } as const;
  await restoreService(inMongoAgain, each(there), prepare);
  expect(documentsIn(await copied(inMongoAgain))).toEqual(documentsIn(frames));
  expect(Buffer.from((await back.read('originals/one.jpg'))!).equals(bytes)).toBe(true);
  await expect(requireEmpty(inMongoAgain)).rejects.toThrow('not empty');

  await store.close();
  await source.close();
}, 180_000);
