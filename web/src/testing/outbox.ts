import type { PhotoItem, StatusItem } from '../worker/outbox/item.ts';

const waiting = {
  workerId: 'w1',
  occasion: { kind: 'assignment', id: 'a1' },
  at: 1,
  state: { step: 'waiting' },
  attempts: 0,
  triedAt: 0,
  retryAt: 0,
  placeUntil: 0,
} as const;

/** A photo waiting to be sent. */
export const photoItem = (changes: Partial<PhotoItem> = {}): PhotoItem => ({
  ...waiting,
  id: 'photo-1',
  kind: 'photo',
  name: 'IMG_1.jpg',
  type: 'image/jpeg',
  details: {},
  ...changes,
});

/** A step waiting to be sent. */
export const statusItem = (changes: Partial<StatusItem> = {}): StatusItem => ({
  ...waiting,
  id: 'step-1',
  kind: 'status',
  body: { status: 'planted' },
  ...changes,
});
