import { cursorOf, pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { AdminPhoto, mediaAdminEndpoints } from '@arboleda/contracts/endpoints/media-admin.ts';
import { id, instant } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';
import type { PhotoMetrics } from '../metrics.ts';
import type { Photo } from '../photos/photo.ts';
import type { Photos } from '../photos/photos.ts';
import type { Page, PhotoStore } from '../photos/store.ts';
import type { PictureServer } from '../pictures/serve.ts';

/** Cursor of a page: the last photo's uploadedAt and _id. Opaque to callers. */
export const { encode: encodeCursor, decode: decodeCursor } = cursorOf(z.tuple([instant, id]));

/** Photos for admins, and decisions on their visibility. */
export function adminRoutes(parts: {
  service: Pick<OpenService, 'clock'>;
  store: PhotoStore;
  photos: Photos;
  metrics: PhotoMetrics;
  pictures: PictureServer;
}): Handlers<typeof mediaAdminEndpoints> {
  const { service, store, photos, metrics, pictures } = parts;

  const viewed = async (some: readonly Photo[]) => {
    const repeated = some.filter(({ flags }) => flags.includes('used-elsewhere'));
    const sameFiles = await photos.ofFiles(repeated.map(({ contentHash }) => contentHash));
    return some.map((photo) => adminView(photo, sameFiles));
  };

  async function list(
    find: (page: Page) => Promise<Photo[]>,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await find({ after, limit: limit + 1 });
    const { rows, ...next } = pageOf(found, limit, ({ uploadedAt, _id }) => encodeCursor([uploadedAt, _id]));
    return { photos: await viewed(rows), ...next };
  }

  async function decide(photoId: string, isHidden: boolean, reason: string, person: Person) {
    const by = { role: person.role, id: person.id, name: person.name };
    const at = service.clock().toISOString();
    const decided = await photos.decide(photoId, { isHidden, reason, by, at });
    if (!decided) throw new Problem('not-found');
    if (decided.changed) metrics.decided.inc({ decision: isHidden ? 'hidden' : 'restored' });
    const [photo] = await viewed([decided.photo]);
    return { photo: photo! };
  }

  return {
    'GET /api/admin/orders/{id}/photos': ({ params, query }) =>
      list((page) => store.ofOrder(params.id, page), query),
    'GET /api/admin/photos': ({ query: { flag, order: orderId, hidden, ...query } }) => {
      const isHidden = hidden === undefined ? undefined : hidden === 'true';
      return list((page) => store.flagged({ flag, orderId, isHidden }, page), query);
    },
    'GET /api/admin/photos/{filename}': async ({ params, query, headers }) =>
      pictures.toAdmin(await photos.byFilename(params.filename), {
        width: Number(query.w),
        accept: headers.accept,
      }),
    'POST /api/admin/photos/{id}/hide': ({ params, body, person }) =>
      decide(params.id, true, body.reason, person),
    'POST /api/admin/photos/{id}/restore': ({ params, body, person }) =>
      decide(params.id, false, body.reason, person),
  };
}

/** @param sameFiles photos with the same content as this one or others of the page */
function adminView(photo: Photo, sameFiles: readonly Photo[]): AdminPhoto {
  const { workerId, workerName, state, variants, contentHash, hidden, decisions = [], ...shown } = photo;
  const largest = variants.at(-1);
  return {
    _id: shown._id,
    filename: shown.filename,
    orderId: shown.orderId,
    assignmentId: shown.assignmentId,
    growthVisitId: shown.growthVisitId,
    worker: { workerId, name: workerName },
    originalName: shown.originalName,
    contentType: shown.contentType,
    sizeBytes: shown.sizeBytes,
    uploadedAt: shown.uploadedAt,
    isReady: state === 'ready',
    width: largest?.width,
    height: largest?.height,
    takenAt: shown.takenAt,
    takenAtFrom: shown.takenAtFrom,
    coordinates: shown.coordinates,
    coordinatesFrom: shown.coordinatesFrom,
    accuracyMetres: shown.accuracyMetres,
    distanceMetres: shown.distanceMetres,
    flags: [...shown.flags],
    usedElsewhere: sameFiles
      .filter((other) => other._id !== photo._id && other.contentHash === contentHash)
      .map(reference),
    hidden,
    decisions,
  };
}

const reference = ({ _id, filename, orderId, assignmentId, growthVisitId }: Photo) => ({
  _id,
  filename,
  orderId,
  assignmentId,
  growthVisitId,
});
