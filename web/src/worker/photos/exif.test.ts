import { expect, test } from '@jest/globals';
import { jpegWithExif } from '../../testing/exif.ts';
import { readExif } from './exif.ts';

const SALENTO = { latitude: [4, 38, 13.97], latitudeRef: 'N', longitude: [75, 29, 13.31], longitudeRef: 'W' };

test.each([true, false])('place and time are read, whichever byte comes first (little: %s)', (little) => {
  const file = jpegWithExif({ ...SALENTO, takenAt: '2026:11:30 09:51:12', offset: '-05:00' }, little);
  expect(readExif(file)).toEqual({
    takenAt: '2026-11-30T14:51:12.000Z',
    latitude: 4.637214,
    longitude: -75.487031,
  });
});

test('a time without its zone is Colombia’s', () => {
  const file = jpegWithExif({ takenAt: '2026:11:30 09:51:12' });
  expect(readExif(file)).toEqual({ takenAt: '2026-11-30T14:51:12.000Z' });
});

test('what a camera writes before it has a fix is no place', () => {
  const nowhere = { latitude: [0, 0, 0], latitudeRef: 'N', longitude: [0, 0, 0], longitudeRef: 'E' };
  expect(readExif(jpegWithExif(nowhere))).toEqual({});
});

test('a file that is damaged or no JPEG costs its details, nothing else', () => {
  const file = jpegWithExif({ ...SALENTO, takenAt: '2026:11:30 09:51:12' });
  for (let length = 0; length < file.byteLength; length += 7) readExif(file.slice(0, length));
  expect(readExif(new TextEncoder().encode('not a photo at all').buffer as ArrayBuffer)).toEqual({});
});
