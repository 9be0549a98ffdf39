import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { DEMO_ORDERS, placeIn } from './orders.ts';
import { exifDegrees, fieldPhoto } from './photos.ts';

test('degrees are written as EXIF’s fractions', () => {
  expect(exifDegrees(4.6462)).toBe('4/1 38/1 463200/10000');
  expect(exifDegrees(-75.5)).toBe('75/1 30/1 0/10000');
});

test('a photo is a JPEG that carries its place and time', async () => {
  const blob = await fieldPhoto(
    'ph-leaf.jpg',
    { latitude: 4.6462, longitude: -75.5861 },
    new Date('2026-03-01T10:11:12Z'),
  );
  const { format, exif } = await sharp(Buffer.from(await blob.arrayBuffer())).metadata();
  expect(format).toBe('jpeg');
  expect(exif!.toString('latin1')).toContain('2026:03:01 10:11:12');
});

test('a photo made again is the same photo', async () => {
  const make = async () => {
    const blob = await fieldPhoto('ph-leaf.jpg', { latitude: 4, longitude: -75 }, new Date(0));
    return Buffer.from(await blob.arrayBuffer());
  };
  expect(await make()).toEqual(await make());
});

test('the demo has orders in every status, both languages, and photos that exist', () => {
  expect(new Set(DEMO_ORDERS.map((order) => order.until)).size).toBe(4);
  expect(new Set(DEMO_ORDERS.map((order) => order.language))).toEqual(new Set(['en', 'es']));
  const photos = readdirSync(join(import.meta.dirname, '..', 'photos'));
  for (const { photos: names } of DEMO_ORDERS) expect(photos).toEqual(expect.arrayContaining([...names]));
});

test('orders of one region stand some steps apart, in Colombia', () => {
  const [first, second] = [placeIn('Cauca', 0), placeIn('Cauca', 1)];
  expect(first.coordinates).not.toEqual(second.coordinates);
  expect(first.coordinates.latitude).toBeCloseTo(2.6415);
});
