import type { FlaggedPhoto } from '../admin/photos/photos.ts';

/** A photo from the wrong place and before its order, in the admin's view. */
export const flaggedPhoto = (changes: Partial<FlaggedPhoto> = {}): FlaggedPhoto => ({
  _id: '65f0c0ffee0000000000f001',
  filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg',
  orderId: '65f0c0ffee0000000006bbe0',
  assignmentId: '65f0c0ffee0000000000a001',
  worker: { workerId: 'w1', name: 'Marleny Ospina' },
  originalName: 'IMG_7.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 400_000,
  uploadedAt: '2026-11-21T15:00:00Z',
  isReady: true,
  width: 1600,
  height: 1200,
  takenAt: '2020-05-01T15:00:00Z',
  takenAtFrom: 'exif',
  coordinates: { latitude: 4.6, longitude: -75.4 },
  coordinatesFrom: 'exif',
  distanceMetres: 1234.4,
  flags: ['far-from-place', 'taken-before-order'],
  usedElsewhere: [],
  decisions: [],
  ...changes,
});

export const decided = (isHidden: boolean, reason: string): FlaggedPhoto['decisions'][number] => ({
  isHidden,
  reason,
  by: { role: 'admin', id: 'a1', name: 'Lucía Restrepo' },
  at: '2026-11-22T15:00:00Z',
});
