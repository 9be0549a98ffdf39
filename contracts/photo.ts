/** What about a photo deserves an admin's look; none of it hides the photo. */
export const PHOTO_FLAGS = [
  /** Taken far from the order's place. */
  'far-from-place',
  /** Taken before the order was paid. */
  'taken-before-order',
  /** The same file was sent for another order. */
  'used-elsewhere',
] as const;
export type PhotoFlag = (typeof PHOTO_FLAGS)[number];
