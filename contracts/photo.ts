/** What about a photo deserves an admin's look; but for the last, none of it hides the photo. */
export const PHOTO_FLAGS = [
  /** Taken far from the order's place. */
  'far-from-place',
  /** Taken before the order was paid. */
  'taken-before-order',
  /** The same file was sent for another order or another growth visit. */
  'used-elsewhere',
  /** Its worker had the order before and not any more: one of a planting is hidden until an admin has decided. */
  'after-reassignment',
] as const;
export type PhotoFlag = (typeof PHOTO_FLAGS)[number];

/** Who told where or when a photo was taken: its own EXIF, or the phone beside it, which may have reduced the picture. */
export const EVIDENCE_ORIGINS = ['exif', 'phone'] as const;
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number];
