import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Item } from './item.ts';
import type { Store } from './store.ts';

interface Schema extends DBSchema {
  items: { key: string; value: Item; indexes: { worker: string } };
  files: { key: string; value: ArrayBuffer };
  /** What was last known of a worker's work, by the worker's id. */
  work: { key: string; value: unknown };
  /** Who is logged in, for what the service worker sends while no page is open. */
  session: { key: 'worker'; value: { workerId: string; token: string } };
}

export type WorkerDatabase = IDBPDatabase<Schema>;

const NAME = 'arboleda-worker';

/** @throws where the browser keeps nothing */
export async function openWorkerDatabase(): Promise<WorkerDatabase> {
  return openDB<Schema>(NAME, 1, {
    upgrade(database) {
      database.createObjectStore('items', { keyPath: 'id' }).createIndex('worker', 'workerId');
      database.createObjectStore('files');
      database.createObjectStore('work');
      database.createObjectStore('session');
    },
    // A newer version in another window is not to wait for this one.
    blocking: (_now, _wanted, event) => (event.target as IDBDatabase).close(),
  });
}

/** Pictures are kept as bytes: not every browser keeps a Blob. */
export const databaseStore = (database: WorkerDatabase): Store => ({
  list: (workerId) => database.getAllFromIndex('items', 'worker', workerId),
  async add(item, file) {
    const transaction = database.transaction(['items', 'files'], 'readwrite');
    await Promise.all([
      transaction.objectStore('items').put(item),
      file && transaction.objectStore('files').put(file, item.id),
      transaction.done,
    ]);
  },
  file: (id) => database.get('files', id),
  async change(id, change) {
    const transaction = database.transaction('items', 'readwrite');
    const item = await transaction.store.get(id);
    // Both fail on a full phone; neither may be left without somebody who hears of it.
    await Promise.all([item && transaction.store.put(change(item)), transaction.done]);
  },
  dropFile: (id) => database.delete('files', id),
  async remove(id) {
    const transaction = database.transaction(['items', 'files'], 'readwrite');
    await Promise.all([
      transaction.objectStore('items').delete(id),
      transaction.objectStore('files').delete(id),
      transaction.done,
    ]);
  },
});
