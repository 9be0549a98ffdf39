import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import type { MediaConfig } from './config.ts';
import { handleJobs } from './jobs.ts';
import { openPhotoMetrics } from './metrics.ts';
import { routes } from './routes.ts';
import { openPhotoStore } from './store.ts';
import { boundSharp } from './variants.ts';

/** Photos of planted trees: kept at once, shown when their sizes are made. */
export async function startMedia(config: MediaConfig, overrides: Overrides = {}): Promise<RunningService> {
  boundSharp();
  const { concurrency } = config;
  const service = await openService('media', config, overrides);
  const documents = await service.platform.documents('media');
  const objects = await service.platform.objects('media');
  const jobs = service.platform.jobs('media');
  const store = await openPhotoStore(documents, objects);
  const metrics = openPhotoMetrics(service.metrics, store.countWaiting);

  await handleJobs(jobs, store, metrics, concurrency);
  return service.listen(mediaEndpoints, routes({ service, store, metrics, concurrency }));
}
