import { describe, expect, test } from '@jest/globals';
import { flagsWith } from './flags.ts';
import { decideVisibility } from './moderation.ts';
import {
  becomeReady,
  becomeRepeated,
  clientKey,
  type Photo,
  photoId,
  variantFor,
  widthsFor,
} from './photo.ts';

const now = '2026-03-02T00:00:00.000Z';

const photo: Photo = {
  _id: 'photo-1',
  filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
  assignmentId: 'assignment-1',
  orderId: '0'.repeat(24),
  workerId: 'worker-1',
  originalName: 'IMG_1.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 1000,
  uploadedAt: '2026-03-01T16:00:00.000Z',
  takenAt: '2026-03-01T15:11:12.000Z',
  coordinates: { latitude: 4.5, longitude: -74 },
  state: 'accepted',
  variants: [],
};
const variants = [
  { nominalWidth: 320, width: 320, height: 240 },
  { nominalWidth: 800, width: 500, height: 375 },
];

describe('a photo', () => {
  test('is the same photo when the same bytes are sent for the same assignment', () => {
    const id = photoId('assignment-1', 'hash');
    expect(photoId('assignment-1', 'hash')).toBe(id);
    expect(photoId('assignment-2', 'hash')).not.toBe(id);
    expect(photoId('assignment-1', 'other')).not.toBe(id);
    expect(id).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    [100, [320]],
    [320, [320]],
    [321, [320, 800]],
    [800, [320, 800]],
    [4000, [320, 800, 1600]],
  ])('of %i pixels is made at the widths %j', (width, widths) => {
    expect(widthsFor(width)).toEqual(widths);
  });

  test('is shown at the width that was asked for, or the largest there is', () => {
    const ready = { ...photo, variants };
    expect(variantFor(ready, 320)?.nominalWidth).toBe(320);
    expect(variantFor(ready, 800)?.nominalWidth).toBe(800);
    expect(variantFor(ready, 1600)?.nominalWidth).toBe(800);
    expect(variantFor(photo, 320)).toBeUndefined();
  });

  test('becomes ready once, and the world hears of the largest picture there is', () => {
    const change = becomeReady(photo, variants)!;
    expect(change.document).toMatchObject({ state: 'ready', variants });
    expect(change.events).toEqual([
      {
        type: 'photo.uploaded',
        data: {
          orderId: photo.orderId,
          assignmentId: 'assignment-1',
          workerId: 'worker-1',
          photoId: 'photo-1',
          filename: photo.filename,
          width: 500,
          height: 375,
          takenAt: photo.takenAt,
          coordinates: photo.coordinates,
          uploadedAt: photo.uploadedAt,
          growthVisitId: undefined,
          flags: [],
        },
      },
    ]);
    expect(becomeReady(change.document, variants)).toBeUndefined();
  });

  test('says with its news what is against it, and which visit it is of', () => {
    const flagged = { ...photo, growthVisitId: 'visit-1', ...flagsWith({}, ['far-from-place']) };
    const { events } = becomeReady(flagged, variants)!;
    expect(events[0]!.data).toMatchObject({ growthVisitId: 'visit-1', flags: ['far-from-place'] });
  });

  test('that was hidden before anybody heard of it is hidden for them, too', () => {
    const decision = { isHidden: true, reason: 'no trees', by: { role: 'admin' }, at: now } as const;
    const { document } = decideVisibility(photo, decision)!;
    const { events } = becomeReady(document, variants)!;
    expect(events.map(({ type }) => type)).toEqual(['photo.uploaded', 'photo.hidden']);
    expect(events[1]!.data).toMatchObject({ photoId: 'photo-1', reason: 'no trees', at: now });
  });

  test('is found to be sent twice once', () => {
    const repeated = becomeRepeated(photo)!;
    expect(repeated).toMatchObject({ flags: { 'used-elsewhere': true }, isFlagged: true });
    expect(becomeRepeated(repeated)).toBeUndefined();
  });

  test('has one key for each sender, occasion and id of the phone', () => {
    const keys = [
      clientKey('worker-1', 'assignment-1', 'client-1'),
      clientKey('worker-2', 'assignment-1', 'client-1'),
      clientKey('worker-1', 'assignment-2', 'client-1'),
      clientKey('worker-1', 'assignment-1', 'client-2'),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(clientKey('worker-1', 'assignment-1', 'client-1')).toBe(keys[0]);
  });
});
