import { deleteDB, openDB, type IDBPDatabase } from 'idb';

/** A picture that waits for its transfer to be sent. */
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
/** A draft lives as long as its tab; what is older than this belongs to none. */
const KEPT_MS = 24 * 3_600_000;

let database: Promise<IDBPDatabase> | undefined;

function open(): Promise<IDBPDatabase> {
  database ??= openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE) });
  return database;
}

/** Keeps the pictures of one draft over a reload, as far as the browser lets us. */
export async function keepPictures(key: string, pictures: readonly KeptPicture[]): Promise<void> {
  try {
    const db = await open();
    await db.put(STORE, { pictures, keptAt: Date.now() } satisfies Kept, key);
    await sweep(db);
  } catch {
    // Without storage a reload forgets them; the form then asks for them again.
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

/** After sending, nothing of a bank's receipt stays on this device. */
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
