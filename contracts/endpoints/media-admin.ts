import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { actor, coordinates, cursor, id, instant, orderId, pageLimit, photoFlag, reason } from '../fields.ts';
import { EVIDENCE_ORIGINS } from '../photo.ts';
import { PHOTO_TYPES, photoFilename, photoSize } from './media-fields.ts';

const evidenceOrigin = z.enum(EVIDENCE_ORIGINS);
const decision = z.object({ isHidden: z.boolean(), reason: z.string(), by: actor, at: instant });

const photo = z.object({
  _id: id,
  /** For GET /api/admin/photos/{filename}; also for GET /api/photos/{filename} while visible. */
  filename: z.string(),
  orderId,
  assignmentId: id,
  growthVisitId: id.optional(),
  worker: z.object({ workerId: id, name: z.string().optional() }),
  originalName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  uploadedAt: instant,
  /** Whether the first rendition exists. */
  isReady: z.boolean(),
  /** Pixels of the largest rendition. */
  width: z.int().optional(),
  height: z.int().optional(),
  takenAt: instant.optional(),
  takenAtFrom: evidenceOrigin.optional(),
  coordinates: coordinates.optional(),
  coordinatesFrom: evidenceOrigin.optional(),
  accuracyMetres: z.number().optional(),
  /** Distance from the order's place as known when the photo arrived. */
  distanceMetres: z.number().optional(),
  flags: z.array(photoFlag),
  /** Other uses of the same file. */
  usedElsewhere: z.array(
    z.object({ _id: id, filename: z.string(), orderId, assignmentId: id, growthVisitId: id.optional() }),
  ),
  /** The decision that hid it; absent while visible. */
  hidden: decision.optional(),
  decisions: z.array(decision),
});
export type AdminPhoto = z.input<typeof photo>;

const page = { limit: pageLimit(50), cursor: cursor.optional() };
const photos = z.object({ photos: z.array(photo), nextCursor: z.string().optional() });

export const mediaAdminEndpoints = {
  'GET /api/admin/orders/{id}/photos': endpoint({
    service: 'media',
    summary: 'All photos of an order, hidden ones too, as they came; empty when it has none',
    access: ['admin'],
    permission: 'photos:read',
    params: z.object({ id: orderId }),
    query: z.object(page),
    response: photos,
  }),
  'GET /api/admin/photos': endpoint({
    service: 'media',
    summary: 'Flagged photos to look at, newest first',
    access: ['admin'],
    permission: 'photos:read',
    query: z.object({
      flag: photoFlag.optional(),
      order: orderId.optional(),
      hidden: z.enum(['false', 'true']).optional(),
      ...page,
    }),
    response: photos,
  }),
  'GET /api/admin/photos/{filename}': endpoint({
    service: 'media',
    summary: 'A photo as the public would see it, also while it is hidden',
    access: ['admin'],
    permission: 'photos:read',
    params: z.object({ filename: photoFilename }),
    query: photoSize,
    binary: PHOTO_TYPES,
    problems: ['not-found', 'range-not-satisfiable'],
  }),
  'POST /api/admin/photos/{id}/hide': endpoint({
    audit: 'photo.hidden',
    service: 'media',
    summary:
      'Hide a photo from everybody but admins. Caches may show it for up to a minute longer. A hidden one stays as it is',
    access: ['admin'],
    permission: 'photos:moderate',
    params: z.object({ id }),
    body: z.object({ reason }),
    response: z.object({ photo }),
    problems: ['not-found'],
  }),
  'POST /api/admin/photos/{id}/restore': endpoint({
    audit: 'photo.restored',
    service: 'media',
    summary: 'Show a hidden photo again. One that is shown stays as it is',
    access: ['admin'],
    permission: 'photos:moderate',
    params: z.object({ id }),
    body: z.object({ reason }),
    response: z.object({ photo }),
    problems: ['not-found'],
  }),
};
