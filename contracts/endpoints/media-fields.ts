import { z } from 'zod';
import { coordinates } from '../fields.ts';
import { LARGEST_PHOTO_WIDTH, MAX_PHOTOS_AT_ONCE, PHOTO_WIDTHS } from '../photo.ts';

/** Media types a photo can be served as, selected by Accept; JPEG by default. */
export const PHOTO_TYPES = ['image/jpeg', 'image/webp', 'image/avif'] as const;

export const photoFilename = z.string().regex(/^[\w-]{22}\.jpg$/);
const WIDTHS = PHOTO_WIDTHS.map((width) => `${width}` as const);
export const photoSize = z.object({ w: z.enum(WIDTHS).default(`${LARGEST_PHOTO_WIDTH}`) });

/** Problems of one file among several. */
export const PHOTO_PROBLEMS = [
  'photo-not-an-image',
  'photo-heic-unreadable',
  'photo-damaged',
  'photo-too-large',
  'photo-too-many-pixels',
] as const;

/** Photo details known to the phone, which the file may have lost when the phone reduced it. */
const photoDetail = z
  .object({
    /** Generated once per photo on the phone: a retry is the same photo even when its bytes differ. */
    clientId: z
      .string()
      .regex(/^[\w-]{8,64}$/)
      .optional(),
    takenAt: z.iso.datetime({ offset: true }).optional(),
    latitude: coordinates.shape.latitude.optional(),
    longitude: coordinates.shape.longitude.optional(),
    accuracyMetres: z.number().min(0).max(1_000_000).optional(),
  })
  .superRefine(({ latitude, longitude }, context) => {
    if ((latitude === undefined) === (longitude === undefined)) return;
    const missing = latitude === undefined ? 'latitude' : 'longitude';
    context.addIssue({ code: 'custom', path: [missing], message: 'a place has latitude and longitude' });
  });
export type PhotoDetail = z.output<typeof photoDetail>;

const photoDetailList = z
  .array(photoDetail)
  .max(MAX_PHOTOS_AT_ONCE)
  .superRefine((details, context) => {
    for (const [index, { clientId }] of details.entries()) {
      const first = details.findIndex((other) => other.clientId === clientId);
      if (clientId === undefined || first === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'clientId'],
        message: 'two photos cannot share an id',
      });
    }
  });

/** A text field beside the files: a JSON list with one entry per file, in order. */
export const photoDetails = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' });
      return z.NEVER;
    }
  })
  .pipe(photoDetailList)
  .optional()
  .meta({
    description:
      'JSON: a list with one entry for each file, in their order: { clientId?, takenAt?, latitude?, longitude?, ' +
      'accuracyMetres? }. What the file’s own EXIF says goes before it.',
    examples: [
      '[{"clientId":"0f8e1c52-7d0a-4b8e-9c55-2f2f6c1b9a10","takenAt":"2026-03-01T10:11:12-05:00","latitude":4.59825,"longitude":-74.075833,"accuracyMetres":8}]',
    ],
  });
