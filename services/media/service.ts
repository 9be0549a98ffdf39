import { repeat } from '@arboleda/chassis/repeat.ts';
import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import type { MediaConfig } from './config.ts';
import { limiter } from './limit.ts';
import { openPhotoMetrics } from './metrics.ts';
import { photoObjects } from './photos/objects.ts';
import { sweepOrphans } from './photos/orphans.ts';
import { PICTURE_STEPS, type PictureStep } from './photos/photo.ts';
import { openPhotos } from './photos/photos.ts';
import { openPhotoStore } from './photos/open-store.ts';
import { startMaking } from './pictures/making.ts';
import { openPictureProcess } from './pictures/process/client.ts';
import { boundSharp } from './pictures/variants.ts';
import { routes } from './routes.ts';

const ORPHANS_EVERY_MS = 24 * 3_600_000;

interface MediaOverrides extends Overrides {
  /** Processing steps of this process; all by default. */
  steps?: readonly PictureStep[] | undefined;
}

/** Photos of planted trees: stored on upload, shown once processed. */
export async function startMedia(
  config: MediaConfig,
  { steps = PICTURE_STEPS, ...overrides }: MediaOverrides = {},
): Promise<RunningService> {
  boundSharp();
  const { concurrency } = config;
  const service = await openService('media', config, overrides);
  const { logger } = service;
  const store = await openPhotoStore(service.platform, logger);
  service.onClose(() => store.close());
  const bucket = await service.platform.objects('media');
  const objects = photoObjects(bucket);
  const photos = openPhotos(store, objects);
  const metrics = openPhotoMetrics(service.metrics, store);

  const limited = limiter(concurrency);
  const making = startMaking({
    store,
    photos,
    objects,
    metrics,
    pictures: openPictureProcess(),
    concurrency,
    limited,
    steps,
    logger,
  });
  service.onClose(() => making.close());
  const sweeping = repeat(
    ORPHANS_EVERY_MS,
    () => sweepOrphans({ store, objects: bucket, logger }),
    logger,
    'sweep of orphaned originals',
  );
  service.onClose(() => sweeping.stop());
  return service.listen(
    mediaEndpoints,
    routes({
      config,
      service,
      store,
      photos,
      objects,
      metrics,
      onUpload: limited.noteUpload,
      onKept: making.wake,
    }),
  );
}
