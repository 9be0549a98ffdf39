import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { adminRoutes } from './admin/routes.ts';
import type { MediaConfig } from './config.ts';
import { intakeRoutes } from './intake/routes.ts';
import { limiter } from './limit.ts';
import type { PhotoMetrics } from './metrics.ts';
import type { PhotoObjects } from './photos/objects.ts';
import type { Photos } from './photos/photos.ts';
import type { PhotoStore } from './photos/store.ts';
import { pictureServer } from './pictures/serve.ts';

export function routes(parts: {
  config: Pick<MediaConfig, 'concurrency' | 'maxDistanceMetres'>;
  service: Pick<OpenService, 'call' | 'clock'>;
  store: PhotoStore;
  photos: Photos;
  objects: PhotoObjects;
  metrics: PhotoMetrics;
  onUpload: () => void;
  onKept: () => void;
}): Handlers<typeof mediaEndpoints> {
  const { config, service, store, photos, objects, metrics, onUpload, onKept } = parts;
  const { maxDistanceMetres } = config;
  const pictures = pictureServer(objects, metrics);
  return {
    ...intakeRoutes({
      service,
      store,
      photos,
      metrics,
      maxDistanceMetres,
      onUpload,
      onKept,
      // A separate limiter, so that uploads do not wait for processing.
      limited: limiter(config.concurrency),
    }),
    // By the random name, as another worker may have sent the same file before.
    'GET /api/workers/photos/{filename}': async ({ params: { filename } }) => {
      const photo = await photos.byFilename(filename);
      if (!photo) throw new Problem('not-found');
      return { filename, state: photo.state };
    },
    'GET /api/photos/{filename}': async ({ params, query, headers }) =>
      pictures.toPublic(await photos.byFilename(params.filename), {
        width: Number(query.w),
        accept: headers.accept,
      }),
    ...adminRoutes({ service, store, photos, metrics, pictures }),
  };
}
