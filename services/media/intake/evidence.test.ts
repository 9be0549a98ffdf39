import { describe, expect, test } from '@jest/globals';
import { readEvidence } from './evidence.ts';
import { exifBlock, FIELD_EXIF, FIELD_PLACE, FIELD_TIME } from '../testing/pictures.ts';

const now = new Date('2026-03-02T00:00:00Z');
const read = async (exif: Record<string, object>) => readEvidence(await exifBlock(exif), now);
const time = async (tags: Record<string, string>, gps: Record<string, string> = {}) =>
  (await read({ IFD2: tags, IFD3: gps })).takenAt;
const place = async (gps: Record<string, string>) => (await read({ IFD3: gps })).coordinates;

describe('what a photo says of its place and time', () => {
  test('is read from a phone’s EXIF', async () => {
    expect(await read(FIELD_EXIF)).toEqual({ coordinates: FIELD_PLACE, takenAt: FIELD_TIME });
  });

  test('is nothing when there is no EXIF', async () => {
    expect(readEvidence(undefined, now)).toEqual({});
    expect(await read({})).toEqual({});
  });

  describe('the time', () => {
    const local = '2026:03:01 10:11:12';
    const gps = { GPSDateStamp: '2026:03:01', GPSTimeStamp: '15/1 11/1 30/1' };

    test('follows the offset the camera wrote', async () => {
      expect(await time({ DateTimeOriginal: local, OffsetTimeOriginal: '+02:00' }, gps)).toBe(
        '2026-03-01T08:11:12.000Z',
      );
    });
    test('is the satellites’ when the camera wrote no offset', async () => {
      expect(await time({ DateTimeOriginal: local }, gps)).toBe('2026-03-01T15:11:30.000Z');
    });
    test('is Colombia’s when nothing says where the clock stood', async () => {
      expect(await time({ DateTimeOriginal: local })).toBe('2026-03-01T15:11:12.000Z');
    });
    test('falls back when the offset is nonsense', async () => {
      expect(await time({ DateTimeOriginal: local, OffsetTimeOriginal: '+99:99' })).toBe(FIELD_TIME);
    });
    test.each([
      ['a clock that was never set', '1980:01:01 00:00:00'],
      ['a day in the future', '2036:01:01 00:00:00'],
      ['blanks', '    :  :     :  :  '],
      ['a day that does not exist', '2026:13:41 10:11:12'],
      ['words', 'yesterday'],
    ])('is left out for %s', async (_name, value) => {
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
    ])('is left out for %s', async (_name, latitude, longitude) => {
      const found = await place({
        GPSLatitudeRef: 'N',
        GPSLatitude: latitude,
        GPSLongitudeRef: 'W',
        GPSLongitude: longitude,
      });
      expect(found).toBeUndefined();
    });
    test('is left out when half of it is missing', async () => {
      expect(await place({ GPSLatitudeRef: 'N', GPSLatitude: '4/1 0/1 0/1' })).toBeUndefined();
    });
  });

  test('survives any damage to the block', async () => {
    const whole = await exifBlock(FIELD_EXIF);
    // A fixed sequence, so that a failure can be repeated.
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

  test('costs no more than the block weighs, whatever its tags claim', async () => {
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

  test('is not looked for in a block that is too long to be one', async () => {
    const huge = Buffer.concat([await exifBlock(FIELD_EXIF), Buffer.alloc(70_000)]);
    expect(readEvidence(huge, now)).toEqual({});
  });
});
