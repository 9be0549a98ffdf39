export const MAX_PHOTO_BYTES = 15_000_000;
export const MAX_PHOTOS_AT_ONCE = 10;

/** The sizes that photos are made and shown in, px, smallest first. */
export const PHOTO_WIDTHS = [320, 800, 1600] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];
export const LARGEST_PHOTO_WIDTH: PhotoWidth = PHOTO_WIDTHS.at(-1)!;

/** What about a photo deserves an admin's look. */
export const PHOTO_FLAGS = [
  /** Taken far from the order's place. */
  'far-from-place',
  /** Taken before the order was paid. */
  'taken-before-order',
  /** The same file was sent for another order or another growth visit. */
  'used-elsewhere',
  /** Its worker had the order before and not any more: one of a planting is hidden until an admin has decided. */
  'after-reassignment',
  /** No picture could be made of it: its worker is asked to take it again. */
  'cannot-be-shown',
] as const;
export type PhotoFlag = (typeof PHOTO_FLAGS)[number];

/** `accepted`: it is kept. `ready`: there is something to look at. `unshowable`: no picture could be made of it. */
export const PHOTO_STATES = ['accepted', 'ready', 'unshowable'] as const;
export type PhotoState = (typeof PHOTO_STATES)[number];

/** Who told where or when a photo was taken: its own EXIF, or the phone beside it, which may have reduced the picture. */
export const EVIDENCE_ORIGINS = ['exif', 'phone'] as const;
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number];
