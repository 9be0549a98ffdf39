import type { PhotoItem, StatusItem } from '../worker/outbox/item.ts';

const waiting = {
  workerId: 'w1',
  occasion: { kind: 'assignment', id: 'a1' },
  at: 1,
  state: { step: 'waiting' },
  attempts: 0,
  triedAt: 0,
  retryAt: 0,
  heldUntil: 0,
} as const;

export const photoItem = (changes: Partial<PhotoItem> = {}): PhotoItem => ({
  ...waiting,
  id: 'photo-1',
  kind: 'photo',
  name: 'IMG_1.jpg',
  type: 'image/jpeg',
  details: {},
  ...changes,
});

export const statusItem = (changes: Partial<StatusItem> = {}): StatusItem => ({
  ...waiting,
  id: 'step-1',
  kind: 'status',
  body: { status: 'planted' },
  ...changes,
});
