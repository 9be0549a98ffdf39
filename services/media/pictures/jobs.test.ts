import type { DeadJob, Jobs } from '@arboleda/chassis/ports/jobs.ts';
import { expect, test } from '@jest/globals';
import { limiter } from '../limit.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import type { Photo } from '../photos/photo.ts';
import { MODERN_JOB, type PhotoStore, VARIANTS_JOB } from '../photos/store.ts';
import { handleJobs } from './jobs.ts';
import type { PictureProcess } from './process/client.ts';

/** What one turn of the back-fill orders, when so many photos wait already and so many jobs were given up. */
async function ordered({ awaiting = 0, dead = [] as string[], old = 30 }): Promise<number> {
  const photos = Array.from(
    { length: old },
    (_, index) => ({ _id: `photo-${index}`, state: 'ready' }) as Photo,
  );
  let count = 0;
  let turn = async (): Promise<void> => {};
  const jobs: Pick<Jobs, 'handle' | 'every' | 'deadJobs'> = {
    handle: async () => {},
    every: async (_name, _intervalMs, run) => void (turn = run),
    deadJobs: async () => dead.map((name) => ({ name }) as DeadJob),
  };
  const store: Pick<PhotoStore, 'countAwaitingModern' | 'find' | 'awaitModern'> = {
    countAwaitingModern: async () => awaiting,
    find: async ({ limit }) => photos.slice(0, limit),
    awaitModern: async () => void count++,
  };
  await handleJobs({
    jobs: jobs as Jobs,
    store: store as PhotoStore,
    objects: {} as PhotoObjects,
    metrics: {} as PhotoMetrics,
    pictures: {} as PictureProcess,
    concurrency: 1,
    limited: limiter(1),
  });
  await turn();
  return count;
}

test('old photos are given newer formats some at a time', async () => {
  expect(await ordered({})).toBe(20);
  expect(await ordered({ old: 3 })).toBe(3);
  expect(await ordered({ awaiting: 15 })).toBe(5);
  expect(await ordered({ awaiting: 20 })).toBe(0);
});

test('photos that were given up do not keep the others waiting', async () => {
  expect(await ordered({ awaiting: 20, dead: Array<string>(20).fill(MODERN_JOB) })).toBe(20);
  expect(await ordered({ awaiting: 20, dead: [MODERN_JOB, VARIANTS_JOB] })).toBe(1);
  expect(await ordered({ awaiting: 0, dead: Array<string>(50).fill(MODERN_JOB) })).toBe(20);
});
