import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { originalKey, photoObjects } from '../photos/objects.ts';
import { openPhotos } from '../photos/photos.ts';
import { startTestMedia, type TestMedia, WORKER } from './media.ts';
import { FIELD_EXIF, FIELD_PLACE, FIELD_TIME, fieldPhoto, picture } from './pictures.ts';

jest.setTimeout(60_000);

describe('photos that are shown', () => {
  const FOR_A_MINUTE = 'public, max-age=60';

  /** Accept header of a browser's img element. */
  const BROWSER = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

  /** Smooth, so that encoding is fast. */
  const smooth = (width = 400, height = 300) => picture(width, height).blur(12).jpeg().toBuffer();

  let media: TestMedia;

  let photo: { id: string; filename: string };

  beforeAll(async () => {
    media = await startTestMedia({ steps: ['jpeg', 'modern'] });
    [photo] = (await media.upload([{ bytes: await smooth(1700, 1275) }])).body.photos;
    await media.modern(photo.id);
  });

  afterAll(() => media.close());

  const look = (headers: Record<string, string>, w = 320) => media.photo(photo.filename, w, headers);

  describe('a photo is served', () => {
    test.each([
      ['as AVIF', BROWSER, 'image/avif'],
      ['as WebP', 'image/webp,image/*;q=0.8', 'image/webp'],
      ['as JPEG', 'image/png,image/*', 'image/jpeg'],
      ['as JPEG', '*/*', 'image/jpeg'],
    ])('as %s to a caller that accepts %s, in every size', async (_name, accept, type) => {
      for (const width of [320, 800, 1600]) {
        const { status, headers, body } = await look({ Accept: accept }, width);
        expect([status, headers.get('content-type')]).toEqual([200, type]);
        expect(headers.get('vary')).toBe('Accept');
        expect(headers.get('cache-control')).toBe(FOR_A_MINUTE);
        expect(await sharp(body).metadata()).toMatchObject({
          mediaType: type,
          width,
          height: (width * 3) / 4,
        });
      }
    });

    test('in the smaller format', async () => {
      const sizes = await Promise.all(
        ['image/avif', 'image/webp', 'image/jpeg'].map(
          async (Accept) => (await look({ Accept }, 1600)).body.length,
        ),
      );
      expect(sizes[0]).toBeLessThan(sizes[2]!);
      expect(sizes[1]).toBeLessThan(sizes[2]!);
    });

    test('with an ETag per format and size, which saves repeated downloads', async () => {
      const tags = new Set<string>();
      for (const Accept of ['image/avif', 'image/webp', 'image/jpeg']) {
        for (const width of [320, 800]) {
          const etag = (await look({ Accept }, width)).headers.get('etag')!;
          tags.add(etag);
          // Revalidates like a browser; fetch alone would ask for a fresh copy.
          const known = { Accept, 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
          expect((await look(known, width)).status).toBe(304);
        }
      }
      expect(tags.size).toBe(6);
      const [jpegTag] = [(await look({ Accept: 'image/jpeg' })).headers.get('etag')!];
      const asAvif = { Accept: 'image/avif', 'If-None-Match': jpegTag, 'Cache-Control': 'max-age=0' };
      expect((await look(asAvif)).status).toBe(200);
    });
  });

  describe('a range of a photo', () => {
    test('continues a broken download', async () => {
      const whole = await look({});
      expect(whole.headers.get('accept-ranges')).toBe('bytes');
      const part = await look({ Range: 'bytes=100-299' });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 100-299/${whole.body.length}`);
      expect(part.body).toEqual(whole.body.subarray(100, 300));
      const rest = await look({ Range: `bytes=300-`, 'If-Range': whole.headers.get('etag')! });
      expect([rest.status, rest.body]).toEqual([206, whole.body.subarray(300)]);
    });

    test('is not served of another picture than the one begun', async () => {
      const tag = (await look({ Accept: 'image/avif' })).headers.get('etag')!;
      const answer = await look({ Accept: 'image/jpeg', Range: 'bytes=100-', 'If-Range': tag });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    });

    test('beyond its end is refused', async () => {
      const { status, body } = await look({ Range: 'bytes=99999999-' });
      expect([status, body.type]).toEqual([416, 'range-not-satisfiable']);
    });
  });

  test('the first request does not wait for newer formats, and its JPEG is not cached in their place', async () => {
    const early = await startTestMedia();
    try {
      const [{ id, filename }] = (await early.upload([{ bytes: await smooth() }])).body.photos;
      await early.ready(filename);
      const provisional = await early.photo(filename, 320, { Accept: BROWSER });
      expect(provisional.headers.get('content-type')).toBe('image/jpeg');
      expect(provisional.headers.get('cache-control')).toBe('public, max-age=60');
      expect(provisional.headers.get('vary')).toBe('Accept');
      const final = await early.photo(filename, 320, { Accept: '*/*' });
      expect(final.headers.get('cache-control')).toBe(FOR_A_MINUTE);
      expect(await early.metric('photos_awaiting_modern')).toBe(1);

      await early.restart();
      await early.modern(id);
      const better = await early.photo(filename, 320, { Accept: BROWSER });
      expect(better.headers.get('content-type')).toBe('image/avif');
      expect(better.headers.get('etag')).not.toBe(provisional.headers.get('etag'));
      expect(better.headers.get('cache-control')).toBe(FOR_A_MINUTE);
      expect(await early.metric('photos_awaiting_modern')).toBe(0);
      expect(await early.metric('photo_modern_seconds_count')).toBe(1);
    } finally {
      await early.close();
    }
  });

  test('metrics count served formats', async () => {
    const line = 'photos_shown_total{format="avif"';
    const before = await media.metric(line);
    await look({ Accept: BROWSER });
    expect(await media.metric(line)).toBe(before + 1);
  });
});

describe('the sizes of a photo', () => {
  let media: TestMedia;

  beforeAll(async () => {
    media = await startTestMedia();
  });

  afterAll(() => media.close());

  /** Sends one photo. @returns its public name */
  async function send(bytes: Uint8Array): Promise<string> {
    const answer = await media.upload([{ bytes }]);
    expect(answer.status).toBe(201);
    return answer.body.photos[0].filename;
  }

  describe('an uploaded photo', () => {
    test('is served in three sizes without metadata', async () => {
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

    test.each(['png', 'gif', 'webp', 'avif'] as const)('of type %s is served as JPEG', async (format) => {
      const filename = await send(await picture(600, 400).blur(12).toFormat(format).toBuffer());
      const { body } = await media.ready(filename, 320);
      expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 213 });
    });

    test('taken sideways is served upright', async () => {
      const filename = await send(
        await picture(1000, 500).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      );
      expect(await sharp((await media.ready(filename)).body).metadata()).toMatchObject({
        width: 500,
        height: 1000,
      });
    });

    test('keeps its position in the upload', async () => {
      const events = await probeEvents(media.platform, ['photo.uploaded']);
      const bytes = () => picture(200, 100).jpeg().toBuffer();
      const { photos } = (await media.upload([{ bytes: await bytes() }, { bytes: await bytes() }])).body;
      const [first, second] = await Promise.all(
        photos.map(({ id }: { id: string }) =>
          events.next('photo.uploaded', (one) => one.data.photoId === id),
        ),
      );
      expect(first.data.uploadedAt < second.data.uploadedAt).toBe(true);
    });

    test('is published once it can be shown, with place and time', async () => {
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

    test('is published once, however often it is processed', async () => {
      const events = await probeEvents(media.platform, ['photo.uploaded']);
      const { id, filename } = (await media.upload([{ bytes: await picture().jpeg().toBuffer() }])).body
        .photos[0];
      await events.next('photo.uploaded');
      const photos = openPhotos(media.store, photoObjects(await media.platform.objects('media')));
      const photo = await media.kept(id);
      for (const made of [photo, photo]) await photos.makeReady(made, made.variants);
      const later = await send(await picture().jpeg().toBuffer());
      await events.next('photo.uploaded', ({ data }) => data.filename === later);
      const published = events.all('photo.uploaded').filter(({ data }) => data.filename === filename);
      expect(published).toHaveLength(1);
    });
  });

  describe('nothing is served', () => {
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

    test('in a width that is not offered', async () => {
      const filename = await send(await picture().jpeg().toBuffer());
      expect((await media.photo(filename, 640)).body).toMatchObject({
        type: 'validation-failed',
        errors: [{ path: 'w', type: 'unknown-value' }],
      });
    });
  });

  test('a photo that cannot be processed is reported to its worker and to admins, until it can', async () => {
    const dying = await startTestMedia({ steps: [] });
    try {
      const bytes = await picture().jpeg().toBuffer();
      const { id, filename } = (await dying.upload([{ bytes }])).body.photos[0];
      const originals = await dying.platform.objects('media');
      await originals.put(originalKey({ filename }), Buffer.from('damaged meanwhile'), 'image/jpeg');
      const state = async () => {
        const path = { params: { filename }, token: dying.token };
        return (await request(dying.url(), 'GET /api/workers/photos/{filename}', path)).body.state;
      };
      expect(await state()).toBe('accepted');

      await dying.restart();
      await waitFor(async () => (await state()) === 'unshowable');
      expect(JSON.parse(await dying.dlq('list', '--json'))).toMatchObject([
        {
          id,
          kind: 'job',
          owner: 'media',
          what: 'pictures jpeg',
          error: expect.stringMatching(/unsupported image/),
        },
      ]);
      expect(await dying.metric('photos_given_up')).toBe(1);
      const listed = async () =>
        (await dying.admin('GET /api/admin/photos', { query: { flag: 'cannot-be-shown' } })).body.photos;
      expect(await listed()).toMatchObject([{ _id: id, isReady: false, flags: ['cannot-be-shown'] }]);

      const toTakeAgain = async () =>
        (await request(dying.url(), 'GET /api/workers/photos', { token: dying.token })).body.photos;
      expect(await toTakeAgain()).toMatchObject([{ filename, uploadedAt: expect.any(String) }]);
      const ofOrder = async (order: string) =>
        (await dying.admin('GET /api/admin/photos', { query: { flag: 'cannot-be-shown', order } })).body
          .photos;
      const [{ orderId }] = await listed();
      expect(await ofOrder(orderId)).toMatchObject([{ _id: id }]);
      expect(await ofOrder('f'.repeat(24))).toEqual([]);

      const again = (await dying.upload([{ bytes: await picture().jpeg().toBuffer() }])).body;
      await dying.ready(again.photos[0].filename);
      expect(await toTakeAgain()).toEqual([]);
      expect(await ofOrder(orderId)).toMatchObject([{ _id: id }]);

      await originals.put(originalKey({ filename }), bytes, 'image/jpeg');
      expect(await dying.dlq('replay', id)).toBe(`${id} is on its way again.`);
      await dying.ready(filename);
      expect(await state()).toBe('ready');
      expect(await listed()).toEqual([]);
    } finally {
      await dying.close();
    }
  });

  test('the state of a photo is for workers only', async () => {
    const ask = (token?: string) =>
      request(media.url(), 'GET /api/workers/photos/{filename}', {
        params: { filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg' },
        ...(token && { token }),
      });
    const admin = await media.identity.token({ role: 'admin' });
    expect([(await ask()).status, (await ask(admin)).status, (await ask(media.token)).status]).toEqual([
      401, 403, 404,
    ]);
  });

  test('a photo accepted by a crashed process is processed and published by the next one', async () => {
    const dying = await startTestMedia({ steps: [] });
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
});
