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
import type { PhotoStore } from './photos/store.ts';
import { pictureServer } from './pictures/serve.ts';

export function routes(parts: {
  config: Pick<MediaConfig, 'concurrency' | 'maxDistanceMetres'>;
  service: Pick<OpenService, 'call' | 'clock'>;
  store: PhotoStore;
  objects: PhotoObjects;
  metrics: PhotoMetrics;
  pause: (ms: number) => Promise<unknown>;
  onUpload: () => void;
}): Handlers<typeof mediaEndpoints> {
  const { config, service, store, objects, metrics, pause, onUpload } = parts;
  const { maxDistanceMetres } = config;
  const pictures = pictureServer(objects, metrics);
  return {
    ...intakeRoutes({
      ...{ service, store, metrics, maxDistanceMetres, onUpload },
      // Of its own: who waits for an answer does not wait for jobs.
      limited: limiter(config.concurrency),
    }),
    // By a name that nobody can guess: the same file may have been sent by somebody else before.
    'GET /api/workers/photos/{filename}': async ({ params: { filename } }) => {
      const photo = await store.byFilename(filename);
      if (!photo) throw new Problem('not-found');
      return { filename, state: photo.state };
    },
    'GET /api/photos/{filename}': async ({ params, query, headers }) =>
      pictures.toPublic(await store.byFilename(params.filename), {
        width: Number(query.w),
        accept: headers.accept,
        known: headers['if-none-match'],
      }),
    ...adminRoutes({ service, store, metrics, pictures, pause }),
  };
}
