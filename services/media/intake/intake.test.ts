import { readEvidence } from '@arboleda/contracts/exif.ts';
import { describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { decode } from '../pictures/variants.ts';
import { heicPhoto } from '../test/heic.ts';
import {
  exifBlock,
  FIELD_EXIF,
  FIELD_PLACE,
  FIELD_TIME,
  fieldPhoto,
  picture,
  pixelBomb,
  SVG,
  withRestarts,
} from '../test/pictures.ts';
import { inspect, isWholeJpeg } from './inspect.ts';

jest.setTimeout(120_000);

const now = new Date('2026-03-02T00:00:00Z');

const read = async (exif: Record<string, object>) => readEvidence(await exifBlock(exif), now);

const time = async (tags: Record<string, string>, gps: Record<string, string> = {}) =>
  (await read({ IFD2: tags, IFD3: gps })).takenAt;

const place = async (gps: Record<string, string>) => (await read({ IFD3: gps })).coordinates;

describe('place and time of a photo', () => {
  test('are read from a phone’s EXIF', async () => {
    expect(await read(FIELD_EXIF)).toEqual({ coordinates: FIELD_PLACE, takenAt: FIELD_TIME });
  });

  test('are absent without EXIF', async () => {
    expect(readEvidence(undefined, now)).toEqual({});
    expect(await read({})).toEqual({});
  });

  describe('the time', () => {
    const local = '2026:03:01 10:11:12';
    const gps = { GPSDateStamp: '2026:03:01', GPSTimeStamp: '15/1 11/1 30/1' };

    test('uses the offset written by the camera', async () => {
      expect(await time({ DateTimeOriginal: local, OffsetTimeOriginal: '+02:00' }, gps)).toBe(
        '2026-03-01T08:11:12.000Z',
      );
    });
    test('comes from the camera’s clock, whatever the last GPS fix was', async () => {
      expect(await time({ DateTimeOriginal: local }, { ...gps, GPSDateStamp: '2026:02:28' })).toBe(
        FIELD_TIME,
      );
    });
    test('comes from GPS when the camera wrote none', async () => {
      expect(await time({}, gps)).toBe('2026-03-01T15:11:30.000Z');
    });
    test('is Colombian when no offset is known', async () => {
      expect(await time({ DateTimeOriginal: local })).toBe('2026-03-01T15:11:12.000Z');
    });
    test('falls back when the offset is invalid', async () => {
      expect(await time({ DateTimeOriginal: local, OffsetTimeOriginal: '+99:99' })).toBe(FIELD_TIME);
    });
    test.each([
      ['a clock that was never set', '1980:01:01 00:00:00'],
      ['a day in the future', '2036:01:01 00:00:00'],
      ['tomorrow', '2026:03:02 18:00:00'],
      ['blanks', '    :  :     :  :  '],
      ['a day that does not exist', '2026:13:41 10:11:12'],
      ['words', 'yesterday'],
    ])('is absent for %s', async (_name, value) => {
      expect(await time({ DateTimeOriginal: value })).toBeUndefined();
    });
  });

  describe('the place', () => {
    test('is south and east where the references say so', async () => {
      const found = await place({
        GPSLatitudeRef: 'S',
        GPSLatitude: '4/1 0/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '70/1 30/1 0/1',
      });
      expect(found).toEqual({ latitude: -4, longitude: 70.5 });
    });
    test.each([
      ['0,0, what is written before there is a fix', '0/1 0/1 0/1', '0/1 0/1 0/1'],
      ['latitude beyond the pole', '91/1 0/1 0/1', '74/1 0/1 0/1'],
      ['longitude beyond the date line', '4/1 0/1 0/1', '181/1 0/1 0/1'],
      ['division by zero', '4/0 0/0 0/0', '74/0 0/0 0/0'],
    ])('is absent for %s', async (_name, latitude, longitude) => {
      const found = await place({
        GPSLatitudeRef: 'N',
        GPSLatitude: latitude,
        GPSLongitudeRef: 'W',
        GPSLongitude: longitude,
      });
      expect(found).toBeUndefined();
    });
    test('is absent when half of it is missing', async () => {
      expect(await place({ GPSLatitudeRef: 'N', GPSLatitude: '4/1 0/1 0/1' })).toBeUndefined();
    });
  });

  test('survives any damage to the EXIF block', async () => {
    const whole = await exifBlock(FIELD_EXIF);
    // A fixed sequence makes failures reproducible.
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 3_000; round++) {
      const damaged = Buffer.from(whole.subarray(0, random(4) ? whole.length : random(whole.length)));
      for (let hit = 0; hit < 8 && damaged.length > 0; hit++) damaged[random(damaged.length)] = random(256);
      const { takenAt, coordinates } = readEvidence(damaged, now);
      if (takenAt) expect(Date.parse(takenAt)).not.toBeNaN();
      if (coordinates) expect(Math.abs(coordinates.latitude)).toBeLessThanOrEqual(90);
    }
  });

  test('costs no more than the size of the block, whatever its tags claim', async () => {
    const greedy = await exifBlock(FIELD_EXIF);
    // The count of GPSLatitude (tag 2, three rationals) becomes four billion.
    const entry = greedy.indexOf(Buffer.from([2, 0, 5, 0, 3, 0, 0, 0]));
    greedy.writeUInt32LE(0xffff_ffff, entry + 4);
    expect(entry).toBeGreaterThan(0);
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 1_000; round++) {
      expect(readEvidence(greedy, now)).toEqual({ takenAt: FIELD_TIME });
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test('is not read from a block that is too long', async () => {
    const huge = Buffer.concat([await exifBlock(FIELD_EXIF), Buffer.alloc(70_000)]);
    expect(readEvidence(huge, now)).toEqual({});
  });
});

test('a JPEG with missing restart intervals is refused', async () => {
  const bytes = await readFile(new URL('../test/restart-intervals-missing.jpg', import.meta.url));
  await expect(inspect(bytes, now)).rejects.toMatchObject({ type: 'photo-damaged' });
});

describe('an uploaded file', () => {
  const small = () => picture(160, 120);

  /** Fast encoder settings; metadata and structure are the same. */
  const madeAs = (format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif', made = small()): Promise<Buffer> =>
    made
      .toFormat(format, format === 'avif' ? { effort: 0 } : format === 'gif' ? { effort: 1 } : {})
      .toBuffer();

  test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
    'is accepted when it is a complete %s',
    async (format) => {
      const bytes = await madeAs(format);
      expect(await inspect(bytes, now)).toEqual({ contentType: `image/${format}`, evidence: {} });
    },
  );

  test.each(['jpeg', 'png', 'webp', 'avif'] as const)('of type %s has place and time', async (format) => {
    const bytes = await madeAs(format, small().withExif(FIELD_EXIF));
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
      const bytes = await madeAs(format);
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

  test('is refused with advice when it is an undecodable HEIC', async () => {
    const refusal = { type: 'photo-heic-unreadable' };
    await expect(inspect(heicPhoto(), now)).rejects.toMatchObject(refusal);
    await expect(inspect(heicPhoto().subarray(0, 60), now)).rejects.toMatchObject(refusal);
  });

  test('is not decoded when a HEIC claims too many pixels', async () => {
    await expect(inspect(heicPhoto(60_000, 60_000), now)).rejects.toMatchObject({
      type: 'photo-heic-unreadable',
    });
  });

  test('has a lower pixel limit as AVIF, which is decoded as a whole', async () => {
    const large = sharp({ create: { width: 4_200, height: 3_000, channels: 3, background: '#284' } });
    const avif = await large.clone().avif({ effort: 0 }).toBuffer();
    await expect(inspect(avif, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await inspect(await large.jpeg().toBuffer(), now)).toMatchObject({ contentType: 'image/jpeg' });
  });

  test('has a lower pixel limit as interlaced PNG, which is decoded as a whole', async () => {
    const large = sharp({ create: { width: 4_900, height: 4_900, channels: 3, background: '#284' } });
    const interlaced = await large.clone().png({ progressive: true }).toBuffer();
    await expect(inspect(interlaced, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await inspect(await large.png().toBuffer(), now)).toMatchObject({ contentType: 'image/png' });
  });

  test('is accepted when it claims to be HEIC and can be decoded', async () => {
    const bytes = await picture(64, 64).avif().toBuffer();
    bytes.write('heic', 8, 'latin1');
    expect(await inspect(bytes, now)).toMatchObject({ contentType: 'image/heic' });
  });

  test('is refused for too many pixels before decoding', async () => {
    const bomb = pixelBomb();
    expect(bomb.length).toBeLessThan(100_000);
    await expect(inspect(bomb, now)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
  });
});

describe('a JPEG is recognized as complete by its markers', () => {
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
  ])('but not when %s', async (_name, make) => {
    expect(isWholeJpeg(await make())).toBe(false);
  });

  test('but not when it is cut off at any place', async () => {
    const bytes = await fieldPhoto();
    for (let length = 0; length < bytes.length; length++) {
      if (isWholeJpeg(bytes.subarray(0, length))) throw new Error(`whole at ${length} of ${bytes.length}`);
    }
  });

  test('but is refused for faults a decoder finds at once', async () => {
    const bytes = withoutQuantization(await fieldPhoto());
    expect(isWholeJpeg(bytes)).toBe(true);
    expect((await sharp(bytes).metadata()).width).toBe(400);
    await expect(inspect(bytes, now)).rejects.toMatchObject({ type: 'photo-damaged' });
  });

  test('and any accepted damaged file can be resized', async () => {
    const originals = [
      await grain(170, 130).withExif(FIELD_EXIF).jpeg().toBuffer(),
      await grain(160, 120).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
      await grain(150, 110).greyscale().jpeg().toBuffer(),
    ];
    // CMYK costs ten times as much as other colour spaces.
    const forPrint = await grain(90, 70).toColourspace('cmyk').jpeg().toBuffer();
    const damaged = Array.from({ length: ROUNDS }, (_, round) =>
      damage(round % 16 === 0 ? forPrint : originals[round % originals.length]!),
    );
    const counts = { refused: 0, faultless: 0, mended: 0 };
    const look = async (bytes: Buffer, round: number) => {
      if (!isWholeJpeg(bytes)) return;
      const isTaken = await succeeds(inspect(bytes, now));
      const isDecoded = await succeeds(sharp(bytes, { failOn: 'error' }).raw().toBuffer());
      if (isDecoded && !isTaken) throw new Error(`round ${round}: it can be decoded, and was refused`);
      if (isTaken) (await decode(Buffer.from(bytes))).release();
      counts[isDecoded ? 'faultless' : isTaken ? 'mended' : 'refused'] += 1;
    };
    await Promise.all(damaged.map(look));
    expect(counts.faultless).toBeGreaterThan(ROUNDS / 4);
    expect(counts.refused).toBeGreaterThan(ROUNDS / 40);
  });
});

const ROUNDS = 400;

/** Location of the tables in small JPEGs. */
const HEAD_BYTES = 700;

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(Boolean, () => false);

// A fixed sequence makes failures reproducible.
let state = 7;

const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;

/** A deterministic picture that does not compress well. */
const grain = (width: number, height: number): Sharp =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, () => 60 + random(120)),
    {
      raw: { width, height, channels: 3 },
    },
  );

/**
 * Corrupts tables, random bytes, or a range; cuts the file off before a fake end; inserts a marker; or
 * announces restart markers that do not exist.
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

/** Repeats the frame header (0xffc0) before the scan. */
function withFrameTwice(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0, 0, 17, 8]));
  return Buffer.concat([jpeg.subarray(0, at + 19), jpeg.subarray(at)]);
}

/** Removes the quantization tables (0xffdb) that its frame refers to. */
function withoutQuantization(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xdb, 0]));
  const rest = Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2 + jpeg.readUInt16BE(at + 2))]);
  return rest.includes(Buffer.from([0xff, 0xdb, 0])) ? withoutQuantization(rest) : rest;
}
