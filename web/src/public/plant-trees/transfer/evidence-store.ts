import { deleteDB, openDB, type IDBPDatabase } from 'idb';

/** A picture of an unsent transfer. */
export interface KeptPicture {
  id: string;
  file: File;
}

interface Kept {
  pictures: readonly KeptPicture[];
  keptAt: number;
}

const DATABASE = 'arboleda-checkout';
const STORE = 'evidence';
/** Drafts live as long as their tab; older pictures are orphans. */
const KEPT_MS = 24 * 3_600_000;

let database: Promise<IDBPDatabase> | undefined;

function open(): Promise<IDBPDatabase> {
  database ??= openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE) });
  return database;
}

/** Stores a draft's pictures so that they survive a reload, if the browser allows it. */
export async function keepPictures(key: string, pictures: readonly KeptPicture[]): Promise<void> {
  try {
    const db = await open();
    await db.put(STORE, { pictures, keptAt: Date.now() } satisfies Kept, key);
    await sweep(db);
  } catch {
    // Without storage a reload loses them; the form then asks again.
    database = undefined;
  }
}

export async function readPictures(key: string): Promise<readonly KeptPicture[]> {
  try {
    const kept = (await (await open()).get(STORE, key)) as Kept | undefined;
    return kept?.pictures ?? [];
  } catch {
    database = undefined;
    return [];
  }
}

/** After submission no bank receipt stays on this device. */
export async function forgetPictures(key: string): Promise<void> {
  try {
    const db = await open();
    await db.delete(STORE, key);
    if ((await db.count(STORE)) > 0) return;
    db.close();
    database = undefined;
    await deleteDB(DATABASE);
  } catch {
    database = undefined;
  }
}

async function sweep(db: IDBPDatabase): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (let at = await db.transaction(STORE, 'readwrite').store.openCursor(); at; at = await at.continue()) {
    if ((at.value as Kept).keptAt < oldest) await at.delete();
  }
}
