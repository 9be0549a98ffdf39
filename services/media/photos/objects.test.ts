import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photoObjects, type PhotoObjects, variantKey } from './objects.ts';
import type { Photo } from './photo.ts';

const photo = { _id: 'photo-1' } as Photo;
const picture = { nominalWidth: 320, format: 'jpeg' } as const;
const key = variantKey(photo._id, 320, 'jpeg');

let directory: string;
let store: ObjectStore;
let objects: PhotoObjects;
let clockMs: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'photos-'));
  store = await openFileObjects(directory);
  clockMs = 0;
  objects = photoObjects(store, () => clockMs);
  await objects.keepPicture(photo, picture, Buffer.from('a tree'));
});
afterEach(() => rm(directory, { recursive: true }));

/** What somebody is told who has the version that was looked at before. */
async function known() {
  const { etag } = (await objects.pictureInfo(photo, picture))!;
  return { etag, ask: () => objects.pictureInfo(photo, picture, `"${etag}"`) };
}

describe('a picture that is removed from the store', () => {
  test('is gone at once for who does not have it', async () => {
    const { etag } = await known();
    await store.delete(key);
    expect(await objects.pictureInfo(photo, picture)).toBeUndefined();
    expect(await objects.pictureInfo(photo, picture, `"not-${etag}"`)).toBeUndefined();
    expect(await objects.pictureInfo(photo, picture, `"${etag}"`)).toBeUndefined();
  });

  test('is gone ten seconds later for who has it', async () => {
    const { ask } = await known();
    await store.delete(key);
    clockMs = 10_000;
    expect(await ask()).toBeDefined();
    clockMs = 10_001;
    expect(await ask()).toBeUndefined();
  });
});

describe('a picture that is made anew', () => {
  test('is the new one at once where it is made', async () => {
    const { etag, ask } = await known();
    await objects.keepPicture(photo, picture, Buffer.from('a larger tree'));
    expect((await ask())!.etag).not.toBe(etag);
  });

  test('is described by its own size to whoever gets it, whoever made it', async () => {
    await known();
    await store.put(key, Buffer.from('a larger tree'), 'image/jpeg');
    expect((await objects.pictureInfo(photo, picture))!.sizeBytes).toBe('a larger tree'.length);
  });
});

test('asking again about what one has takes no look at the store', async () => {
  const { etag, ask } = await known();
  await rm(directory, { recursive: true });
  expect((await ask())!.etag).toBe(etag);
  await openFileObjects(directory);
});
