import { expect, test } from '@jest/globals';
import { findExif, readEvidence } from './exif.ts';

const NOW = new Date('2026-11-26T12:00:00Z');

/** A little-endian block whose GPS directory holds a place in rationals of the given type. */
function gpsBlock(
  type: 5 | 10,
  latitude: number[],
  longitude: number[],
  refs = ['N', 'W'],
  pointer = 4,
): Uint8Array {
  const block = new Uint8Array(200);
  const view = new DataView(block.buffer);
  const entry = (at: number, values: [number, number, number, number]) => {
    view.setUint16(at, values[0], true);
    view.setUint16(at + 2, values[1], true);
    view.setUint32(at + 4, values[2], true);
    view.setUint32(at + 8, values[3], true);
  };
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, 1, true);
  entry(10, [0x8825, pointer, 1, 30]);
  view.setUint16(30, 4, true);
  entry(32, [1, 2, 2, refs[0]?.charCodeAt(0) ?? 0]);
  entry(44, [2, type, latitude.length, 100]);
  entry(56, [3, 2, 2, refs[1]?.charCodeAt(0) ?? 0]);
  entry(68, [4, type, longitude.length, 140]);
  [latitude, longitude].forEach((values, half) =>
    values.forEach((value, at) => {
      view.setInt32(100 + half * 40 + at * 8, Math.round(value * 1e4), true);
      view.setInt32(104 + half * 40 + at * 8, 1e4, true);
    }),
  );
  return block;
}

const placeIn = (block: Uint8Array) => readEvidence(block, NOW).coordinates;

test('reads degrees signed or unsigned, whole or in parts', () => {
  const place = { latitude: 4.6375, longitude: -75.58 };
  expect(placeIn(gpsBlock(5, [4, 38, 15], [75, 34, 48]))).toEqual(place);
  expect(placeIn(gpsBlock(10, [4, 38, 15], [75, 34, 48]))).toEqual(place);
  expect(placeIn(gpsBlock(10, [4, 38, 15], [-75, 34, 48]))).toEqual(place);
  expect(placeIn(gpsBlock(10, [4, 38, 15], [-75, 34, 48], []))).toEqual(place);
  expect(placeIn(gpsBlock(10, [4.6375], [-75.58], []))).toEqual(place);
});

test('follows a pointer of either type', () => {
  const place = { latitude: 4.6375, longitude: -75.58 };
  expect(placeIn(gpsBlock(5, [4, 38, 15], [75, 34, 48], ['N', 'W'], 13))).toEqual(place);
  expect(placeIn(gpsBlock(5, [4, 38, 15], [75, 34, 48], ['N', 'W'], 7))).toBeUndefined();
});

test('takes minutes or seconds of 0/0 as untold, and believes no degrees of 0/0', () => {
  const untold = (at: number) => {
    const block = gpsBlock(5, [4, 38, 15], [75, 34, 48]);
    new DataView(block.buffer).setBigUint64(at, 0n);
    return placeIn(block);
  };
  expect(untold(100 + 16)).toEqual({ latitude: 4.633333, longitude: -75.58 });
  expect(untold(140 + 16)).toEqual({ latitude: 4.6375, longitude: -75.566667 });
  expect(untold(140)).toBeUndefined();
});

test.each([
  ['either reference', [], [4.6375], [75.58]],
  ['the reference of the longitude', ['N'], [4.6375], [75.58]],
  ['references that mean something', ['X', 'Y'], [4.6375], [75.58]],
])('believes no place without %s, unless signs are used', (_what, refs, latitude, longitude) => {
  for (const type of [5, 10] as const)
    expect(placeIn(gpsBlock(type, latitude, longitude, refs))).toBeUndefined();
  expect(placeIn(gpsBlock(10, latitude, [-75.58], refs))).toEqual({ latitude: 4.6375, longitude: -75.58 });
  expect(placeIn(gpsBlock(10, [-4.6375], [-75.58], refs))).toEqual(
    refs[0] === 'N' ? { latitude: 4.6375, longitude: -75.58 } : { latitude: -4.6375, longitude: -75.58 },
  );
});

test('finds the block in a JPEG, a WebP and a PNG', () => {
  const block = gpsBlock(5, [4, 38, 15], [75, 34, 48]);
  const text = (value: string) => [...value].map((letter) => letter.charCodeAt(0));
  const big = (value: number) => [0, 0, value >> 8, value & 255];
  const little = (value: number) => [value & 255, value >> 8, 0, 0];
  const exif = [...text('Exif'), 0, 0, ...block];
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xe1, 0, exif.length + 2, ...exif];
  const odd = [...text('VP8 '), ...little(3), 1, 2, 3, 0];
  const webp = [
    ...text('RIFF'),
    0,
    0,
    0,
    0,
    ...text('WEBP'),
    ...odd,
    ...text('EXIF'),
    ...little(block.length),
    ...block,
  ];
  const png = [
    0x89,
    ...text('PNG'),
    13,
    10,
    26,
    10,
    ...big(1),
    ...text('IHDR'),
    0,
    0,
    0,
    0,
    0,
    ...big(block.length),
    ...text('eXIf'),
    ...block,
  ];
  for (const file of [jpeg, webp, png])
    expect(placeIn(findExif(Uint8Array.from(file))!)).toEqual({ latitude: 4.6375, longitude: -75.58 });
});

test.each([[[]], [[0xff, 0xd8, 0xff]], [[0x52, 0x49, 0x46, 0x46]], [[1, 2, 3, 4, 5]]])(
  'in %j there is none',
  (bytes) => expect(findExif(Uint8Array.from(bytes))).toBeUndefined(),
);

test('loses the details of a damaged block and nothing else', () => {
  const whole = gpsBlock(10, [4, 38, 15], [-75, 34, 48]);
  let state = 7;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 5_000; round++) {
    const damaged = whole.slice(0, random(3) ? whole.length : random(whole.length));
    for (let hit = 0; hit < 6 && damaged.length > 0; hit++) damaged[random(damaged.length)] = random(256);
    const { coordinates } = readEvidence(damaged, NOW);
    if (coordinates) expect(Math.abs(coordinates.latitude)).toBeLessThanOrEqual(90);
  }
});
