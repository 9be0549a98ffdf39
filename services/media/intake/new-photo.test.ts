import { describe, expect, test } from '@jest/globals';
import { newPhoto, type Occasion } from './new-photo.ts';
import type { Accepted } from './upload.ts';

const occasion: Occasion = {
  assignmentId: 'assignment-1',
  orderId: '0'.repeat(24),
  orderedAt: '2026-02-01T00:00:00.000Z',
  coordinates: { latitude: 4.5, longitude: -74 },
};
const worker = { id: 'worker-1', name: 'Luz' };
const options = { now: new Date('2026-03-02T00:00:00Z'), maxDistanceMetres: 5_000 };
const file: Accepted = {
  index: 0,
  originalName: 'IMG_1.jpg',
  contentType: 'image/jpeg',
  bytes: Buffer.from('bytes'),
  digest: 'digest of bytes',
  evidence: {},
  detail: {},
};
const exif = { coordinates: { latitude: 4.51, longitude: -74 }, takenAt: '2026-03-01T15:00:00.000Z' };
const detail = {
  latitude: 4.6,
  longitude: -74,
  accuracyMetres: 8,
  takenAt: '2026-03-01T11:00:00-05:00',
};
const made = (changed: Partial<Accepted>) => newPhoto({ ...file, ...changed }, occasion, worker, options);

describe('where and when a photo was taken', () => {
  test('is told by the phone when the file does not know any more', () => {
    expect(made({ detail })).toMatchObject({
      coordinates: { latitude: 4.6, longitude: -74 },
      coordinatesFrom: 'phone',
      accuracyMetres: 8,
      takenAt: '2026-03-01T16:00:00.000Z',
      takenAtFrom: 'phone',
      distanceMetres: 11_120,
      flags: { 'far-from-place': true },
    });
  });

  test('is told by the file’s own EXIF before the phone', () => {
    const photo = made({ evidence: exif, detail });
    expect(photo).toMatchObject({ ...exif, coordinatesFrom: 'exif', takenAtFrom: 'exif', isFlagged: false });
    expect(photo).not.toHaveProperty('accuracyMetres');
  });

  test('is told by both when each knows a half', () => {
    expect(made({ evidence: { takenAt: exif.takenAt }, detail })).toMatchObject({
      takenAtFrom: 'exif',
      coordinatesFrom: 'phone',
    });
  });

  test('is not known when nobody can be believed', () => {
    const photo = made({
      detail: { latitude: 0, longitude: 0, accuracyMetres: 5, takenAt: '1999-01-01T00:00:00Z' },
    });
    expect(photo).not.toHaveProperty('coordinates');
    expect(photo).not.toHaveProperty('takenAt');
    expect(photo).not.toHaveProperty('accuracyMetres');
  });
});

test('a photo of a growth visit is another than that of the planting, of the same content', () => {
  const planting = made({});
  const growth = newPhoto(file, { ...occasion, growthVisitId: 'visit-1' }, worker, options);
  expect(growth._id).not.toBe(planting._id);
  expect(growth.contentHash).toBe(planting.contentHash);
  expect(growth).toMatchObject({ growthVisitId: 'visit-1', assignmentId: 'assignment-1', workerName: 'Luz' });
});

test('only a phone that names its photos has them known by that', () => {
  expect(made({})).not.toHaveProperty('clientKey');
  const first = made({ detail: { clientId: 'client-id-1' } });
  const reencoded = made({ detail: { clientId: 'client-id-1' }, digest: 'digest of others' });
  expect(first.clientKey).toBe(reencoded.clientKey);
  expect(first._id).not.toBe(reencoded._id);
});
