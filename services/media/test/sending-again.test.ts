import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestMedia, type TestMedia, WORKER } from '../testing/media.ts';
import { heicPhoto } from '../testing/heic.ts';
import { FIELD_PLACE, FIELD_TIME, fieldPhoto, picture } from '../testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

let media: TestMedia;
beforeAll(async () => {
  media = await startTestMedia();
});
afterAll(() => media.close());

const jpeg = () => picture().jpeg().toBuffer();
const text = Buffer.from('not a photo');
const namesOf = (photos: { filename: string }[]) => photos.map(({ filename }) => filename);

describe('one bad file', () => {
  test('does not hold up the others, and is told by its place and name', async () => {
    const files = [
      { bytes: await jpeg(), name: 'one.jpg' },
      { bytes: text, name: 'notes.txt' },
      { bytes: Buffer.alloc(15_000_001), name: 'huge.jpg' },
      { bytes: heicPhoto(), name: 'IMG_4.HEIC' },
      { bytes: await jpeg(), name: 'five.jpg' },
    ];
    const details = files.map((_file, index) => ({ clientId: `bad-file-${index}` }));
    const before = await media.photosKept();
    const { status, body } = await media.upload(files, { details, language: 'es' });
    expect(status).toBe(201);
    expect(body.photos).toMatchObject([
      { originalName: 'one.jpg', clientId: 'bad-file-0', duplicate: false, flags: [] },
      { originalName: 'five.jpg', clientId: 'bad-file-4', duplicate: false, flags: [] },
    ]);
    expect(body.refused).toMatchObject([
      {
        index: 1,
        originalName: 'notes.txt',
        clientId: 'bad-file-1',
        type: 'photo-not-an-image',
        message: 'Este archivo no es una foto JPEG, PNG, GIF, WebP o AVIF.',
      },
      { index: 2, originalName: 'huge.jpg', type: 'photo-too-large' },
      { index: 3, originalName: 'IMG_4.HEIC', type: 'photo-heic-unreadable' },
    ]);
    expect(await media.photosKept()).toBe(before + 2);
  });

  test('is not there when all are good', async () => {
    expect((await media.upload([{ bytes: await jpeg() }])).body.refused).toEqual([]);
  });
});

describe('an upload that broke off is simply sent again', () => {
  test('and answered alike, with nothing twice', async () => {
    const files = [{ bytes: await jpeg() }, { bytes: await jpeg() }];
    const details = files.map(() => ({ clientId: randomUUID() }));
    const before = await media.photosKept();
    const first = await media.upload(files, { details });
    const again = await media.upload(files, { details });
    expect(again.status).toBe(201);
    expect(again.body.photos).toEqual(
      first.body.photos.map((photo: object) => ({ ...photo, duplicate: true })),
    );
    expect(await media.photosKept()).toBe(before + 2);
  });

  test('also when only some of it had arrived', async () => {
    const files = [{ bytes: await jpeg() }, { bytes: await jpeg() }];
    const [first] = (await media.upload([files[0]!])).body.photos;
    const { photos } = (await media.upload(files)).body;
    expect(photos).toMatchObject([{ id: first.id, duplicate: true }, { duplicate: false }]);
  });

  test('and is the photo that the phone named, when the phone made it smaller anew', async () => {
    const details = [{ clientId: randomUUID() }];
    const [first] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    const before = await media.photosKept();
    const [again] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await media.photosKept()).toBe(before);
  });

  test('but names are a phone’s own: another worker’s or assignment’s photo is another', async () => {
    const details = [{ clientId: randomUUID() }];
    const [one] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    const [other] = (await media.upload([{ bytes: await jpeg() }], { details, assignment: 'completed' })).body
      .photos;
    expect(other.duplicate).toBe(false);
    expect(other.id).not.toBe(one.id);
  });
});

