import { describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { FIELD_EXIF, fieldPhoto, picture, withRestarts } from '../testing/pictures.ts';
import type { Format } from './formats.ts';
import { decode } from './variants.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

/** Every size of a photo in one format, smallest first. */
async function makeVariants(original: Buffer, format: Format = 'jpeg') {
  const { widths, encode } = await decode(original);
  return Promise.all(widths.map((width) => encode(width, format)));
}

const sizes = async (original: Buffer) =>
  (await makeVariants(original)).map(({ nominalWidth, width, height }) => [nominalWidth, width, height]);

/** The colour in the middle of a JPEG. */
async function middle(jpeg: Buffer): Promise<number[]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + 3)];
}

test('pixels that are let go are there for what is being made of them, and for nothing after it', async () => {
  const { encode, release } = await decode(await picture(2000, 1500).jpeg().toBuffer());
  const begun = encode(1600, 'webp');
  release();
  const { bytes } = await begun;
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1600 });
  await new Promise(setImmediate);
  await expect(encode(320, 'jpeg')).rejects.toThrow();
});

describe('the sizes of a photo', () => {
  test('are 320, 800 and 1600 px wide, and say truly how large they are', async () => {
    const made = await makeVariants(await picture(2000, 1500).jpeg().toBuffer());
    expect(made.map(({ width, height }) => [width, height])).toEqual([
      [320, 240],
      [800, 600],
      [1600, 1200],
    ]);
    for (const { bytes, width, height } of made) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
    }
  });

  test('are made of a photo with more mistakes in it than libvips bears', async () => {
    const wrong = withRestarts(await picture(400, 300).jpeg().toBuffer(), 4);
    await expect(sharp(wrong, { failOn: 'none' }).raw().toBuffer()).rejects.toThrow(/RST/);
    expect(await sizes(wrong)).toEqual([
      [320, 320, 240],
      [800, 400, 300],
    ]);
  });

  test('never exceed the original', async () => {
    expect(await sizes(await picture(500, 400).jpeg().toBuffer())).toEqual([
      [320, 320, 256],
      [800, 500, 400],
    ]);
    expect(await sizes(await picture(100, 80).jpeg().toBuffer())).toEqual([[320, 100, 80]]);
  });

  test('stand upright when the camera lay on its side', async () => {
    const lying = await picture(1000, 500).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sizes(lying)).toEqual([
      [320, 320, 640],
      [800, 500, 1000],
    ]);
  });

  test('say nothing of place, time or camera', async () => {
    expect((await sharp(await fieldPhoto()).metadata()).exif).toBeDefined();
    for (const { bytes } of await makeVariants(await fieldPhoto())) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
      expect(bytes.includes(FIELD_EXIF.IFD0.Make)).toBe(false);
    }
  });

  test('show what is transparent as white', async () => {
    const clear = sharp({ create: { width: 40, height: 40, channels: 4, background: '#0000' } });
    const [made] = await makeVariants(await clear.png().toBuffer());
    expect(await middle(made!.bytes)).toEqual([255, 255, 255]);
  });

  test('keep the colours of print (CMYK) and of 16 bits', async () => {
    const green = sharp({ create: { width: 40, height: 40, channels: 3, background: '#208040' } });
    const sources = [
      await green.clone().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
      await green.clone().toColourspace('rgb16').png().toBuffer(),
    ];
    for (const source of sources) {
      const [red, green, blue] = await middle((await makeVariants(source))[0]!.bytes);
      expect(Math.abs(red! - 0x20)).toBeLessThan(24);
      expect(Math.abs(green! - 0x80)).toBeLessThan(24);
      expect(Math.abs(blue! - 0x40)).toBeLessThan(24);
    }
  });

  test('show the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(30 * 30 * 3, 250), Buffer.alloc(30 * 30 * 3, 5)]);
    const raw = { width: 30, height: 60, channels: 3, pageHeight: 30 } as const;
    const animation = await sharp(frames, { raw }).gif().toBuffer();
    expect((await sharp(animation, { pages: -1 }).metadata()).pages).toBe(2);
    const [made] = await makeVariants(animation);
    expect(made).toMatchObject({ width: 30, height: 30 });
    expect((await middle(made!.bytes))[0]).toBeGreaterThan(240);
  });

  test.each(['webp', 'avif'] as const)('are the same as %s, and say as little', async (format) => {
    const jpegs = await makeVariants(await fieldPhoto());
    const made = await makeVariants(await fieldPhoto(), format);
    expect(made.map(({ bytes: _, ...size }) => size)).toEqual(jpegs.map(({ bytes: _, ...size }) => size));
    for (const { bytes, width, height } of made) {
      const metadata = await sharp(bytes).metadata();
      expect(metadata).toMatchObject({ mediaType: `image/${format}`, width, height });
      expect(metadata.exif).toBeUndefined();
    }
  });

  test('are made of a strip thinner than a JPEG can hold', async () => {
    const strip = await sharp({ create: { width: 50, height: 70_000, channels: 3, background: '#284' } })
      .png()
      .toBuffer();
    for (const { height } of await makeVariants(strip)) expect(height).toBeLessThanOrEqual(4800);
  });
});
