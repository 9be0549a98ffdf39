import { databaseStore, openWorkerDatabase, type WorkerDatabase } from './database.ts';
import type { Store } from './store.ts';
import { storeWithFallback } from './store.ts';
import type { Work } from '../tasks.ts';

let opening: Promise<WorkerDatabase | undefined> | undefined;
let store: Store | undefined;

/** undefined where the browser keeps nothing. */
const database = (): Promise<WorkerDatabase | undefined> =>
  (opening ??= openWorkerDatabase().catch(() => undefined));

export const phoneStore = (): Store =>
  (store ??= storeWithFallback(database().then((open) => open && databaseStore(open))));

export const keepsThings = async (): Promise<boolean> => (await database()) !== undefined;

export async function keepWork(workerId: string, work: Work): Promise<void> {
  await (await database())?.put('work', work, workerId).catch(() => undefined);
}

export async function keptWork(workerId: string): Promise<Work | undefined> {
  return (await (await database())?.get('work', workerId).catch(() => undefined)) as Work | undefined;
}

/** Addresses of customers are not left behind for the next one. */
export async function forgetWork(workerId: string): Promise<void> {
  await (await database())?.delete('work', workerId).catch(() => undefined);
}

/** Who the service worker may send for while no page is open. */
export async function keepSession(session: { workerId: string; token: string } | undefined): Promise<void> {
  const open = await database();
  await (session ? open?.put('session', session, 'worker') : open?.delete('session', 'worker'))?.catch(
    () => undefined,
  );
}

/** Asks the browser not to throw photos away when it needs room. */
export const askToKeep = (): void => void navigator.storage?.persist?.().catch(() => undefined);

/** For tests: what a reload does. */
export async function reopenPhone(): Promise<void> {
  (await opening)?.close();
  opening = store = undefined;
}
