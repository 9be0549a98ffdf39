export const MAX_PHOTO_BYTES = 15_000_000;
export const MAX_PHOTOS_AT_ONCE = 10;

/** Rendition widths of photos in px, ascending. */
export const PHOTO_WIDTHS = [320, 800, 1600] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];
export const LARGEST_PHOTO_WIDTH: PhotoWidth = PHOTO_WIDTHS.at(-1)!;

/** Reasons for an admin to look at a photo. */
export const PHOTO_FLAGS = [
  /** Taken far from the order's place. */
  'far-from-place',
  /** Taken before the order was paid. */
  'taken-before-order',
  /** The same file was sent for another order or another growth visit. */
  'used-elsewhere',
  /** The worker no longer had the order; a planting photo stays hidden until an admin decides. */
  'after-reassignment',
  /** No rendition could be made; the worker is asked to take it again. */
  'cannot-be-shown',
] as const;
export type PhotoFlag = (typeof PHOTO_FLAGS)[number];

/** `accepted`: stored. `ready`: a rendition exists. `unshowable`: no rendition could be made. */
export const PHOTO_STATES = ['accepted', 'ready', 'unshowable'] as const;
export type PhotoState = (typeof PHOTO_STATES)[number];

/** Source of a photo's place or time: its EXIF, or the phone, which may have reduced the picture. */
export const EVIDENCE_ORIGINS = ['exif', 'phone'] as const;
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number];
