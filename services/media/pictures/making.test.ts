import { gate } from '@arboleda/chassis/testing/gate.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { limiter } from '../limit.ts';
import { openPhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import { newWork, type Photo, PICTURE_STEPS, type PictureStep } from '../photos/photo.ts';
import { openPhotos } from '../photos/photos.ts';
import type { PhotoStore } from '../photos/store.ts';
import { type Making, POLL_MS, startMaking } from './making.ts';
import { PictureFault } from './process/client.ts';

const MINUTE_MS = 60_000;

let making: Making | undefined;
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(async () => {
  const closing = making?.close();
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  await closing;
  jest.useRealTimers();
});

/** Photos in memory that wait for a step; `decode` simulates failures. */
function someWork(waiting: Record<string, PictureStep>) {
  const kept = new Map<string, Photo>();
  const add = (id: string, step: PictureStep) =>
    kept.set(id, {
      _id: id,
      filename: `${id}.jpg`,
      contentHash: id,
      assignmentId: 'assignment-1',
      orderId: 'a'.repeat(24),
      workerId: 'worker-1',
      originalName: 'IMG_1.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 1,
      uploadedAt: new Date().toISOString(),
      state: step === 'jpeg' ? 'accepted' : 'ready',
      variants: [],
      flags: [],
      work: newWork(step, { correlationId: 'c' }, new Date()),
    });
  for (const [id, step] of Object.entries(waiting)) add(id, step);
  const behaviour = { isAway: false, decode: async (_id: string): Promise<void> => undefined };
  const leases: string[] = [];
  const store: Pick<PhotoStore, 'get' | 'change' | 'lease' | 'byFilenames' | 'byClientKey' | 'ofFiles'> = {
    get: async (id) => kept.get(id),
    async change(id, decide) {
      const change = decide(kept.get(id));
      if (change) kept.set(id, change.record);
      return kept.get(id);
    },
    async lease(steps, now, until) {
      if (behaviour.isAway) throw new Error('the database is away');
      const due = [...kept.values()].find(
        ({ work }) => work?.dueAt && steps.includes(work.step) && work.dueAt <= now.toISOString(),
      );
      if (!due?.work) return undefined;
      leases.push(due._id);
      const leased = {
        ...due,
        work: { ...due.work, tries: due.work.tries + 1, dueAt: until.toISOString() },
      };
      kept.set(due._id, leased);
      return leased;
    },
    byFilenames: async () => [],
    byClientKey: async () => undefined,
    ofFiles: async () => [],
  };
  const objects = {
    original: async ({ _id }: Photo) => Buffer.from(_id),
    keepPicture: async () => undefined,
  } as Partial<PhotoObjects> as PhotoObjects;
  const pictures = {
    async decode(original: Uint8Array) {
      await behaviour.decode(Buffer.from(original).toString());
      const encode = async (nominalWidth: number) => ({
        nominalWidth,
        width: 1,
        height: 1,
        bytes: Buffer.from('x'),
      });
      return { widths: [320], encode, release: () => undefined };
    },
  };
  const start = (steps: readonly PictureStep[] = PICTURE_STEPS) => {
    making = startMaking({
      store: store as PhotoStore,
      photos: openPhotos(store, objects),
      objects,
      metrics: openPhotoMetrics({ registry: new Registry() } as Parameters<typeof openPhotoMetrics>[0], {
        count: async () => 0,
      }),
      pictures,
      concurrency: 2,
      limited: limiter(9),
      steps,
      logger: pino({ level: 'silent' }),
    });
    return making;
  };
  return { kept, add, behaviour, leases, start, photo: (id: string) => kept.get(id)! };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('photos get their JPEGs, then their newer formats', async () => {
  const { photo, start } = someWork({ one: 'jpeg', two: 'jpeg', three: 'jpeg' });
  start();
  await pass(100);
  for (const id of ['one', 'two', 'three']) {
    expect(photo(id)).toMatchObject({ state: 'ready', hasModern: true });
    expect(photo(id)).not.toHaveProperty('work');
  }
});

test('JPEGs are made concurrently up to the limit, newer formats one at a time', async () => {
  const ended = gate();
  const { behaviour, leases, start } = someWork({
    a: 'jpeg',
    b: 'jpeg',
    c: 'jpeg',
    d: 'modern',
    e: 'modern',
  });
  behaviour.decode = () => ended.opened;
  start();
  await pass(100);
  expect(leases).toEqual(['a', 'b', 'd']);
  ended.open();
  await pass(100);
  expect([...new Set(leases)].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a new photo is processed at once when announced, else within seconds', async () => {
  const { add, photo, start } = someWork({});
  const { wake } = start();
  await pass(100);
  add('told', 'jpeg');
  wake();
  await pass(10);
  expect(photo('told').state).toBe('ready');
  add('found', 'jpeg');
  await pass(POLL_MS + 500);
  expect(photo('found').state).toBe('ready');
});

test('a lease is renewed during processing', async () => {
  const ended = gate();
  const { behaviour, leases, photo, start } = someWork({ slow: 'jpeg' });
  behaviour.decode = () => ended.opened;
  start();
  await pass(MINUTE_MS);
  expect(leases).toEqual(['slow']);
  expect(Date.parse(photo('slow').work!.dueAt!)).toBeGreaterThan(Date.now());
  ended.open();
  await pass(100);
  expect(photo('slow').state).toBe('ready');
});

test('a failure is retried with growing delays, and given up in the end', async () => {
  const { behaviour, leases, photo, start } = someWork({ one: 'jpeg' });
  behaviour.decode = () => Promise.reject(new Error('no memory'));
  start();
  await pass(1_500);
  expect(leases).toHaveLength(3);
  await pass(24 * 60 * MINUTE_MS);
  expect(leases).toHaveLength(30);
  expect(photo('one')).toMatchObject({ state: 'unshowable', flags: ['cannot-be-shown'] });
  expect(photo('one').work!.givenUp!.error).toBe('Error: no memory');
});

test('an unreadable file is given up at once', async () => {
  const { behaviour, leases, photo, start } = someWork({ bad: 'jpeg', good: 'jpeg' });
  behaviour.decode = async (id) => {
    if (id === 'bad') throw new PictureFault('unsupported image format');
  };
  start();
  await pass(100);
  expect(leases.filter((id) => id === 'bad')).toHaveLength(1);
  expect([photo('bad').state, photo('good').state]).toEqual(['unshowable', 'ready']);
});

test('a photo in process at too many crashes is given up', async () => {
  const { kept, photo, start } = someWork({ deadly: 'jpeg' });
  const { work, ...rest } = photo('deadly');
  kept.set('deadly', { ...rest, work: { ...work!, tries: 30 } });
  start();
  await pass(100);
  expect(photo('deadly').work!.givenUp!.error).toContain('its process died each time');
});

test('processing continues after the database was unavailable', async () => {
  const { behaviour, photo, start } = someWork({ one: 'jpeg' });
  behaviour.isAway = true;
  start();
  await pass(MINUTE_MS);
  expect(photo('one').state).toBe('accepted');
  behaviour.isAway = false;
  await pass(POLL_MS + 500);
  expect(photo('one').state).toBe('ready');
});

test('a stop waits for work in progress, releases slow work, and takes nothing more', async () => {
  const ended = gate();
  const { behaviour, add, leases, photo, start } = someWork({ quick: 'jpeg', slow: 'jpeg' });
  behaviour.decode = (id) => (id === 'quick' ? new Promise((done) => setTimeout(done, 5_000)) : ended.opened);
  const { close, wake } = start(['jpeg']);
  await pass(100);
  const closing = close();
  add('late', 'jpeg');
  wake();
  await pass(9_000);
  await closing;
  expect(photo('quick').state).toBe('ready');
  expect(photo('slow')).toMatchObject({ state: 'accepted', work: { tries: 1 } });
  expect(Date.parse(photo('slow').work!.dueAt!)).toBeLessThanOrEqual(Date.now());
  expect(leases).toEqual(['quick', 'slow']);
  ended.open();
});
