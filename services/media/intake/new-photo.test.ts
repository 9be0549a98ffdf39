import { describe, expect, test } from '@jest/globals';
import { photoId } from '../photos/photo.ts';
import { metresBetween, newPhoto, type Occasion, placeAndTimeFlags } from './new-photo.ts';
import { type Accepted, harmlessName } from './upload.ts';

const bogota = { latitude: 4.711, longitude: -74.0721 };

const medellin = { latitude: 6.2442, longitude: -75.5812 };

const limits = { maxDistanceMetres: 5_000 };

describe('the distance between two places', () => {
  test('matches the map', () => {
    expect(metresBetween(bogota, medellin) / 1000).toBeCloseTo(239, 0);
    expect(metresBetween(bogota, bogota)).toBe(0);
    expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBe(20_015_112);
  });
  test('is short across the date line', () => {
    const metres = metresBetween({ latitude: 0, longitude: 179.999 }, { latitude: 0, longitude: -179.999 });
    expect(metres).toBeLessThan(300);
  });
});

describe('place and time are flagged for', () => {
  test.each([
    ['nothing when it was taken at the border', { distanceMetres: 5_000 }, []],
    ['a place beyond it', { distanceMetres: 5_001 }, ['far-from-place']],
    [
      'nothing when the phone was not sure of the place',
      { distanceMetres: 5_900, accuracyMetres: 1_000 },
      [],
    ],
    ['nothing when no place is known', {}, []],
    ['another country', { coordinates: { latitude: 40.4168, longitude: -3.7038 } }, ['far-from-place']],
    ['swapped halves', { coordinates: { latitude: -74, longitude: 4.5 } }, ['far-from-place']],
    ['nothing in Colombia', { coordinates: { latitude: 4.5, longitude: -74 } }, []],
  ] as const)('%s', (_name, photo, flags) => {
    expect(placeAndTimeFlags(photo, {}, limits)).toEqual(flags);
  });

  const orderedAt = '2026-03-10T12:00:00.000Z';
  test.each([
    ['nothing when it was taken after the order', '2026-03-11T00:00:00.000Z', []],
    ['nothing when a clock may be wrong', '2026-03-08T12:00:00.000Z', []],
    ['that it is older than the order', '2026-03-08T11:59:59.000Z', ['taken-before-order']],
  ])('%s', (_name, takenAt, flags) => {
    expect(placeAndTimeFlags({ takenAt }, { orderedAt }, limits)).toEqual(flags);
    expect(placeAndTimeFlags({ takenAt }, {}, limits)).toEqual([]);
    expect(placeAndTimeFlags({}, { orderedAt }, limits)).toEqual([]);
  });
});

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

test('an uploaded photo is accepted with its origin, and hides nothing', () => {
  const photo = made({});
  expect(photo).toEqual({
    _id: photoId('assignment-1', 'digest of bytes'),
    filename: expect.stringMatching(/^[\w-]{22}\.jpg$/),
    contentHash: 'digest of bytes',
    assignmentId: 'assignment-1',
    orderId: '0'.repeat(24),
    workerId: 'worker-1',
    workerName: 'Luz',
    originalName: 'IMG_1.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 5,
    flags: [],
    uploadedAt: '2026-03-02T00:00:00.000Z',
    state: 'accepted',
    variants: [],
  });
  expect(made({}).filename).not.toBe(photo.filename);
});

describe('a photo of a former worker', () => {
  const former = { ...occasion, isFormer: true };

  test('is flagged and hidden until an admin decides, as another worker may plant there now', () => {
    const hidden = { isHidden: true, reason: '', by: { role: 'system' }, at: '2026-03-02T00:00:00.000Z' };
    const photo = newPhoto(file, former, worker, options);
    expect(photo).toMatchObject({ flags: ['after-reassignment'], hidden, decisions: [hidden] });
  });

  test('of a growth visit is flagged only', () => {
    const photo = newPhoto(file, { ...former, growthVisitId: 'visit-1' }, worker, options);
    expect(photo.flags).toEqual(['after-reassignment']);
    expect(photo).not.toHaveProperty('hidden');
    expect(photo).not.toHaveProperty('decisions');
  });
});

describe('place and time of capture', () => {
  test('come from the phone when the file lacks them', () => {
    expect(made({ detail })).toMatchObject({
      coordinates: { latitude: 4.6, longitude: -74 },
      coordinatesFrom: 'phone',
      accuracyMetres: 8,
      takenAt: '2026-03-01T16:00:00.000Z',
      takenAtFrom: 'phone',
      distanceMetres: 11_120,
      flags: ['far-from-place'],
    });
  });

  test('come from the file’s EXIF before the phone', () => {
    const photo = made({ evidence: exif, detail });
    expect(photo).toMatchObject({ ...exif, coordinatesFrom: 'exif', takenAtFrom: 'exif', flags: [] });
    expect(photo).not.toHaveProperty('accuracyMetres');
  });

  test('are combined when each has one of them', () => {
    expect(made({ evidence: { takenAt: exif.takenAt }, detail })).toMatchObject({
      takenAtFrom: 'exif',
      coordinatesFrom: 'phone',
    });
  });

  test('are unknown when only one half has a fix', () => {
    expect(made({ detail: { latitude: 0, longitude: -74 } })).not.toHaveProperty('coordinates');
  });

  test('are unknown when neither is plausible', () => {
    const photo = made({
      detail: { latitude: 0, longitude: 0, accuracyMetres: 5, takenAt: '1999-01-01T00:00:00Z' },
    });
    expect(photo).not.toHaveProperty('coordinates');
    expect(photo).not.toHaveProperty('takenAt');
    expect(photo).not.toHaveProperty('accuracyMetres');
  });
});

test('a photo of a growth visit differs from one of the planting with the same content', () => {
  const planting = made({});
  const growth = newPhoto(file, { ...occasion, growthVisitId: 'visit-1' }, worker, options);
  expect(growth._id).not.toBe(planting._id);
  expect(growth.contentHash).toBe(planting.contentHash);
  expect(growth).toMatchObject({ growthVisitId: 'visit-1', assignmentId: 'assignment-1', workerName: 'Luz' });
});

test('photos have a client key only if the phone sends ids', () => {
  expect(made({})).not.toHaveProperty('clientKey');
  const first = made({ detail: { clientId: 'client-id-1' } });
  const reencoded = made({ detail: { clientId: 'client-id-1' }, digest: 'digest of others' });
  expect(first.clientKey).toMatch(/^[\w-]{43}$/);
  expect(first.clientKey).toBe(reencoded.clientKey);
  expect(first._id).not.toBe(reencoded._id);
});

test.each([
  ['árbol uno 🌳.jpg', 'árbol uno 🌳.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\photos\\one.jpg', 'one.jpg'],
  ['a\0b\r\nc\u001b.jpg', 'abc.jpg'],
  ['half \ud83c.jpg', 'half .jpg'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['', 'photo'],
  ['\0\u0007', 'photo'],
  ['folder/', 'photo'],
])('the file name %j becomes %j', (name, known) => {
  expect(harmlessName(name)).toBe(known);
});

test('a long name is cut at a character boundary', () => {
  const name = harmlessName(`${'x'.repeat(199)}🌳🌳.jpg`);
  expect(name).toBe(`${'x'.repeat(199)}🌳`);
  expect(name.isWellFormed()).toBe(true);
});
