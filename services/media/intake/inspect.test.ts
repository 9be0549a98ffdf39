import { describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { inspect } from './inspect.ts';
import { heicPhoto } from '../testing/heic.ts';
import { FIELD_PLACE, FIELD_TIME, fieldPhoto, picture, pixelBomb, SVG } from '../testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

const now = new Date('2026-03-02T00:00:00Z');

describe('a file from outside', () => {
  test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
    'is a photo when it is a whole %s',
    async (format) => {
      const bytes = await picture().toFormat(format).toBuffer();
      expect(await inspect(bytes, now)).toEqual({ contentType: `image/${format}`, evidence: {} });
    },
  );

  test.each(['jpeg', 'png', 'webp', 'avif'] as const)('tells its place and time as a %s', async (format) => {
    const bytes = await picture()
      .withExif({
        IFD2: { DateTimeOriginal: '2026:03:01 10:11:12', OffsetTimeOriginal: '-05:00' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '4/1 35/1 5370/100',
          GPSLongitudeRef: 'W',
          GPSLongitude: '74/1 4/1 3300/100',
        },
      })
      .toFormat(format)
      .toBuffer();
    expect((await inspect(bytes, now)).evidence).toEqual({ coordinates: FIELD_PLACE, takenAt: FIELD_TIME });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('This is not a photo.')],
    ['SVG', SVG],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['TIFF', 'tiff'],
  ])('is refused as no image when it is %s', async (_name, source) => {
    const bytes =
      typeof source === 'string'
        ? await picture(64, 64)
            .toFormat(source as 'tiff')
            .toBuffer()
        : source;
    await expect(inspect(bytes, now)).rejects.toMatchObject({ type: 'photo-not-an-image' });
  });

  test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
    'is refused as damaged when a %s ends early',
    async (format) => {
      const bytes = await picture().toFormat(format).toBuffer();
      for (const part of [0.3, 0.6, 0.95]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * part));
        await expect(inspect(cut, now)).rejects.toMatchObject({ type: 'photo-damaged' });
      }
    },
  );

  test('is refused as damaged when only its first bytes are a photo’s', async () => {
    const disguised = Buffer.concat([(await fieldPhoto()).subarray(0, 20), Buffer.from('<?php echo 1; ?>')]);
    await expect(inspect(disguised, now)).rejects.toMatchObject({ type: 'photo-damaged' });
  });

  test('is refused with what to do about it when it is a HEIC that cannot be decoded', async () => {
    const refusal = { type: 'photo-heic-unreadable' };
    await expect(inspect(heicPhoto(), now)).rejects.toMatchObject(refusal);
    await expect(inspect(heicPhoto().subarray(0, 60), now)).rejects.toMatchObject(refusal);
  });

  test('is not decoded when a HEIC claims more pixels than there are photos', async () => {
    await expect(inspect(heicPhoto(60_000, 60_000), now)).rejects.toMatchObject({
      type: 'photo-heic-unreadable',
    });
  });

  test('is refused for its pixels sooner as an AVIF, which is decoded as a whole', async () => {
    const large = sharp({ create: { width: 4_200, height: 3_000, channels: 3, background: '#284' } });
    const avif = await large.clone().avif({ effort: 0 }).toBuffer();
    await expect(inspect(avif, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await inspect(await large.jpeg().toBuffer(), now)).toMatchObject({ contentType: 'image/jpeg' });
  });

  test('is refused for its pixels sooner as an interlaced PNG, which is unpacked as a whole', async () => {
    const large = sharp({ create: { width: 4_900, height: 4_900, channels: 3, background: '#284' } });
    const interlaced = await large.clone().png({ progressive: true }).toBuffer();
    await expect(inspect(interlaced, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await inspect(await large.png().toBuffer(), now)).toMatchObject({ contentType: 'image/png' });
  });

  test('is a photo when it calls itself HEIC and can be decoded', async () => {
    const bytes = await picture(64, 64).avif().toBuffer();
    bytes.write('heic', 8, 'latin1');
    expect(await inspect(bytes, now)).toMatchObject({ contentType: 'image/heic' });
  });

  test('is refused for its pixels before they are decoded', async () => {
    const bomb = pixelBomb();
    expect(bomb.length).toBeLessThan(100_000);
    await expect(inspect(bomb, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
  });
});
