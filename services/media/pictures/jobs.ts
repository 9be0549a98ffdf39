import { spend } from '@arboleda/chassis/http/spent.ts';
import { Hopeless, type Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Limiter, Urgency } from '../limit.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import type { Photo, Variant } from '../photos/photo.ts';
import { MODERN_JOB, type PhotoStore, VARIANTS_JOB } from '../photos/store.ts';
import { type Format, MODERN_FORMATS } from './formats.ts';
import { PictureFault, type PictureProcess } from './process/client.ts';

/** What fails so often is no passing fault, and its JPEGs are there. */
const MODERN_ATTEMPTS = 6;

interface Parts {
  jobs: Jobs;
  store: PhotoStore;
  objects: PhotoObjects;
  metrics: PhotoMetrics;
  pictures: PictureProcess;
  concurrency: number;
  /** Bounds how many photos are in memory as pixels. */
  limited: Limiter;
}

/** The work on photos that nobody waits for. All of it is safe to repeat: the same pictures under the same names. */
export async function handleJobs(parts: Parts): Promise<void> {
  const { jobs, concurrency } = parts;
  await jobs.handle(VARIANTS_JOB, ({ photoId }) => makeReady(parts, String(photoId)), {
    concurrency,
    onDead: ({ photoId }) => parts.store.makeUnshowable(String(photoId)),
  });
  await jobs.handle(MODERN_JOB, ({ photoId }) => makeModern(parts, String(photoId)), {
    concurrency: 1,
    maxAttempts: MODERN_ATTEMPTS,
  });
}

/** Makes an accepted photo visible; one photo.uploaded, however often it runs. */
async function makeReady(parts: Parts, id: string): Promise<void> {
  const { store, metrics, limited } = parts;
  const photo = await store.get(id);
  if (!photo || photo.state === 'ready') return;
  const stop = metrics.variantSeconds.startTimer();
  await limited.hurry(async () => {
    const sizes = await makePictures(parts, photo, ['jpeg'], 'soon');
    await store.markRepeats(photo);
    await store.makeReady(photo, sizes);
  });
  stop();
}

async function makeModern(parts: Parts, id: string): Promise<void> {
  const { store, metrics } = parts;
  const photo = await store.get(id);
  if (!photo || photo.state !== 'ready' || photo.modern === 'made') return;
  const stop = metrics.modernSeconds.startTimer();
  await makePictures(parts, photo, MODERN_FORMATS, 'later');
  await store.makeModern(photo);
  stop();
}

/**
 * One picture at a time has its turn, so that a photo that has nothing to show yet never waits for long.
 * @returns the sizes in the first of the formats, smallest first
 */
async function makePictures(
  { objects, pictures, limited }: Parts,
  photo: Photo,
  formats: readonly Format[],
  urgency: Urgency,
): Promise<Variant[]> {
  // Read when its turn has come: originals that wait are what media's memory is collected for, in pauses of 30 ms.
  const decoded = await limited(
    async () => pictures.decode(await objects.original(photo)).catch(hopelessWhenFaulty),
    urgency,
  );
  try {
    const sizes: Variant[] = [];
    for (const format of formats) {
      for (const width of decoded.widths) {
        const { bytes, ...size } = await limited(() => decoded.encode(width, format), urgency);
        await objects.keepPicture(photo, { nominalWidth: width, format }, bytes);
        spend(bytes);
        if (format === formats[0]) sizes.push(size);
      }
    }
    return sizes;
  } finally {
    decoded.release();
  }
}

function hopelessWhenFaulty(error: unknown): never {
  throw error instanceof PictureFault ? new Hopeless(error.message, { cause: error }) : error;
}