describe('the same photo at the same moment on two replicas', () => {
  test.each(['its bytes', 'the phone’s name for it'])('is one photo, known by %s', async (known) => {
    const replica = await media.replica();
    try {
      for (let round = 0; round < 5; round++) {
        const details = known === 'its bytes' ? undefined : [{ clientId: randomUUID() }];
        const bytes = await jpeg();
        // The phone's picture comes out differently each time it is made.
        const sendings = await Promise.all(
          [media.url(), replica.url, media.url(), replica.url].map(async (at) => ({
            at,
            bytes: details ? await jpeg() : bytes,
          })),
        );
        const before = await media.photosKept();
        const answers = await Promise.all(
          sendings.map((one) => media.upload([{ bytes: one.bytes }], { at: one.at, details })),
        );
        const photos = answers.flatMap(({ body }) => body.photos);
        expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
        expect(new Set(namesOf(photos)).size).toBe(1);
        expect(photos.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
        expect(await media.photosKept()).toBe(before + 1);
      }
    } finally {
      await replica.close();
    }
  });
});

describe('what the phone tells of a photo', () => {
  const place = { latitude: 4.598, longitude: -74.0755, accuracyMetres: 12 };

  test('is kept with it, and told as the phone’s word', async () => {
    const details = [{ ...place, takenAt: '2026-03-01T10:00:00-05:00' }];
    const [{ id }] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    expect(await media.kept(id)).toMatchObject({
      workerId: WORKER,
      coordinates: { latitude: 4.598, longitude: -74.0755 },
      coordinatesFrom: 'phone',
      accuracyMetres: 12,
      takenAt: '2026-03-01T15:00:00.000Z',
      takenAtFrom: 'phone',
      distanceMetres: expect.any(Number),
    });
  });

  test('stands behind what the file says', async () => {
    const details = [{ ...place, takenAt: '2026-03-01T20:00:00-05:00' }];
    const [{ id }] = (await media.upload([{ bytes: await fieldPhoto() }], { details })).body.photos;
    expect(await media.kept(id)).toMatchObject({
      coordinates: FIELD_PLACE,
      coordinatesFrom: 'exif',
      takenAt: FIELD_TIME,
      takenAtFrom: 'exif',
    });
  });

  test.each([
    ['no JSON', '{not json', 'details'],
    ['blank', '', 'details'],
    ['no list', '{}', 'details'],
    ['of fewer files than were sent', '[]', 'details'],
    ['of more files than were sent', '[{},{}]', 'details'],
    ['half a place', '[{"latitude":4.5}]', 'details.0.longitude'],
    ['a place that is none', '[{"latitude":91,"longitude":0}]', 'details.0.latitude'],
    ['a time without its offset', '[{"takenAt":"2026-03-01T10:00:00"}]', 'details.0.takenAt'],
    ['a time that is a number', '[{"takenAt":1}]', 'details.0.takenAt'],
    ['an id that counts', '[{"clientId":"1"}]', 'details.0.clientId'],
    ['an id that cannot be stored', '[{"clientId":"12345678\\u0000"}]', 'details.0.clientId'],
    ['an accuracy below zero', '[{"accuracyMetres":-1}]', 'details.0.accuracyMetres'],
  ])('is refused when it is %s, and nothing is kept', async (_name, details, path) => {
    const before = await media.photosKept();
    const { status, body } = await media.upload([{ bytes: await jpeg() }], { details });
    expect({ status, path: body.errors[0].path }).toEqual({ status: 422, path });
    expect(body.type).toBe('validation-failed');
    expect(await media.photosKept()).toBe(before);
  });

  test('is refused when two photos have one id, since one of them would be lost', async () => {
    const files = [{ bytes: await jpeg() }, { bytes: await jpeg() }];
    const details = [{ clientId: 'the-same-id' }, { clientId: 'the-same-id' }];
    const { status, body } = await media.upload(files, { details });
    expect([status, body.errors[0].path]).toEqual([422, 'details.1.clientId']);
  });
});

test('a file’s name is kept without what could do harm', async () => {
  const answer = await media.upload([{ bytes: await jpeg(), name: '../\u202eárbol.jpg' }]);
  expect(answer.status).toBe(201);
  expect(answer.body.photos[0].originalName).toBe('árbol.jpg');
});
