import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, photoFlag } from '../fields.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTOS_AT_ONCE, PHOTO_STATES } from '../photo.ts';
import { mediaAdminEndpoints } from './media-admin.ts';
import { PHOTO_PROBLEMS, PHOTO_TYPES, photoDetails, photoFilename, photoSize } from './media-fields.ts';

const photoUpload = {
  service: 'media',
  access: ['worker'],
  status: 201,
  params: z.object({ id }),
  upload: { field: 'photos', maxCount: MAX_PHOTOS_AT_ONCE, maxBytes: MAX_PHOTO_BYTES, perFile: true },
  body: z.object({ details: photoDetails }),
  response: z.object({
    photos: z.array(
      z.object({
        id,
        filename: z.string(),
        originalName: z.string(),
        duplicate: z.boolean(),
        clientId: z.string().optional(),
        flags: z.array(photoFlag),
      }),
    ),
    /** Files refused while others were kept. */
    refused: z.array(
      z.object({
        /** Index of the file, from 0. */
        index: z.int().min(0),
        originalName: z.string(),
        clientId: z.string().optional(),
        type: z.enum(PHOTO_PROBLEMS),
        message: z.string(),
      }),
    ),
  }),
  problems: ['not-found', 'photos-not-yet', ...PHOTO_PROBLEMS, 'too-many-files', 'unavailable'],
  limit: { max: 300, windowSeconds: 600 },
} as const;

export const mediaEndpoints = {
  'POST /api/workers/assignments/{id}/photos': endpoint({
    ...photoUpload,
    summary:
      'Photos of one’s own planted assignment: kept at once, shown when their sizes are made. Sent again, they are ' +
      'what they were; a file that is no photo does not hold up the others',
  }),
  'POST /api/workers/growth-visits/{id}/photos': endpoint({
    ...photoUpload,
    summary: 'Photos of a growth visit of one’s own that is due, which they complete',
    problems: [...photoUpload.problems, 'growth-visit-not-due'],
  }),
  'GET /api/workers/photos': endpoint({
    service: 'media',
    summary: 'One’s own photos that cannot be shown, newest first, until others of the same occasion are',
    access: ['worker'],
    response: z.object({
      photos: z.array(
        z.object({
          filename: z.string(),
          originalName: z.string(),
          assignmentId: id,
          growthVisitId: id.optional(),
          uploadedAt: instant,
        }),
      ),
    }),
  }),
  'GET /api/workers/photos/{filename}': endpoint({
    service: 'media',
    summary: 'What became of a photo that was sent: until it is ready, the phone keeps its own copy',
    access: ['worker'],
    params: z.object({ filename: photoFilename }),
    response: z.object({ filename: z.string(), state: z.enum(PHOTO_STATES) }),
    problems: ['not-found'],
  }),
  'GET /api/photos/{filename}': endpoint({
    service: 'media',
    summary:
      'A tree photo, re-encoded without its metadata, in a width of one’s choice, as AVIF, WebP or JPEG by Accept. What was ' +
      'looked at before a photo was hidden may stay in a cache for up to 30 days',
    access: 'public',
    params: z.object({ filename: photoFilename }),
    query: photoSize,
    binary: PHOTO_TYPES,
    problems: ['not-found', 'range-not-satisfiable'],
    limit: { max: 3000, windowSeconds: 60 },
  }),
  ...mediaAdminEndpoints,
};
