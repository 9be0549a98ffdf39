import { MAX_PHOTO_BYTES as CONTRACT_MAX_PHOTO_BYTES } from '@arboleda/contracts/endpoints/media.ts';
import { expect, test } from '@jest/globals';
import { photoItem, statusItem } from '../../testing/outbox.ts';
import { signOf } from './sign.ts';
import { detailsOf, lacksPlace, MAX_PHOTO_BYTES, nextMoment } from './take.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const around = { items: [], sending: undefined, isOnline: true };

test('a photo may weigh here what it may weigh at the server', () => {
  expect(MAX_PHOTO_BYTES).toBe(CONTRACT_MAX_PHOTO_BYTES);
});

test('the phone’s place stands in for a fresh photo without one, never for an old one', () => {
  expect(lacksPlace({}, NOW - 60_000, NOW)).toBe(true);
  expect(lacksPlace({}, NOW - 86_400_000, NOW)).toBe(false);
  expect(lacksPlace({ latitude: 4.6, longitude: -75.4 }, NOW, NOW)).toBe(false);
});

test('when it was taken is told by its EXIF, else by its file', () => {
  expect(detailsOf({ takenAt: '2026-11-30T14:51:12.000Z' }, NOW, NOW).takenAt).toBe(
    '2026-11-30T14:51:12.000Z',
  );
  expect(detailsOf({}, NOW - 1000, NOW).takenAt).toBe('2026-12-01T11:59:59.000Z');
  expect(detailsOf({}, NOW + 1000, NOW)).toEqual({});
});

test('moments never repeat', () => {
  const moments = Array.from({ length: 50 }, nextMoment);
  expect(new Set(moments).size).toBe(50);
});

test('a line says what its photo waits for', () => {
  const refused = statusItem({ at: 0, state: { step: 'refused', type: 'conflict', message: '' } });
  const waitsFor = (changes: object) => signOf(photoItem(), { ...around, ...changes });
  expect(waitsFor({})).toEqual({ step: 'waiting', waitsFor: 'turn' });
  expect(waitsFor({ isOnline: false })).toEqual({ step: 'waiting', waitsFor: 'signal' });
  expect(waitsFor({ items: [refused] })).toEqual({ step: 'waiting', waitsFor: 'step' });
  expect(waitsFor({ sending: { id: 'photo-1', share: 0.4 } })).toEqual({ step: 'sending', share: 0.4 });
  expect(signOf(photoItem({ attempts: 1 }), around)).toEqual({ step: 'failed' });
  expect(signOf(photoItem({ placeUntil: Date.now() + 9_000 }), around)).toEqual({
    step: 'waiting',
    waitsFor: 'place',
  });
});
