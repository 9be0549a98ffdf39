import { expect, test } from '@jest/globals';
import { openVersions } from './versions.ts';

const KB = 1_000;
const version = (etag: string, bytes = 10 * KB) => ({ etag, bytes: Buffer.alloc(bytes, etag) });
const tags = (versions: readonly { etag: string }[]) => versions.map(({ etag }) => etag);

test('what was kept is held under its address', () => {
  const versions = openVersions(100 * KB);
  versions.keep('/a?w=320', version('a'));
  expect(versions.of('/a?w=320')).toEqual([version('a')]);
  expect(versions.of('/a?w=800')).toEqual([]);
});

test('however much is kept, no more than so many bytes are held', () => {
  const versions = openVersions(100 * KB);
  for (let photo = 0; photo < 1_000; photo++) {
    versions.keep(`/${photo}`, version('x', (photo % 20) * KB));
    expect(versions.size()).toBeLessThanOrEqual(100 * KB);
  }
  expect(versions.size()).toBeGreaterThan(50 * KB);
});

test('what was asked for the longest ago goes first', () => {
  const versions = openVersions(35 * KB);
  for (const url of ['/a', '/b', '/c']) versions.keep(url, version(url));
  versions.of('/a');
  versions.keep('/d', version('/d'));
  expect(['/a', '/b', '/c', '/d'].map((url) => versions.of(url).length)).toEqual([1, 0, 1, 1]);
});

test('the formats of a photo are held side by side, and of more versions the newest', () => {
  const versions = openVersions(100 * KB);
  for (const etag of ['jpeg', 'webp', 'avif', 'webp', 'newer']) versions.keep('/a', version(etag));
  expect(tags(versions.of('/a'))).toEqual(['newer', 'webp', 'avif']);
});

test('what takes the place of itself is counted once', () => {
  const versions = openVersions(100 * KB);
  versions.keep('/a', version('same'));
  const before = versions.size();
  versions.keep('/a', version('same'));
  expect(versions.size()).toBe(before);
});

test('what is larger than all the room is not held', () => {
  const versions = openVersions(5 * KB);
  versions.keep('/a', version('a'));
  expect([versions.of('/a'), versions.size()]).toEqual([[], 0]);
});

test('what is on its way has a quarter of the room, and gives it back', () => {
  const versions = openVersions(100 * KB);
  expect([versions.reserve(20 * KB), versions.reserve(10 * KB)]).toEqual([true, false]);
  versions.giveBack(20 * KB);
  expect(versions.reserve(25 * KB)).toBe(true);
});
