import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { startTestMedia, type TestMedia } from '../testing/media.ts';
import { heicPhoto } from '../testing/heic.ts';
import { fieldPhoto, picture, pixelBomb, SVG } from '../testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

let media: TestMedia;
beforeAll(async () => {
  media = await startTestMedia();
});
afterAll(() => media.close());

const jpeg = () => picture().jpeg().toBuffer();

/** Sends files that are refused and checks that nothing was kept of any of them. */
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
  test('and is told the names they will be shown by', async () => {
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

  test('of an assignment that is completed already', async () => {
    expect((await media.upload([{ bytes: await jpeg() }], { assignment: 'completed' })).status).toBe(201);
  });

  test('up to ten at once', async () => {
    const files = await Promise.all(Array.from({ length: 10 }, async () => ({ bytes: await jpeg() })));
    const answer = await media.upload(files);
    expect(answer.status).toBe(201);
    expect(answer.body.photos).toHaveLength(10);
  });

  test('and assignments is asked by a service, with the request’s correlation id', async () => {
    const answer = await media.upload([{ bytes: await jpeg() }]);
    const call = media.assignments.calls.at(-1)!;
    expect(call.path).toBe('/internal/assignments/planted');
    expect(call.headers.authorization).toMatch(/^Bearer /);
    expect(call.headers['x-correlation-id']).toBe(answer.headers.get('x-correlation-id'));
  });
});

describe('the same photo sent again', () => {
  test('is the photo that was there', async () => {
    const bytes = await jpeg();
    const first = await media.upload([{ bytes, name: 'IMG_1.jpg' }]);
    const again = await media.upload([{ bytes, name: 'IMG_1 (copy).jpg' }]);
    expect(again.status).toBe(201);
    expect(again.body.photos).toEqual([
      { ...first.body.photos[0], originalName: 'IMG_1 (copy).jpg', duplicate: true },
    ]);
  });

  test('is one photo when it is twice in one request', async () => {
    const bytes = await jpeg();
    const { photos } = (await media.upload([{ bytes }, { bytes }])).body;
    expect(photos[0].filename).toBe(photos[1].filename);
    expect(photos.map(({ duplicate }: { duplicate: boolean }) => duplicate)).toEqual([false, true]);
  });

  test('is one photo when both requests come at the same time', async () => {
    const bytes = await jpeg();
    const before = await media.photosKept();
    const answers = await Promise.all([1, 2, 3].map(() => media.upload([{ bytes }])));
    const photos = answers.map(({ body }) => body.photos[0]);
    expect(new Set(photos.map(({ filename }) => filename)).size).toBe(1);
    expect(photos.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await media.photosKept()).toBe(before + 1);
  });

  test('is another photo for another assignment', async () => {
    const bytes = await jpeg();
    const one = await media.upload([{ bytes }], { assignment: 'planted' });
    const other = await media.upload([{ bytes }], { assignment: 'completed' });
    expect(other.body.photos[0].duplicate).toBe(false);
    expect(other.body.photos[0].filename).not.toBe(one.body.photos[0].filename);
  });
});

describe('what is no photo is refused by its name', () => {
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

  test('and told how to set the camera when the format is the fault', async () => {
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

  test('and there must be one', async () => {
    expect(await refused([])).toMatchObject({ type: 'validation-failed', errors: [['photos', 'required']] });
  });
});

describe('photos are not taken', () => {
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

test('the operator sees how many photos came and why some did not', async () => {
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
