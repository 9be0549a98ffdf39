import { describe, expect, test } from '@jest/globals';
import {
  becomeModern,
  becomeReady,
  becomeRepeated,
  clientKey,
  decideVisibility,
  discard,
  giveUp,
  moveLease,
  newWork,
  type Photo,
  photoId,
  requeue,
  variantFor,
  widthsFor,
  withFlags,
} from './photo.ts';

describe('a photo', () => {
  const now = '2026-03-02T00:00:00.000Z';

  const photo: Photo = {
    _id: 'photo-1',
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    contentHash: 'hash-1',
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
    flags: [],
  };

  const variants = [
    { nominalWidth: 320, width: 320, height: 240 },
    { nominalWidth: 800, width: 500, height: 375 },
  ];

  describe('a photo', () => {
    test('is the same when the same bytes are sent for the same assignment', () => {
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
    ])('of %i pixels has the widths %j', (width, widths) => {
      expect(widthsFor(width, [320, 800, 1600])).toEqual(widths);
    });

    test('is shown at the requested width, or the largest one', () => {
      const ready = { ...photo, variants };
      expect(variantFor(ready, 320)?.nominalWidth).toBe(320);
      expect(variantFor(ready, 800)?.nominalWidth).toBe(800);
      expect(variantFor(ready, 1600)?.nominalWidth).toBe(800);
      expect(variantFor(photo, 320)).toBeUndefined();
    });

    test('becomes ready once, and publishes its largest picture', () => {
      const change = becomeReady(photo, variants, new Date(now))!;
      expect(change.record).toMatchObject({ state: 'ready', variants });
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
      expect(becomeReady(change.record, variants, new Date(now))).toBeUndefined();
    });

    test('publishes its flags and its growth visit', () => {
      const flagged: Photo = { ...photo, growthVisitId: 'visit-1', flags: ['far-from-place'] };
      const { events } = becomeReady(flagged, variants, new Date(now))!;
      expect(events![0]!.data).toMatchObject({ growthVisitId: 'visit-1', flags: ['far-from-place'] });
    });

    test('is published without a place outside Colombia, which admins still see', () => {
      const elsewhere: Photo = { ...photo, coordinates: { latitude: 40.4168, longitude: -3.7038 } };
      const { record, events } = becomeReady(elsewhere, variants, new Date(now))!;
      expect(events![0]!.data).toMatchObject({ coordinates: undefined });
      expect(record.coordinates).toEqual(elsewhere.coordinates);
    });

    test('hidden before it is ready is published as hidden, too', () => {
      const decision = { isHidden: true, reason: 'no trees', by: { role: 'admin' }, at: now } as const;
      const { record } = decideVisibility(photo, decision)!;
      const { events } = becomeReady(record, variants, new Date(now))!;
      expect(events!.map(({ type }) => type)).toEqual(['photo.uploaded', 'photo.hidden']);
      expect(events![1]!.data).toMatchObject({ photoId: 'photo-1', reason: 'no trees', at: now });
    });

    test('is flagged as repeated once', () => {
      const repeated = becomeRepeated(photo)!.record;
      expect(repeated.flags).toEqual(['used-elsewhere']);
      expect(becomeRepeated(repeated)).toBeUndefined();
    });

    test('has one key per sender, purpose and phone id', () => {
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
});

describe('the processing of a photo', () => {
  const now = new Date('2026-03-02T00:00:00.000Z');

  const later = new Date('2026-03-02T00:00:15.000Z');

  const context = { correlationId: 'upload-1' };

  const waiting: Photo = {
    _id: 'photo-1',
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    contentHash: 'hash-1',
    assignmentId: 'assignment-1',
    orderId: '0'.repeat(24),
    workerId: 'worker-1',
    originalName: 'IMG_1.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 1000,
    uploadedAt: '2026-03-01T16:00:00.000Z',
    state: 'accepted',
    variants: [],
    flags: ['far-from-place'],
    work: newWork('jpeg', context, now),
  };

  const leased = { ...waiting, work: { ...waiting.work!, tries: 1 } };

  const variants = [{ nominalWidth: 320, width: 320, height: 240 }];

  test('makes newer formats after the JPEGs, then ends', () => {
    const ready = becomeReady(leased, variants, later)!.record;
    expect(ready.work).toEqual({ step: 'modern', dueAt: later.toISOString(), tries: 0, context });
    const modern = becomeModern(ready)!.record;
    expect(modern).toMatchObject({ state: 'ready', hasModern: true });
    expect(modern).not.toHaveProperty('work');
    expect(becomeModern(modern)).toBeUndefined();
  });

  test('can be postponed only by the holder of its lease', () => {
    expect(moveLease(leased, leased, later)!.record.work!.dueAt).toBe(later.toISOString());
    const others = { ...leased, work: { ...leased.work, tries: 2 } };
    expect(moveLease(others, leased, later)).toBeUndefined();
    expect(giveUp(others, leased, 'too late', later)).toBeUndefined();
    const ready = becomeReady(others, variants, later)!.record;
    expect(giveUp(ready, leased, 'too late', later)).toBeUndefined();
  });

  test('is given up with a flag while there is no picture, until it is requeued', () => {
    const given = giveUp(leased, leased, 'no image', later)!.record;
    expect(given).toMatchObject({ state: 'unshowable', flags: ['far-from-place', 'cannot-be-shown'] });
    expect(given.work).toEqual({
      step: 'jpeg',
      tries: 1,
      context,
      givenUp: { error: 'no image', at: later.toISOString() },
    });
    expect(moveLease(given, leased, later)).toBeUndefined();
    const again = requeue(given, later)!.record;
    expect(again.work).toEqual(newWork('jpeg', context, later));
    const ready = becomeReady(again, variants, later)!.record;
    expect(ready).toMatchObject({ state: 'ready', flags: ['far-from-place'] });
  });

  test('is given up without a flag when only newer formats are missing', () => {
    const ready = becomeReady(leased, variants, now)!.record;
    const again = { ...ready, work: { ...ready.work!, tries: 1 } };
    const given = giveUp(again, again, 'no memory', later)!.record;
    expect(given).toMatchObject({ state: 'ready', flags: ['far-from-place'] });
    expect(given.work!.givenUp!.error).toBe('no memory');
  });

  test('can be discarded or requeued only when given up', () => {
    expect(requeue(leased, now)).toBeUndefined();
    expect(discard(leased)).toBeUndefined();
    const gone = discard(giveUp(leased, leased, 'no image', later)!.record)!.record;
    expect(gone.state).toBe('unshowable');
    expect(gone).not.toHaveProperty('work');
    expect(requeue(gone, now)).toBeUndefined();
  });
});

test('flags are added in the order of the catalogue', () => {
  expect(withFlags(['used-elsewhere'], ['far-from-place', 'used-elsewhere'])).toEqual([
    'far-from-place',
    'used-elsewhere',
  ]);
  expect(withFlags([], [])).toEqual([]);
});

describe('hiding a photo', () => {
  const photo: Photo = {
    _id: 'photo-1',
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    contentHash: 'hash-1',
    assignmentId: 'assignment-1',
    orderId: '0'.repeat(24),
    workerId: 'worker-1',
    originalName: 'IMG_1.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 1000,
    uploadedAt: '2026-03-01T16:00:00.000Z',
    state: 'ready',
    variants: [{ nominalWidth: 320, width: 320, height: 240 }],
    flags: [],
  };

  const by = { role: 'admin', id: 'admin-1', name: 'Ana' } as const;

  const at = '2026-03-02T00:00:00.000Z';

  const hide = { isHidden: true, reason: 'a face', by, at };

  const restore = { isHidden: false, reason: 'no face after all', by, at };

  test('a photo is hidden once, with actor, time and reason, and the change is published', () => {
    const change = decideVisibility(photo, hide)!;
    expect(change.record).toMatchObject({ hidden: hide, decisions: [hide] });
    expect(change.events).toEqual([
      {
        type: 'photo.hidden',
        data: {
          orderId: photo.orderId,
          assignmentId: 'assignment-1',
          photoId: 'photo-1',
          filename: photo.filename,
          by,
          reason: 'a face',
          at,
        },
      },
    ]);
    expect(decideVisibility(change.record, { ...hide, reason: 'another' })).toBeUndefined();
  });

  test('a restored photo keeps its history', () => {
    const { record } = decideVisibility(decideVisibility(photo, hide)!.record, restore)!;
    expect(record.hidden).toBeUndefined();
    expect(record.decisions!.map(({ reason }) => reason)).toEqual(['a face', 'no face after all']);
  });

  test('two decisions at the same instant get distinct times', () => {
    const change = decideVisibility(decideVisibility(photo, hide)!.record, restore)!;
    expect(change.events).toMatchObject([
      { type: 'photo.restored', data: { at: '2026-03-02T00:00:00.001Z' } },
    ]);
  });

  test('of a photo that is not ready publishes nothing yet', () => {
    const change = decideVisibility({ ...photo, state: 'accepted', variants: [] }, hide)!;
    expect(change.events).toEqual([]);
    expect(change.record.hidden).toEqual(hide);
  });

  test('restoring a visible photo changes nothing', () => {
    expect(decideVisibility(photo, restore)).toBeUndefined();
  });
});
