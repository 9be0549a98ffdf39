import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../ports/object-store.ts';

/** The contract of every ObjectStore. @param open opens an empty store */
export function objectStoreConformance(
  open: () => Promise<{ store: ObjectStore; close(): Promise<void> }>,
): void {
  describe('an object store', () => {
    let store: ObjectStore;
    let close: () => Promise<void>;
    beforeAll(async () => ({ store, close } = await open()));
    afterAll(() => close());

    const bytes = (text: string) => Buffer.from(text);
    const newKey = () => `tests/${randomUUID()}.txt`;

    test('returns the bytes and the content type that were put', async () => {
      const key = newKey();
      await store.put(key, Buffer.from([0, 255, 10, 13]), 'image/jpeg');
      const found = await store.get(key);
      expect(found!.info).toMatchObject({ sizeBytes: 4, contentType: 'image/jpeg' });
      expect(await buffer(found!.bytes)).toEqual(Buffer.from([0, 255, 10, 13]));
      expect(Buffer.from((await store.read(key))!)).toEqual(Buffer.from([0, 255, 10, 13]));
    });

    test('returns undefined for an unknown key', async () => {
      const key = newKey();
      expect(await store.get(key)).toBeUndefined();
      expect(await store.read(key)).toBeUndefined();
      expect(await store.info(key)).toBeUndefined();
      await store.delete(key);
    });

    test('stores an empty object', async () => {
      const key = newKey();
      await store.put(key, bytes(''), 'text/plain');
      expect(await store.info(key)).toMatchObject({ sizeBytes: 0 });
      expect((await buffer((await store.get(key))!.bytes)).length).toBe(0);
    });

    test('replaces an object with its content type and etag', async () => {
      const key = newKey();
      await store.put(key, bytes('a long first text'), 'text/plain');
      const before = await store.info(key);
      await store.put(key, bytes('short'), 'text/html');
      expect(Buffer.from((await store.read(key))!).toString()).toBe('short');
      const after = await store.info(key);
      expect(after).toMatchObject({ sizeBytes: 5, contentType: 'text/html' });
      expect(after!.etag).not.toBe(before!.etag);
    });

    test('gives equal bytes an equal etag that is valid in an HTTP header', async () => {
      const [one, other] = [newKey(), newKey()];
      await store.put(one, bytes('same'), 'text/plain');
      await store.put(other, bytes('same'), 'text/plain');
      const { etag } = (await store.info(one))!;
      expect(etag).toMatch(/^[\w-]+$/);
      expect((await store.info(other))!.etag).toBe(etag);
    });

    test('gives bytes the same etag whether or not the caller passes their digest', async () => {
      const [one, other] = [newKey(), newKey()];
      const photo = randomBytes(700_000);
      const digest = createHash('sha256').update(photo).digest('base64url');
      await store.put(one, photo, 'image/jpeg', digest);
      await store.put(other, photo, 'image/jpeg');
      const { info, bytes: read } = (await store.get(one))!;
      expect(info).toEqual(await store.info(other));
      expect(info).toMatchObject({ sizeBytes: 700_000, contentType: 'image/jpeg' });
      expect((await buffer(read)).equals(photo)).toBe(true);
      const empty = createHash('sha256').digest('base64url');
      await store.put(one, bytes(''), 'text/plain', empty);
      expect(await store.info(one)).toMatchObject({ sizeBytes: 0, contentType: 'text/plain' });
    });

    test('returns a range of an object', async () => {
      const key = newKey();
      await store.put(key, bytes('0123456789'), 'text/plain');
      const part = async (start: number, end: number) => {
        const { info, bytes } = (await store.get(key, { start, end }))!;
        expect(info.sizeBytes).toBe(10);
        return (await buffer(bytes)).toString();
      };
      expect(await part(0, 0)).toBe('0');
      expect(await part(3, 6)).toBe('3456');
      expect(await part(8, 500)).toBe('89');
    });

    test('rejects a range outside the object', async () => {
      const key = newKey();
      await store.put(key, bytes('0123456789'), 'text/plain');
      await expect(store.get(key, { start: 10, end: 12 })).rejects.toThrow(RangeError);
      await expect(store.get(key, { start: 5, end: 4 })).rejects.toThrow(RangeError);
    });

    test('deletes an object', async () => {
      const key = newKey();
      await store.put(key, bytes('gone soon'), 'text/plain');
      await store.delete(key);
      expect(await store.get(key)).toBeUndefined();
    });

    test('lists the objects of a folder with their time', async () => {
      const folder = `lists/${randomUUID()}`;
      const keys = [`${folder}/one`, `${folder}/two.jpg`, `${folder}/deeper/three`];
      for (const key of [...keys, `${folder}-other/four`]) await store.put(key, bytes(key), 'text/plain');
      const listed = await all(store.list(folder));
      expect(listed.map(({ key }) => key).sort()).toEqual(keys.sort());
      for (const { storedAt } of listed)
        expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(60_000);
      expect(await all(store.list(`${folder}/nothing`))).toEqual([]);
      expect((await all(store.list())).map(({ key }) => key)).toEqual(
        expect.arrayContaining([...keys, `${folder}-other/four`]),
      );
    });

    test('distinguishes a key from a longer one', async () => {
      const name = randomUUID();
      await store.put(name, bytes('short key'), 'text/plain');
      await store.put(`${name}/behind`, bytes('long key'), 'text/plain');
      expect(Buffer.from((await store.read(name))!).toString()).toBe('short key');
      expect(Buffer.from((await store.read(`${name}/behind`))!).toString()).toBe('long key');
    });

    test('returns whole objects while writers replace them', async () => {
      const key = newKey();
      const version = (letter: string) => bytes(letter.repeat(200_000));
      await store.put(key, version('a'), 'text/plain');
      const writes = [...'bcdefgh'].map((letter) => store.put(key, version(letter), 'text/plain'));
      const reads = Array.from({ length: 8 }, () => store.read(key));
      await Promise.all(writes);
      for (const read of await Promise.all(reads)) {
        expect(read!.length).toBe(200_000);
        expect(new Set(read!).size).toBe(1);
      }
    });

    test.each([
      '',
      '/',
      'a//b',
      '/etc/passwd',
      '../outside',
      'a/../../outside',
      './a',
      'a/.',
      'a/',
      'a\\b',
      'a b',
      'a\0b',
      'ñ',
      'a+b',
      'x'.repeat(201),
    ])('rejects the key %j', async (key) => {
      await expect(store.put(key, bytes('x'), 'text/plain')).rejects.toThrow(RangeError);
      await expect(store.get(key)).rejects.toThrow(RangeError);
      await expect(store.info(key)).rejects.toThrow(RangeError);
      await expect(store.delete(key)).rejects.toThrow(RangeError);
    });

    test('reports that it is healthy', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}

async function all<T>(some: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of some) found.push(one);
  return found;
}
