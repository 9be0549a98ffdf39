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
import type { Photo } from './photos/photo.ts';
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
    'GET /api/workers/photos': async ({ person }) => {
      const found = await store.flagged(
        { flag: 'cannot-be-shown', isHidden: false, workerId: person.id },
        { limit: MOST_UNSHOWABLE },
      );
      const answers = await Promise.all(found.map((photo) => wasTakenAgain(photo, store)));
      return {
        photos: found
          .filter((_photo, at) => !answers[at])
          .map(({ filename, originalName, assignmentId, growthVisitId, uploadedAt }) => ({
            filename,
            originalName,
            assignmentId,
            growthVisitId,
            uploadedAt,
          })),
      };
    },
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

/** Bounds of what a worker is asked to take again, and of what is searched for the photos that answer it. */
const MOST_UNSHOWABLE = 20;
const MOST_LATER = 100;

async function wasTakenAgain(unshowable: Photo, store: PhotoStore): Promise<boolean> {
  const { _id, uploadedAt, orderId, assignmentId, growthVisitId } = unshowable;
  const later = await store.ofOrder(orderId, { after: [uploadedAt, _id], limit: MOST_LATER });
  return later.some(
    (photo) =>
      photo.state === 'ready' && photo.assignmentId === assignmentId && photo.growthVisitId === growthVisitId,
  );
}
