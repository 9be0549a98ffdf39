import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { VARIANTS_JOB } from '../photos/store.ts';
import { startTestMedia, type TestMedia, WORKER } from '../testing/media.ts';
import { FIELD_EXIF, FIELD_PLACE, FIELD_TIME, fieldPhoto, picture } from '../testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

let media: TestMedia;
beforeAll(async () => {
  media = await startTestMedia();
});
afterAll(() => media.close());

/** Sends one photo; gives the name it is shown by. */
async function send(bytes: Uint8Array): Promise<string> {
  const answer = await media.upload([{ bytes }]);
  expect(answer.status).toBe(201);
  return answer.body.photos[0].filename;
}

describe('a photo that was sent', () => {
  test('can be looked at in three sizes, without a word about place or camera', async () => {
    const filename = await send(await picture(2000, 1500).withExif(FIELD_EXIF).jpeg().toBuffer());
    for (const width of [320, 800, 1600]) {
      const { body, headers } = await media.ready(filename, width);
      expect(headers.get('content-type')).toBe('image/jpeg');
      const metadata = await sharp(body).metadata();
      expect(metadata).toMatchObject({ format: 'jpeg', width, height: (width * 3) / 4 });
      expect(metadata.exif).toBeUndefined();
      expect(Number(headers.get('content-length'))).toBe(body.length);
    }
    expect((await sharp((await media.photo(filename)).body).metadata()).width).toBe(1600);
  });

  test.each(['png', 'gif', 'webp', 'avif'] as const)('as %s is shown as JPEG', async (format) => {
    const filename = await send(await picture(600, 400).blur(12).toFormat(format).toBuffer());
    const { body } = await media.ready(filename, 320);
    expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 213 });
  });

  test('lying on its side is shown upright', async () => {
    const filename = await send(await picture(1000, 500).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect(await sharp((await media.ready(filename)).body).metadata()).toMatchObject({
      width: 500,
      height: 1000,
    });
  });

  test('keeps its place among those that were sent with it', async () => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const bytes = () => picture(200, 100).jpeg().toBuffer();
    const { photos } = (await media.upload([{ bytes: await bytes() }, { bytes: await bytes() }])).body;
    const [first, second] = await Promise.all(
      photos.map(({ id }: { id: string }) => events.next('photo.uploaded', (one) => one.data.photoId === id)),
    );
    expect(first.data.uploadedAt < second.data.uploadedAt).toBe(true);
  });

  test('is told of once it can be looked at, with its place and time', async () => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const { id, filename } = (await media.upload([{ bytes: await fieldPhoto() }])).body.photos[0];
    const event = await events.next('photo.uploaded');
    expect(event).toMatchObject({ key: '0123456789abcdef01234567', version: 1 });
    expect(event.data).toEqual({
      orderId: '0123456789abcdef01234567',
      assignmentId: 'planted',
      workerId: WORKER,
      photoId: id,
      filename,
      width: 400,
      height: 300,
      takenAt: FIELD_TIME,
      coordinates: FIELD_PLACE,
      uploadedAt: expect.stringMatching(/Z$/),
      flags: [],
    });
    expect((await media.photo(filename)).status).toBe(200);
  });

  test('is told of once, however often its job runs', async () => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const { id, filename } = (await media.upload([{ bytes: await picture().jpeg().toBuffer() }])).body
      .photos[0];
    await events.next('photo.uploaded');
    const again = { name: VARIANTS_JOB, payload: { photoId: id } };
    await media.platform.jobs('media').enqueue([again, again]);
    const later = await send(await picture().jpeg().toBuffer());
    await events.next('photo.uploaded', ({ data }) => data.filename === later);
    const told = events.all('photo.uploaded').filter(({ data }) => data.filename === filename);
    expect(told).toHaveLength(1);
  });
});

describe('there is nothing to see', () => {
  test.each([
    'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    'short.jpg',
    'AAAAAAAAAAAAAAAAAAAAAA.png',
    '../../originals/x.jpg',
    '..%2f..%2fetc%2fpasswd',
  ])('under the name %s', async (filename) => {
    const answer = await media.photo(filename);
    expect([answer.status, answer.body.type]).toEqual([404, 'not-found']);
  });

  test('in a size that is not made', async () => {
    const filename = await send(await picture().jpeg().toBuffer());
    expect((await media.photo(filename, 640)).body).toMatchObject({
      type: 'validation-failed',
      errors: [{ path: 'w', type: 'unknown-value' }],
    });
  });
});

test('a photo that was accepted by a process that died is made by the next one, and told of', async () => {
  const dying = await startTestMedia({ jobs: [] });
  try {
    const events = await probeEvents(dying.platform, ['photo.uploaded']);
    const answer = await dying.upload([{ bytes: await fieldPhoto() }]);
    const { filename } = answer.body.photos[0];
    expect(answer.status).toBe(201);
    expect((await dying.photo(filename)).status).toBe(404);
    expect(await dying.metric('photos_waiting')).toBe(1);

    await dying.restart();
    expect((await events.next('photo.uploaded')).data.filename).toBe(filename);
    expect((await dying.photo(filename)).status).toBe(200);
    expect(await dying.metric('photos_waiting')).toBe(0);
    expect(await dying.metric('photo_variants_seconds_count')).toBe(1);
  } finally {
    await dying.close();
  }
});
