import type { Logger } from '@arboleda/chassis/log.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { originalKey, ORIGINALS } from './objects.ts';
import type { PhotoStore } from './store.ts';

/** Uploads take minutes; an older original without a photo is an orphan. */
const SAFE_AGE_MS = 24 * 3_600_000;
const ASKED_AT_ONCE = 500;
const MOST_ORPHANS = 1_000;

/**
 * Deletes originals without a photo: the upload's process died, or another upload was first. If there are
 * more orphans than photos, the bucket belongs to another store, and nothing is deleted.
 */
export async function sweepOrphans(parts: {
  store: Pick<PhotoStore, 'byFilenames'>;
  objects: Pick<ObjectStore, 'list' | 'delete'>;
  logger: Logger;
  now?: Date;
}): Promise<void> {
  const { store, objects, logger, now = new Date() } = parts;
  const orphans: string[] = [];
  let known = 0;
  let asked: string[] = [];
  const ask = async () => {
    const kept = new Set((await store.byFilenames(asked)).map(({ filename }) => filename));
    known += kept.size;
    orphans.push(...asked.filter((filename) => !kept.has(filename)));
    asked = [];
  };
  for await (const { key, storedAt } of objects.list(ORIGINALS)) {
    if (now.getTime() - storedAt.getTime() < SAFE_AGE_MS) continue;
    asked.push(key.slice(ORIGINALS.length + 1));
    if (asked.length === ASKED_AT_ONCE) await ask();
    if (orphans.length >= MOST_ORPHANS) break;
  }
  await ask();
  if (orphans.length === 0) return;
  if (orphans.length > known) {
    logger.error({ orphans: orphans.length, known }, 'the originals do not belong to the stored photos');
    return;
  }
  for (const filename of orphans) await objects.delete(originalKey({ filename }));
  logger.info({ orphans: orphans.length }, 'orphaned originals removed');
}
