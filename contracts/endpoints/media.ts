import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id } from '../fields.ts';

export const PHOTO_WIDTHS = [320, 800, 1600] as const;
export const MAX_PHOTO_BYTES = 15_000_000;
export const MAX_PHOTOS_AT_ONCE = 10;

export const mediaEndpoints = {
  'POST /api/workers/assignments/{id}/photos': endpoint({
    service: 'media',
    summary: 'Photos of one’s own planted assignment: kept at once, shown when their sizes are made',
    access: ['worker'],
    status: 201,
    params: z.object({ id }),
    upload: { field: 'photos', maxCount: MAX_PHOTOS_AT_ONCE, maxBytes: MAX_PHOTO_BYTES },
    response: z.object({
      photos: z.array(
        z.object({
          id,
          filename: z.string(),
          originalName: z.string(),
          /** The same file was sent before for this assignment. */
          duplicate: z.boolean(),
        }),
      ),
    }),
    problems: [
      'not-found', 'photos-not-yet', 'photo-not-an-image', 'photo-damaged', 'photo-too-large',
      'photo-too-many-pixels', 'too-many-files', 'unavailable',
    ],
    limit: { max: 300, windowSeconds: 600 },
  }),
  'GET /api/photos/{filename}': endpoint({
    service: 'media',
    summary: 'A tree photo, re-encoded without its metadata, at 320, 800 or 1600 px',
    access: 'public',
    params: z.object({ filename: z.string().regex(/^[\w-]{22}\.jpg$/) }),
    query: z.object({ w: z.enum(['320', '800', '1600']).default('1600') }),
    binary: 'image/jpeg',
    problems: ['not-found'],
    limit: { max: 3000, windowSeconds: 60 },
  }),
}; // prettier-ignore
