import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { PhotoMetrics } from './metrics.ts';
import { type PhotoStore, VARIANTS_JOB } from './store.ts';
import { makeVariants } from './variants.ts';

/** Makes accepted photos visible. Safe to repeat: the same variants under the same names, one photo.uploaded. */
export async function handleJobs(
  jobs: Jobs,
  store: PhotoStore,
  metrics: PhotoMetrics,
  concurrency: number,
): Promise<void> {
  await jobs.handle(
    VARIANTS_JOB,
    async ({ photoId }) => {
      const photo = await store.get(String(photoId));
      if (!photo || photo.state === 'ready') return;
      const stop = metrics.variantSeconds.startTimer();
      await store.makeReady(photo, await makeVariants(await store.original(photo)));
      stop();
    },
    { concurrency },
  );
}
