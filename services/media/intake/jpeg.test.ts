import { describe, expect, jest, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { decode } from '../pictures/variants.ts';
import { FIELD_EXIF, fieldPhoto, picture, withRestarts } from '../testing/pictures.ts';
import { inspect } from './inspect.ts';
import { isWholeJpeg } from './jpeg.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(120_000);

const now = new Date('2026-03-02T00:00:00Z');

describe('a JPEG is told to be whole by its outline', () => {
  test.each([
    ['a phone’s photo', () => fieldPhoto()],
    ['one without colours', () => picture().greyscale().jpeg().toBuffer()],
    ['one for print', () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['one of a single block', () => picture(8, 8).jpeg().toBuffer()],
  ])('when it is %s', async (_name, make) => {
    expect(isWholeJpeg(await make())).toBe(true);
  });

  test.each([
    ['it is progressive', () => picture().jpeg({ progressive: true }).toBuffer()],
    ['it is another format', () => picture().png().toBuffer()],
    ['something lies behind it', async () => Buffer.concat([await fieldPhoto(), Buffer.from('and more')])],
    ['it has two frames', async () => withFrameTwice(await fieldPhoto())],
    ['it is nothing', () => Buffer.alloc(0)],
    ['it is its end alone', () => Buffer.from([0xff, 0xd9])],
    ['it has no scan', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9])],
    [
      'it has a segment shorter than its length',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]),
    ],
  ])('and not when %s', async (_name, make) => {
    expect(isWholeJpeg(await make())).toBe(false);
  });

  test('and not when it ends early, wherever that is', async () => {
    const bytes = await fieldPhoto();
    for (let length = 0; length < bytes.length; length++) {
      if (isWholeJpeg(bytes.subarray(0, length))) throw new Error(`whole at ${length} of ${bytes.length}`);
    }
  });

  test('and is refused for what a decoder finds out when it begins', async () => {
    const bytes = withoutQuantization(await fieldPhoto());
    expect(isWholeJpeg(bytes)).toBe(true);
    expect((await sharp(bytes).metadata()).width).toBe(400);
    await expect(inspect(bytes, now)).rejects.toMatchObject({ type: 'photo-damaged' });
  });

  test('and however it is damaged: taken when all of it can be decoded, and its sizes are made when it was taken', async () => {
    const originals = [
      await grain(170, 130).withExif(FIELD_EXIF).jpeg().toBuffer(),
      await grain(160, 120).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
      await grain(150, 110).greyscale().jpeg().toBuffer(),
      await grain(90, 70).toColourspace('cmyk').jpeg().toBuffer(),
    ];
    const counts = { refused: 0, faultless: 0, mended: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = damage(originals[round % originals.length]!);
      if (!isWholeJpeg(bytes)) continue;
      const isTaken = await succeeds(inspect(bytes, now));
      const isDecoded = await succeeds(sharp(bytes, { failOn: 'error' }).raw().toBuffer());
      if (isDecoded && !isTaken) throw new Error(`round ${round}: it can be decoded, and was refused`);
      if (isTaken) (await decode(Buffer.from(bytes))).release();
      counts[isDecoded ? 'faultless' : isTaken ? 'mended' : 'refused'] += 1;
    }
    expect(counts.faultless).toBeGreaterThan(ROUNDS / 4);
    expect(counts.refused).toBeGreaterThan(ROUNDS / 20);
    // libvips gives up after a hundred mistakes, which are not all in the first rows.
    expect(counts.mended).toBeGreaterThan(0);
  });
});

const ROUNDS = 400;
/** Where the tables of small JPEGs lie. */
const HEAD_BYTES = 700;

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(Boolean, () => false);

// A fixed sequence, so that a failure can be repeated.
let state = 7;
const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;

/** A picture that no compression makes tiny, the same in every run. */
const grain = (width: number, height: number): Sharp =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, () => 60 + random(120)),
    {
      raw: { width, height, channels: 3 },
    },
  );

/**
 * Wrong bytes in its tables, wrong bytes anywhere, a hole, an early end that looks like one, a marker where none belongs, or
 * restart markers announced that are not there.
 */
function damage(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  const at = random(bytes.length);
  const hit = (times: number, below: number) => {
    for (let hits = 0; hits < times; hits++) bytes[random(below)] = random(256);
    return bytes;
  };
  switch (random(6)) {
    case 0:
      return hit(1 + random(4), Math.min(HEAD_BYTES, bytes.length));
    case 1:
      return hit(1 + random(30), bytes.length);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(3_000))]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xd9])]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, random(256)]), bytes.subarray(at)]);
    default:
      return withRestarts(bytes, 1 + random(8));
  }
}

/** With its frame header (0xffc0) a second time before the scan. */
function withFrameTwice(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0, 0, 17, 8]));
  return Buffer.concat([jpeg.subarray(0, at + 19), jpeg.subarray(at)]);
}

/** Without the tables (0xffdb) that its frame speaks of. */
function withoutQuantization(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xdb, 0]));
  const rest = Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2 + jpeg.readUInt16BE(at + 2))]);
  return rest.includes(Buffer.from([0xff, 0xdb, 0])) ? withoutQuantization(rest) : rest;
}
