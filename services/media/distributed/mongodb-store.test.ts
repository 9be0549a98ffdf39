import { type Mongo, openMongo } from '@arboleda/chassis/adapters/mongodb/client.ts';
import { isConnectionError } from '@arboleda/chassis/connect-retry.ts';
import { startMongo, type TestMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { StoredPhoto } from '../photos/mongodb-outbox.ts';
import { openMongoPhotos } from '../photos/mongodb-store.ts';
import { becomeReady, newWork, type Photo } from '../photos/photo.ts';
import { photoStoreConformance } from '../test/store-conformance.ts';

const logger = pino({ level: 'silent' });

let server: TestMongo;
let mongo: Mongo;
beforeAll(async () => {
  server = await startMongo();
  mongo = openMongo(server.url, logger);
}, 120_000);
afterAll(async () => {
  await mongo.close();
  await server.stop();
});

type Publish = (events: readonly ArboledaEvent[]) => Promise<void>;
const open = (publish: Publish, service = `media-${randomUUID().slice(0, 8)}`) =>
  openMongoPhotos({ db: mongo.database(service), bus: { publish }, logger });

photoStoreConformance(async () => {
  const events: ArboledaEvent[] = [];
  const store = await open(async (some) => void events.push(...some));
  return { store, published: () => events, close: () => store.close() };
});

describe('photo events on MongoDB', () => {
  const service = `media-${randomUUID().slice(0, 8)}`;
  const now = new Date();
  const opened: { close(): Promise<void> }[] = [];
  const start = async (publish: Publish) => {
    const store = await open(publish, service);
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  const collection = () => mongo.database(service).collection<StoredPhoto>('photos');
  const idsOf = (events: readonly ArboledaEvent[]) =>
    events.map(({ data }) => (data as { photoId: string }).photoId);
  const aPhoto = (): Photo => ({
    _id: randomUUID(),
    filename: `${randomUUID()}.jpg`,
    contentHash: randomUUID(),
    assignmentId: 'assignment-1',
    orderId: 'a'.repeat(24),
    workerId: 'worker-1',
    originalName: 'IMG_1.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 1,
    uploadedAt: now.toISOString(),
    state: 'accepted',
    variants: [],
    flags: [],
    work: newWork('jpeg', { correlationId: 'c' }, now),
  });
  /** Stores a photo and makes it ready, which publishes an event. */
  const publishOne = async (store: Awaited<ReturnType<typeof start>>) => {
    const photo = aPhoto();
    await store.change(photo._id, () => ({ record: photo }), { isNew: true });
    await store.change(
      photo._id,
      (current) => current && becomeReady(current, [{ nominalWidth: 320, width: 320, height: 240 }], now),
    );
    return photo._id;
  };
  /** Simulates a process that died a minute ago between its write and the publishing. */
  const leave = async () => {
    const dying = await open(() => Promise.reject(new Error('dead')), service);
    const id = await publishOne(dying);
    await dying.close();
    const outbox = (await collection().findOne({ _id: id }))!.outbox!;
    const old = outbox.map((entry) => ({ ...entry, at: new Date(now.getTime() - 60_000) }));
    await collection().updateOne({ _id: id }, { $set: { outbox: old } });
    return id;
  };

  test('leave the outbox empty once published', async () => {
    const events: ArboledaEvent[] = [];
    const store = await start(async (some) => void events.push(...some));
    const id = await publishOne(store);
    await waitFor(async () => (await collection().findOne({ _id: id }))?.outbox?.length === 0);
    expect(idsOf(events)).toEqual([id]);
    expect(await store.outboxAgeMs()).toBe(0);
  });

  test('of a process that died are published by the next one', async () => {
    const id = await leave();
    const events: ArboledaEvent[] = [];
    const store = await start(async (some) => void events.push(...some));
    await waitFor(async () => (await store.outboxAgeMs()) === 0);
    expect(idsOf(events)).toEqual([id]);
  });

  test('that cannot be published do not block others', async () => {
    const [stuck, well] = [await leave(), await leave()];
    const events: ArboledaEvent[] = [];
    const store = await start(async (some) => {
      if (idsOf(some).includes(stuck)) throw new Error('too bitter');
      events.push(...some);
    });
    await waitFor(() => events.length > 0);
    expect(idsOf(events)).toEqual([well]);
    expect(await store.outboxAgeMs()).toBeGreaterThan(0);
    await collection().deleteOne({ _id: stuck });
  });
});

describe('an unavailable MongoDB', () => {
  const work = async (store: Awaited<ReturnType<typeof open>>) => {
    const now = new Date();
    const tries = [
      store.get('a'),
      store.change('a', () => undefined),
      store.lease(['jpeg'], now, now),
      store.count('jpeg'),
      store.check(),
    ];
    return (await Promise.allSettled(tries)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
  };

  test.each([
    ['for some seconds', () => server.pause(), () => server.resume()],
    ['because it was stopped', () => server.halt(), () => server.start()],
  ])(
    '%s is unavailable, and everything works afterwards',
    async (_name, takeAway, giveBack) => {
      const store = await open(async () => undefined);
      await takeAway();
      const faults = await waitFor(async () => {
        const all = await work(store);
        return all.length > 0 && all;
      }, 40_000);
      expect(faults.filter((fault) => !isConnectionError(fault))).toEqual([]);
      await giveBack();
      await waitFor(async () => (await work(store)).length === 0, 40_000);
      await store.close();
    },
    120_000,
  );

  test('that comes after its service is connected to all the same', async () => {
    await server.halt();
    const early = openMongo(server.url, logger);
    const tried = await early.connect().catch((error: unknown) => error);
    expect(isConnectionError(tried)).toBe(true);
    await server.start();
    await waitFor(() =>
      early.connect().then(
        () => true,
        () => false,
      ),
    );
    expect(await early.database('media').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await early.close();
  }, 120_000);
});
