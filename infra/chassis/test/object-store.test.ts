import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectStoreConformance } from '../conformance/object-store.ts';
import { openFileObjects } from '../adapters/files/files.ts';

objectStoreConformance(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'objects-'));
  return {
    store: await openFileObjects(directory),
    close: () => rm(directory, { recursive: true }),
  };
});

describe('objects in files', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'objects-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('are there after the store was opened anew', async () => {
    await (await openFileObjects(directory)).put('kept/one', Buffer.from('still here'), 'text/plain');
    const reopened = await openFileObjects(directory);
    expect(Buffer.from((await reopened.read('kept/one'))!).toString()).toBe('still here');
  });

  test('begin with their own bytes, so that any viewer opens them', async () => {
    await (await openFileObjects(directory)).put('photos/tree.jpg', Buffer.from('pixels'), 'image/jpeg');
    const onDisk = await readFile(join(directory, 'photos+', 'tree.jpg'));
    expect(onDisk.subarray(0, 6).toString()).toBe('pixels');
  });

  test('that a crash left half written are no objects, and are cleared away after an hour', async () => {
    const store = await openFileObjects(directory);
    const unfinished = join(directory, '+unfinished');
    await writeFile(join(unfinished, 'fresh'), 'half of a pho');
    await writeFile(join(unfinished, 'old'), 'half of a pho');
    const longAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(unfinished, 'old'), longAgo, longAgo);
    await expect(store.get('+unfinished/fresh')).rejects.toThrow(RangeError);
    await openFileObjects(directory);
    expect(await readdir(unfinished)).toEqual(['fresh']);
  });

  test('that cannot be written leave nothing behind', async () => {
    const store = await openFileObjects(join(directory, 'blocked'));
    await mkdir(join(directory, 'blocked', 'taken'));
    await expect(store.put('taken', Buffer.from('x'), 'text/plain')).rejects.toThrow();
    await expect(store.put('long-type', Buffer.from('x'), 'x'.repeat(300))).rejects.toThrow(RangeError);
    expect(await readdir(join(directory, 'blocked', '+unfinished'))).toEqual([]);
  });

  test('say that they are not well when their directory is gone', async () => {
    const gone = join(directory, 'gone');
    const store = await openFileObjects(gone);
    await rm(gone, { recursive: true });
    await expect(store.check()).rejects.toThrow();
  });
});
