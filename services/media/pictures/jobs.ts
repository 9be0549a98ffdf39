import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Limiter } from '../limit.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import { contentHash } from '../photos/photo.ts';
import { MODERN_JOB, type PhotoStore, VARIANTS_JOB } from '../photos/store.ts';
import { MODERN_FORMATS } from './formats.ts';
import { decode, makeVariants } from './variants.ts';

const BACK_FILL_EVERY_MS = 60_000;
/** Old photos whose newer formats are ordered at a time: never so many that new ones wait long. */
const BACK_FILL_AT_ONCE = 20;
/** What fails so often is no passing fault, and its JPEGs are there. */
const MODERN_ATTEMPTS = 6;

interface Parts {
  jobs: Jobs;
  store: PhotoStore;
  objects: PhotoObjects;
  metrics: PhotoMetrics;
  concurrency: number;
  /** Bounds how many photos are in memory as pixels. */
  limited: Limiter;
}

/** The work on photos that nobody waits for. All of it is safe to repeat: the same pictures under the same names. */
export async function handleJobs(parts: Parts): Promise<void> {
  const { jobs, concurrency } = parts;
  await jobs.handle(VARIANTS_JOB, ({ photoId }) => makeReady(parts, String(photoId)), { concurrency });
  await jobs.handle(MODERN_JOB, ({ photoId }) => makeModern(parts, String(photoId)), {
    concurrency: 1,
    maxAttempts: MODERN_ATTEMPTS,
  });
  await jobs.every('back-fill', BACK_FILL_EVERY_MS, () => backFill(parts));
}

/** Makes an accepted photo visible; one photo.uploaded, however often it runs. */
async function makeReady({ store, objects, metrics, limited }: Parts, id: string): Promise<void> {
  const photo = await store.get(id);
  if (!photo || photo.state === 'ready') return;
  const stop = metrics.variantSeconds.startTimer();
  const original = await objects.original(photo);
  const made = await limited(() => makeVariants(original), 'soon');
  for (const { nominalWidth, bytes } of made) {
    await objects.keepPicture(photo, { nominalWidth, format: 'jpeg' }, bytes);
  }
  await store.markRepeats(photo);
  const sizes = made.map(({ nominalWidth, width, height }) => ({ nominalWidth, width, height }));
  await store.makeReady(photo, sizes);
  stop();
}

/** One picture at a time has its turn, so that a photo that has nothing to show yet never waits for long. */
async function makeModern({ store, objects, metrics, limited }: Parts, id: string): Promise<void> {
  const photo = await store.get(id);
  if (!photo || photo.state !== 'ready' || photo.modern === 'made') return;
  const stop = metrics.modernSeconds.startTimer();
  const original = await objects.original(photo);
  const decoded = await limited(() => decode(original), 'later');
  for (const format of MODERN_FORMATS) {
    for (const { nominalWidth } of photo.variants) {
      const { bytes } = await limited(() => decoded.encode(nominalWidth, format), 'later');
      await objects.keepPicture(photo, { nominalWidth, format }, bytes);
    }
  }
  const hash = contentHash(original);
  await store.makeModern(photo, hash);
  if (!photo.contentHash) await store.markRepeats({ ...photo, contentHash: hash });
  stop();
}

/** Orders the newer formats of photos from before there were any, some at a time until all have them. */
async function backFill({ store, jobs }: Pick<Parts, 'store' | 'jobs'>): Promise<void> {
  const [awaiting, dead] = await Promise.all([store.countAwaitingModern(), jobs.deadJobs()]);
  // Nothing comes of those that were given up: they hold up no others.
  const givenUp = dead.filter(({ name }) => name === MODERN_JOB).length;
  const free = Math.min(BACK_FILL_AT_ONCE, BACK_FILL_AT_ONCE - awaiting + givenUp);
  if (free <= 0) return;
  const next = await store.find({
    where: { state: 'ready' },
    // Documents without the field come first.
    sort: [{ field: 'modern', direction: 'asc' }],
    limit: free,
  });
  for (const photo of next.filter(({ modern }) => !modern)) await store.awaitModern(photo);
}
