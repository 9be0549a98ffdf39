import { withContext } from '@arboleda/chassis/context.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import { releaseMemory } from '@arboleda/chassis/http/release-memory.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { JOB_RETRIES, retryDelayMs } from '@arboleda/chassis/retry.ts';
import { SPANS } from '@arboleda/chassis/telemetry/names.ts';
import { traced } from '@arboleda/chassis/telemetry/trace.ts';
import type { Limiter, Urgency } from '../limit.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import { giveUp, moveLease, type Photo, type PictureStep, type Variant } from '../photos/photo.ts';
import type { Photos } from '../photos/photos.ts';
import type { PhotoStore } from '../photos/store.ts';
import { type Format, MODERN_FORMATS } from './formats.ts';
import { PictureFault, type PictureProcess } from './process/client.ts';

/** How long photos of a crashed process wait. */
const LEASE_MS = 15_000;
/** Finds photos that a crash or a busy replica left. */
export const POLL_MS = 5_000;
/** Failures and crashes count alike. High, because a crash is seldom the photo's fault: three hours in all. */
const MAX_TRIES = 30;
const RETRIES = { ...JOB_RETRIES, maxAttempts: MAX_TRIES };
const STOP_WITHIN_MS = 8_000;

export interface Making {
  /** Announces that a photo is due now. */
  wake(): void;
  /** Takes no more, waits for work in progress, and releases slow work. */
  close(): Promise<void>;
}

/** A retry would not help. */
class PermanentFailure extends Error {}

interface Parts {
  store: PhotoStore;
  photos: Photos;
  objects: PhotoObjects;
  metrics: PhotoMetrics;
  pictures: PictureProcess;
  /**
   * Photos whose JPEGs are made concurrently. Newer formats are made one at a time, as nothing depends on
   * them.
   */
  concurrency: number;
  /** Bounds the number of decoded photos in memory. */
  limited: Limiter;
  steps: readonly PictureStep[];
  logger: Logger;
}

export function startMaking(parts: Parts): Making {
  const { store, concurrency, steps, logger } = parts;
  const atOnce: Record<PictureStep, number> = { jpeg: concurrency, modern: 1 };
  const inHand = new Map<Photo, Promise<void>>();
  let isWoken = false;
  let isClosing = false;
  let taking: Promise<void> | undefined;

  const fromNow = (ms: number) => new Date(Date.now() + ms);
  const lease = (photo: Photo, leaseMs: number) =>
    store.change(photo._id, (current) => current && moveLease(current, photo, fromNow(leaseMs)));

  const fail = async (photo: Photo, error: unknown) => {
    const { step, tries } = photo.work!;
    const delayMs = error instanceof PermanentFailure ? undefined : retryDelayMs(RETRIES, tries);
    if (delayMs === undefined) {
      logger.error({ err: error, step, photoId: photo._id }, 'pictures of a photo were given up');
      await store.change(
        photo._id,
        (current) => current && giveUp(current, photo, String(error), new Date()),
      );
      return;
    }
    logger.warn({ err: error, step, tries, delayMs }, 'pictures of a photo will be tried again');
    await lease(photo, delayMs);
    setTimeout(wake, delayMs).unref();
  };

  /** Steps are idempotent: they write the same pictures under the same names. */
  const make = async (photo: Photo) => {
    const renewing = setInterval(() => {
      lease(photo, LEASE_MS).catch((error: unknown) => logger.warn({ err: error }, 'a lease is not renewed'));
    }, LEASE_MS / 3);
    try {
      const { step, tries } = photo.work!;
      if (tries > MAX_TRIES) throw new PermanentFailure('its process died each time');
      await traced({ name: SPANS.makePictures(step), kind: 'consumer', service: 'media' }, () =>
        step === 'jpeg' ? makeReady(parts, photo) : makeModern(parts, photo),
      );
      crashPoint('job-done');
    } catch (error) {
      await fail(photo, error);
    } finally {
      clearInterval(renewing);
    }
  };

  const begin = (photo: Photo) => {
    const made = withContext(photo.work!.context, () => make(photo))
      .catch((error: unknown) => logger.warn({ err: error }, 'a photo waits for the end of its lease'))
      .finally(() => {
        inHand.delete(photo);
        wake();
      });
    inHand.set(photo, made);
  };

  const takeDue = async () => {
    while (!isClosing) {
      const busy = Map.groupBy(inHand.keys(), ({ work }) => work!.step);
      const free = steps.filter((step) => (busy.get(step)?.length ?? 0) < atOnce[step]);
      const photo = free.length > 0 ? await store.lease(free, new Date(), fromNow(LEASE_MS)) : undefined;
      if (!photo) return;
      begin(photo);
    }
  };

  function wake(): void {
    isWoken = true;
    taking ??= (async () => {
      while (isWoken) {
        isWoken = false;
        await takeDue().catch((error: unknown) => logger.warn({ err: error }, 'no photo can be leased'));
      }
      taking = undefined;
    })();
  }
  const polling = setInterval(wake, POLL_MS);
  wake();

  return {
    wake,
    async close() {
      isClosing = true;
      clearInterval(polling);
      await taking;
      await within(STOP_WITHIN_MS, Promise.all(inHand.values()));
      await Promise.all([...inHand.keys()].map((photo) => lease(photo, 0)));
    },
  };
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

/** Makes the photo visible and publishes photo.uploaded once. */
async function makeReady(parts: Parts, photo: Photo): Promise<void> {
  const { photos, metrics, limited } = parts;
  const stop = metrics.variantSeconds.startTimer();
  await limited.hurry(async () => {
    const sizes = await makePictures(parts, photo, ['jpeg'], 'soon');
    await photos.markRepeats(photo);
    await photos.makeReady(photo, sizes);
  });
  stop();
}

async function makeModern(parts: Parts, photo: Photo): Promise<void> {
  const { photos, metrics } = parts;
  const stop = metrics.modernSeconds.startTimer();
  await makePictures(parts, photo, MODERN_FORMATS, 'later');
  await photos.makeModern(photo);
  stop();
}

/**
 * Each picture waits for its turn, so a photo without any picture never waits for long.
 * @returns the sizes in the first format, smallest first
 */
async function makePictures(
  { objects, pictures, limited }: Parts,
  photo: Photo,
  formats: readonly Format[],
  urgency: Urgency,
): Promise<Variant[]> {
  // Read in turn: originals waiting in memory cause garbage collections of 30 ms.
  const decoded = await limited(
    async () => pictures.decode(await objects.original(photo)).catch(unreadable),
    urgency,
  );
  try {
    const sizes: Variant[] = [];
    for (const format of formats) {
      for (const width of decoded.widths) {
        const { bytes, ...size } = await limited(() => decoded.encode(width, format), urgency);
        await objects.keepPicture(photo, { nominalWidth: width, format }, bytes);
        releaseMemory(bytes);
        if (format === formats[0]) sizes.push(size);
      }
    }
    return sizes;
  } finally {
    decoded.release();
  }
}

/** The decoder is deterministic, so a retry would not help. */
function unreadable(error: unknown): never {
  throw error instanceof PictureFault ? new PermanentFailure(error.message, { cause: error }) : error;
}
