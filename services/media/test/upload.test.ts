import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { heicPhoto } from './heic.ts';
import { startTestMedia, type TestMedia, WORKER } from './media.ts';
import { FIELD_PLACE, FIELD_TIME, fieldPhoto, picture, pixelBomb, SVG } from './pictures.ts';

jest.setTimeout(60_000);

let media: TestMedia;

beforeAll(async () => {
  media = await startTestMedia();
});

afterAll(() => media.close());

const jpeg = () => picture().jpeg().toBuffer();

/** Sends files that are refused and checks that none was stored. */
async function refused(...sent: Parameters<TestMedia['upload']>) {
  const before = await media.photosKept();
  const answer = await media.upload(...sent);
  expect(await media.photosKept()).toBe(before);
  return {
    status: answer.status,
    type: answer.body.type,
    errors: answer.body.errors?.map(({ path, type }: { path: string; type: string }) => [path, type]),
  };
}

describe('a worker sends photos', () => {
  test('and gets their public names', async () => {
    const answer = await media.upload([
      { bytes: await jpeg(), name: 'árbol uno.jpg' },
      { bytes: await picture().png().toBuffer(), name: 'two.png', type: 'image/png' },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body.photos).toMatchObject([
      { originalName: 'árbol uno.jpg', duplicate: false },
      { originalName: 'two.png', duplicate: false },
    ]);
    for (const { filename } of answer.body.photos) expect(filename).toMatch(/^[\w-]{22}\.jpg$/);
    expect(answer.body.photos[0].filename).not.toBe(answer.body.photos[1].filename);
  });

  test('of a completed assignment', async () => {
    expect((await media.upload([{ bytes: await jpeg() }], { assignment: 'completed' })).status).toBe(201);
  });

  test('up to ten at once', async () => {
    const files = await Promise.all(Array.from({ length: 10 }, async () => ({ bytes: await jpeg() })));
    const answer = await media.upload(files);
    expect(answer.status).toBe(201);
    expect(answer.body.photos).toHaveLength(10);
  });

  test('and assignments is called as a service, with the request’s correlation id', async () => {
    const answer = await media.upload([{ bytes: await jpeg() }]);
    const call = media.assignments.calls.at(-1)!;
    expect(call.path).toBe('/internal/assignments/planted');
    expect(call.headers.authorization).toMatch(/^Bearer /);
    expect(call.headers['x-correlation-id']).toBe(answer.headers.get('x-correlation-id'));
  });
});

describe('the same photo sent again', () => {
  test('returns the existing photo', async () => {
    const bytes = await jpeg();
    const first = await media.upload([{ bytes, name: 'IMG_1.jpg' }]);
    const again = await media.upload([{ bytes, name: 'IMG_1 (copy).jpg' }]);
    expect(again.status).toBe(201);
    expect(again.body.photos).toEqual([
      { ...first.body.photos[0], originalName: 'IMG_1 (copy).jpg', duplicate: true },
    ]);
  });

  test('twice in one request is one photo', async () => {
    const bytes = await jpeg();
    const { photos } = (await media.upload([{ bytes }, { bytes }])).body;
    expect(photos[0].filename).toBe(photos[1].filename);
    expect(photos.map(({ duplicate }: { duplicate: boolean }) => duplicate)).toEqual([false, true]);
  });

  test('in two concurrent requests is one photo', async () => {
    const bytes = await jpeg();
    const before = await media.photosKept();
    const answers = await Promise.all([1, 2, 3].map(() => media.upload([{ bytes }])));
    const photos = answers.map(({ body }) => body.photos[0]);
    expect(new Set(photos.map(({ filename }) => filename)).size).toBe(1);
    expect(photos.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await media.photosKept()).toBe(before + 1);
  });

  test('for another assignment is another photo', async () => {
    const bytes = await jpeg();
    const one = await media.upload([{ bytes }], { assignment: 'planted' });
    const other = await media.upload([{ bytes }], { assignment: 'completed' });
    expect(other.body.photos[0].duplicate).toBe(false);
    expect(other.body.photos[0].filename).not.toBe(one.body.photos[0].filename);
  });
});

describe('a file that is no photo is refused by name', () => {
  test.each([
    ['text', async () => Buffer.from('not a photo'), 422, 'photo-not-an-image'],
    ['SVG', async () => SVG, 422, 'photo-not-an-image'],
    ['nothing', async () => Buffer.alloc(0), 422, 'photo-not-an-image'],
    ['a truncated JPEG', async () => (await fieldPhoto()).subarray(0, 3_000), 422, 'photo-damaged'],
    ['a pixel bomb', async () => pixelBomb(), 422, 'photo-too-many-pixels'],
    ['20 MB', async () => randomBytes(20_000_000), 413, 'photo-too-large'],
    ['HEIC that cannot be read here', async () => heicPhoto(), 422, 'photo-heic-unreadable'],
  ])('when it is %s', async (_name, bad, status, type) => {
    const files = [{ bytes: await bad() }];
    expect(await refused(files)).toEqual({ status, type, errors: [['photos.0', type]] });
  });

  test('with advice on the camera’s settings when the format is at fault', async () => {
    const { body } = await media.upload([{ bytes: heicPhoto() }]);
    expect(body.error).toMatch(/Set the camera to JPEG/);
  });

  test('each for its own reason when several are bad', async () => {
    const files = [
      { bytes: Buffer.from('text') },
      { bytes: (await jpeg()).subarray(0, 3_000) },
      { bytes: Buffer.alloc(16_000_000) },
    ];
    expect(await refused(files)).toMatchObject({
      type: 'photo-not-an-image',
      errors: [
        ['photos.0', 'photo-not-an-image'],
        ['photos.1', 'photo-damaged'],
        ['photos.2', 'photo-too-large'],
      ],
    });
  });

  test('in the worker’s language', async () => {
    const { body } = await media.upload([{ bytes: Buffer.from('text') }], { language: 'es-CO' });
    const message = 'Este archivo no es una foto JPEG, PNG, GIF, WebP o AVIF.';
    expect(body).toMatchObject({ error: message, errors: [{ path: 'photos.0', message }] });
  });

  test('when there are eleven', async () => {
    const bytes = await jpeg();
    const files = Array.from({ length: 11 }, (_, index) => ({
      bytes: Buffer.concat([bytes, Buffer.from([index])]),
    }));
    expect(await refused(files)).toEqual({
      status: 422,
      type: 'too-many-files',
      errors: [['photos', 'too-many-files']],
    });
  });

  test('and an upload without photos is refused', async () => {
    expect(await refused([])).toMatchObject({ type: 'validation-failed', errors: [['photos', 'required']] });
  });
});

describe('photos are refused', () => {
  test.each([
    ['for another worker’s assignment', 'somebody-elses', 404, 'not-found'],
    ['for an assignment that there is not', 'unknown', 404, 'not-found'],
    ['before the trees are planted', 'assigned', 409, 'photos-not-yet'],
    ['for what cannot be an assignment', 'a b', 404, 'not-found'],
  ])('%s', async (_name, assignment, status, type) => {
    expect(await refused([{ bytes: await jpeg() }], { assignment })).toMatchObject({ status, type });
  });

  test('from a customer, or from nobody', async () => {
    const customer = await media.identity.token({ role: 'customer', id: 'worker-1' });
    expect(await refused([{ bytes: await jpeg() }], { token: customer })).toMatchObject({ status: 403 });
    expect(await refused([{ bytes: await jpeg() }], { token: '' })).toMatchObject({ status: 401 });
  });

  test('while assignments does not answer', async () => {
    media.assignments.behaviour.answers = false;
    try {
      expect(await refused([{ bytes: await jpeg() }])).toMatchObject({ status: 503, type: 'unavailable' });
    } finally {
      media.assignments.behaviour.answers = true;
    }
  });
});

test('metrics count accepted and refused photos', async () => {
  const refusals = 'photos_refused_total{type="photo-not-an-image"';
  const before = {
    kept: await media.metric('photos_accepted_total{duplicate="false"'),
    refused: await media.metric(refusals),
  };
  await media.upload([{ bytes: await jpeg() }]);
  await media.upload([{ bytes: Buffer.from('text') }]);
  expect(await media.metric('photos_accepted_total{duplicate="false"')).toBe(before.kept + 1);
  expect(await media.metric(refusals)).toBe(before.refused + 1);
});

const text = Buffer.from('not a photo');

const namesOf = (photos: { filename: string }[]) => photos.map(({ filename }) => filename);

describe('one bad file', () => {
  test('does not block the others, and is reported by position and name', async () => {
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

  test('is not reported when all are good', async () => {
    expect((await media.upload([{ bytes: await jpeg() }])).body.refused).toEqual([]);
  });
});

describe('an interrupted upload can be sent again', () => {
  test('with the same answer and nothing twice', async () => {
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

  test('even when part of it had arrived', async () => {
    const files = [{ bytes: await jpeg() }, { bytes: await jpeg() }];
    const [first] = (await media.upload([files[0]!])).body.photos;
    const { photos } = (await media.upload(files)).body;
    expect(photos).toMatchObject([{ id: first.id, duplicate: true }, { duplicate: false }]);
  });

  test('with the phone’s id, even if the phone compressed the photo again', async () => {
    const details = [{ clientId: randomUUID() }];
    const [first] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    const before = await media.photosKept();
    const [again] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await media.photosKept()).toBe(before);
  });

  test('but ids are scoped: another worker’s or assignment’s photo is another', async () => {
    const details = [{ clientId: randomUUID() }];
    const [one] = (await media.upload([{ bytes: await jpeg() }], { details })).body.photos;
    const [other] = (await media.upload([{ bytes: await jpeg() }], { details, assignment: 'completed' })).body
      .photos;
    expect(other.duplicate).toBe(false);
    expect(other.id).not.toBe(one.id);
  });
});

describe('the same photo at the same moment on two replicas', () => {
  test.each(['its bytes', 'the phone’s name for it'])('is one photo, recognized by %s', async (known) => {
    const replica = await media.replica();
    try {
      for (let round = 0; round < 5; round++) {
        const details = known === 'its bytes' ? undefined : [{ clientId: randomUUID() }];
        const bytes = await jpeg();
        // Phones compress a picture differently each time.
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

describe('the phone’s details of a photo', () => {
  const place = { latitude: 4.598, longitude: -74.0755, accuracyMetres: 12 };

  test('are stored and published as such', async () => {
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

  test('are overridden by the file', async () => {
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
  ])('are refused when %s, and nothing is stored', async (_name, details, path) => {
    const before = await media.photosKept();
    const { status, body } = await media.upload([{ bytes: await jpeg() }], { details });
    expect({ status, path: body.errors[0].path }).toEqual({ status: 422, path });
    expect(body.type).toBe('validation-failed');
    expect(await media.photosKept()).toBe(before);
  });

  test('are refused when two photos share an id, as one would be lost', async () => {
    const files = [{ bytes: await jpeg() }, { bytes: await jpeg() }];
    const details = [{ clientId: 'the-same-id' }, { clientId: 'the-same-id' }];
    const { status, body } = await media.upload(files, { details });
    expect([status, body.errors[0].path]).toEqual([422, 'details.1.clientId']);
  });
});

test('a file’s name is sanitized', async () => {
  const answer = await media.upload([{ bytes: await jpeg(), name: '../\u202eárbol.jpg' }]);
  expect(answer.status).toBe(201);
  expect(answer.body.photos[0].originalName).toBe('árbol.jpg');
});
