import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Binary, Double, Long, MongoClient, ObjectId } from 'mongodb';
import { openMinioObjects } from '../adapters/minio/minio.ts';
import { dumpDocuments, restoreDocuments } from '../backup/documents.ts';
import { linesOf } from '../backup/format.ts';
import { dumpObjects, restoreObjects } from '../backup/objects.ts';
import { startMinio, type TestMinio } from '../testing/containers/minio.ts';
import { startMongo, type TestMongo } from '../testing/containers/mongodb.ts';
import { all } from '../testing/all.ts';

async function* each<T>(parts: readonly T[]) {
  yield* parts;
}

describe('documents', () => {
  let server: TestMongo;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startMongo();
    client = await new MongoClient(server.url).connect();
  }, 120_000);
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  test('are restored with their types, and with indexes that enforce uniqueness', async () => {
    const from = client.db('from');
    const documents = [
      {
        _id: 'a',
        at: new Date(7),
        n: 1,
        big: Long.fromString('9007199254740993'),
        nested: { list: [1, 'x', null] },
      },
      { _id: 'b', rate: new Double(1), bytes: new Binary(Buffer.from('tree')), ref: new ObjectId() },
      { _id: 'ñ', text: 'line\nline "quoted"', none: null },
    ];
    await from.collection<{ _id: string }>('photos').insertMany(documents);
    await from.collection('photos').createIndex({ text: 1 }, { name: 'by text', unique: true, sparse: true });
    await from.collection('leaves').insertMany(Array.from({ length: 450 }, (_, n) => ({ n })));
    await from.createCollection('empty');
    const lines = await all(dumpDocuments(from));
    expect(lines).toHaveLength(3 + 3 + 450 + 1);

    const to = client.db('to');
    await restoreDocuments(to, each(lines));
    expect(await all(dumpDocuments(to))).toEqual(lines);
    const raw = (db: typeof to) =>
      db
        .collection('photos')
        .find({}, { sort: { _id: 1 }, promoteValues: false })
        .toArray();
    expect(await raw(to)).toEqual(await raw(from));
    const twice = to
      .collection<{ _id: string; text: string }>('photos')
      .insertOne({ _id: 'c', text: 'line\nline "quoted"' });
    await expect(twice).rejects.toThrow();
    await expect(restoreDocuments(to, each(lines))).rejects.toThrow('is not empty');
  });
});

describe('the command', () => {
  const MAIN = join(import.meta.dirname, '..', 'backup', 'main.ts');
  let server: TestMongo;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startMongo();
    client = await new MongoClient(server.url).connect();
  }, 120_000);
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const command = (action: string) =>
    spawn(process.execPath, [MAIN, 'documents', action], {
      env: { ...process.env, SERVICE: 'services/media', MONGODB_URL: server.url, KAFKA_BROKERS: 'none:1' },
    });

  test('waits for a slow reader, and rejects an incomplete dump of documents', async () => {
    const db = client.db('media');
    const many = Array.from({ length: 5_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
    await db.collection('photos').insertMany(many);
    const dump = command('dump');
    const parts: Buffer[] = [];
    for await (const part of dump.stdout as AsyncIterable<Buffer>) {
      parts.push(part);
      await new Promise(setImmediate);
    }
    const dumped = Buffer.concat(parts);
    expect(dumped.toString().trim().split('\n').at(-1)).toBe('{"end":{"photos":5000}}');
    expect(await all(linesOf(each([dumped])))).toHaveLength(5_002);

    await db.dropDatabase();
    const restore = command('restore');
    const complaint = text(restore.stderr);
    restore.stdin.end(dumped.subarray(0, dumped.length - 2_000));
    expect(await once(restore, 'exit')).toEqual([1, null]);
    expect(await complaint).not.toBe('');
  }, 60_000);
});

describe('objects', () => {
  let minio: TestMinio;
  beforeAll(async () => {
    minio = await startMinio();
  }, 120_000);
  afterAll(() => minio?.stop());

  test('are restored byte by byte, and only into an empty bucket', async () => {
    const [from, to] = ['from-here', 'to-there'].map((bucket) => ({ ...minio, bucket })) as [never, never];
    const store = await openMinioObjects(from);
    const photo = randomBytes(300_000);
    await store.put('photos/2026/one.jpg', photo, 'image/jpeg');
    await store.put('empty', Buffer.alloc(0), 'text/plain');
    const frames = await all(dumpObjects(from));
    expect(frames).toHaveLength(2 + 1);
    await restoreObjects(to, each(frames));
    const copy = await openMinioObjects(to);
    expect(Buffer.from((await copy.read('photos/2026/one.jpg'))!).equals(photo)).toBe(true);
    expect(await copy.info('photos/2026/one.jpg')).toEqual(await store.info('photos/2026/one.jpg'));
    expect(Buffer.concat(await all(dumpObjects(to)))).toEqual(Buffer.concat(frames));
    await expect(restoreObjects(to, each(frames))).rejects.toThrow('is not empty');
  });
});
