import { beforeEach, expect, test } from '@jest/globals';
import { emptyIndexedDB } from '../../testing/indexed-db.ts';
import { photoItem } from '../../testing/outbox.ts';
import { databaseStore, openWorkerDatabase } from './database.ts';
import { type Store, storeWithFallback } from './store.ts';

beforeEach(() => {
  emptyIndexedDB();
});

const open = async () => databaseStore(await openWorkerDatabase());
const FILE = new Uint8Array([1, 2, 3]).buffer;

test('what was added is there after the page was closed, its file too', async () => {
  await (await open()).add(photoItem(), FILE);
  const later = await open();
  expect(await later.list('w1')).toEqual([photoItem()]);
  expect(new Uint8Array((await later.file('photo-1'))!)).toEqual(new Uint8Array([1, 2, 3]));
});

test('each worker sees what is theirs', async () => {
  const store = await open();
  await store.add(photoItem(), FILE);
  expect(await store.list('w2')).toEqual([]);
});

test('a change of what is gone brings nothing back', async () => {
  const store = await open();
  await store.add(photoItem(), FILE);
  await store.remove('photo-1');
  await store.change('photo-1', (item) => item);
  expect(await store.list('w1')).toEqual([]);
  expect(await store.file('photo-1')).toBeUndefined();
});

test('on a full phone the photo lives in the page, marked as such, beside what was kept before', async () => {
  const kept = await open();
  await kept.add(photoItem({ id: 'before', at: 1 }), FILE);
  const full: Store = { ...kept, add: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) };
  const store = storeWithFallback(Promise.resolve(full));
  await store.add(photoItem({ id: 'after', at: 2 }), FILE);
  expect((await store.list('w1')).map(({ id, unkept }) => [id, unkept])).toEqual([['before', undefined], ['after', true]]); // prettier-ignore
  await store.change('after', (item) => ({ ...item, attempts: 3 }));
  expect((await store.list('w1'))[1]).toMatchObject({ attempts: 3 });
  await store.remove('after');
  expect(await store.list('w1')).toHaveLength(1);
});

test('where the browser keeps nothing everything lives in the page', async () => {
  const store = storeWithFallback(Promise.resolve(undefined));
  await store.add(photoItem(), FILE);
  expect(await store.list('w1')).toEqual([{ ...photoItem(), unkept: true }]);
  expect(await store.file('photo-1')).toBe(FILE);
});

test('a phone that has become full does not stop what it kept before: it goes on in the page, and waits again after a reload', async () => {
  const kept = await open();
  await kept.add(photoItem(), FILE);
  const full: Store = {
    ...kept,
    change: async (id, change) => {
      const [item] = await kept.list('w1');
      change(item!);
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const store = storeWithFallback(Promise.resolve(full));
  await store.change('photo-1', (item) => ({ ...item, attempts: item.attempts + 1 }));
  await store.change('photo-1', (item) => ({ ...item, attempts: item.attempts + 1 }));
  expect(await store.list('w1')).toEqual([photoItem({ attempts: 2 })]);
  await store.dropFile('photo-1');
  const reopened = storeWithFallback(open());
  expect(await reopened.list('w1')).toEqual([photoItem()]);
  expect((await reopened.file('photo-1'))?.byteLength).toBe(3);
  await store.remove('photo-1');
  expect(await store.list('w1')).toEqual([]);
});
