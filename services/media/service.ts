import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaConfig } from './config.ts';
import { limiter } from './limit.ts';
import { openPhotoMetrics } from './metrics.ts';
import { photoObjects } from './photos/objects.ts';
import { openPhotoStore } from './photos/store.ts';
import { handleJobs } from './pictures/jobs.ts';
import { openPictureProcess } from './pictures/process/client.ts';
import { boundSharp } from './pictures/variants.ts';
import { routes } from './routes.ts';

interface MediaOverrides extends Overrides {
  /** Until no gateway may show what was hidden. */
  pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/** Photos of planted trees: kept at once, shown when their sizes are made. */
export async function startMedia(
  config: MediaConfig,
  { pause = sleep, ...overrides }: MediaOverrides = {},
): Promise<RunningService> {
  boundSharp();
  const { concurrency } = config;
  const service = await openService('media', config, overrides);
  const documents = await service.platform.documents('media');
  const objects = photoObjects(await service.platform.objects('media'));
  const jobs = service.platform.jobs('media');
  const store = await openPhotoStore(documents, objects);
  const metrics = openPhotoMetrics(service.metrics, store);

  const pictures = openPictureProcess();
  const limited = limiter(concurrency);
  await handleJobs({ jobs, store, objects, metrics, pictures, concurrency, limited });
  return service.listen(
    mediaEndpoints,
    routes({ config, service, store, objects, metrics, pause, onUpload: limited.giveWay }),
  );
}
