import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Item } from './item.ts';
import type { Store } from './store.ts';

interface Schema extends DBSchema {
  items: { key: string; value: Item; indexes: { worker: string } };
  files: { key: string; value: ArrayBuffer };
  work: { key: string; value: unknown };
  /** Task each worker is on, by worker. */
  current: { key: string; value: string };
  /** Session for sending from the service worker while no page is open. */
  session: { key: 'worker'; value: { workerId: string; token: string } };
}

export type WorkerDatabase = IDBPDatabase<Schema>;

const NAME = 'arboleda-worker';

/** @throws when the browser has no storage */
export async function openWorkerDatabase(): Promise<WorkerDatabase> {
  return openDB<Schema>(NAME, 1, {
    upgrade(database) {
      database.createObjectStore('items', { keyPath: 'id' }).createIndex('worker', 'workerId');
      database.createObjectStore('files');
      database.createObjectStore('work');
      database.createObjectStore('current');
      database.createObjectStore('session');
    },
    // Does not block a newer version in another window.
    blocking: (_now, _wanted, event) => (event.target as IDBDatabase).close(),
  });
}

/** Pictures are stored as bytes, because some browsers cannot store a Blob. */
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
    // Both reject on a full phone; neither rejection may go unhandled.
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
  currentTask: (workerId) => database.get('current', workerId),
  async keepCurrentTask(workerId, id) {
    await database.put('current', id, workerId);
  },
});
