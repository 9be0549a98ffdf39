import { describe, expect, jest, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { imageReader, readImage } from './images.ts';
import { jpeg, picture, pixelBomb, SVG } from './testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

const hashed = (bytes: Buffer) => ({
  originalName: 'pago.jpg',
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});
const listening = new AbortController().signal;

describe('a picture', () => {
  test.each(['jpeg', 'png', 'gif'] as const)('that is a %s becomes a JPEG to look at', async (format) => {
    const { contentType, view } = await readImage(await picture().toFormat(format).toBuffer());
    expect(contentType).toBe(`image/${format}`);
    expect((await sharp(view).metadata()).format).toBe('jpeg');
  });

  test('that lets something shine through is put on white', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const { view } = await readImage(await clear.png().toBuffer());
    expect([...(await sharp(view).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test('that is an interlaced PNG may have fewer pixels: it is unpacked as a whole', async () => {
    const large = sharp({ create: { width: 5_000, height: 4_100, channels: 3, background: '#284' } });
    const interlaced = await large.clone().png({ progressive: true }).toBuffer();
    await expect(readImage(interlaced)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await readImage(await large.png().toBuffer())).toMatchObject({ contentType: 'image/png' });
  });

  test('that is a long screenshot keeps a width that can be read', async () => {
    const { view } = await readImage(await picture(1_000, 6_000).jpeg().toBuffer());
    expect(await sharp(view).metadata()).toMatchObject({ width: 1_000, height: 6_000 });
  });
});

describe('a reader of pictures', () => {
  test('decodes one at a time, whoever asks, and goes on after a bad one', async () => {
    const read = imageReader();
    const [good, bad] = [hashed(await jpeg()), hashed(SVG)];
    const results = await Promise.allSettled([
      read([good], listening),
      read([bad], listening),
      read([good, good], listening),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('does nothing for who has left', async () => {
    const left = AbortSignal.abort(new Error('left'));
    await expect(imageReader()([hashed(await jpeg())], left)).rejects.toThrow('left');
  });

  test('takes no memory for a picture that grows when it is decoded', async () => {
    const before = process.memoryUsage().rss;
    await expect(imageReader()([hashed(pixelBomb())], listening)).rejects.toMatchObject({
      type: 'photo-too-many-pixels',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});
