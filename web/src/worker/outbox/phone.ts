import { databaseStore, openWorkerDatabase, type WorkerDatabase } from './database.ts';
import type { Store } from './store.ts';
import { storeWithFallback } from './store.ts';
import type { Work } from '../tasks.ts';

let opening: Promise<WorkerDatabase | undefined> | undefined;
let store: Store | undefined;

/** Undefined when the browser has no storage. */
const database = (): Promise<WorkerDatabase | undefined> =>
  (opening ??= openWorkerDatabase().catch(() => undefined));

export const phoneStore = (): Store =>
  (store ??= storeWithFallback(database().then((open) => open && databaseStore(open))));

export const hasStorage = async (): Promise<boolean> => (await database()) !== undefined;

export async function saveWork(workerId: string, work: Work): Promise<void> {
  await (await database())?.put('work', work, workerId).catch(() => undefined);
}

export async function readWork(workerId: string): Promise<Work | undefined> {
  return (await (await database())?.get('work', workerId).catch(() => undefined)) as Work | undefined;
}

/** Deletes customers' addresses before the next worker logs in. */
export async function deleteWork(workerId: string): Promise<void> {
  await (await database())?.delete('work', workerId).catch(() => undefined);
}

/** Stores the session the service worker sends with while no page is open. */
export async function saveSession(session: { workerId: string; token: string } | undefined): Promise<void> {
  const open = await database();
  await (session ? open?.put('session', session, 'worker') : open?.delete('session', 'worker'))?.catch(
    () => undefined,
  );
}

/** Requests persistent storage, so that the browser does not evict photos. */
export const requestPersistentStorage = (): void =>
  void navigator.storage?.persist?.().catch(() => undefined);

/** Simulates a reload in tests. */
export async function reopenPhone(): Promise<void> {
  (await opening)?.close();
  opening = store = undefined;
}
