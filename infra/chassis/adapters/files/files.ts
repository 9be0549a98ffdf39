import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../../ports/object-store.ts';
import { keySegments } from '../object-key.ts';
import { openFolders, readWhole, syncFolder, writeDurably } from './disk.ts';
import { digestOf, encodeTrailer, readInfo } from './stored-file.ts';

/** Keys cannot contain "+". Folder names end with it, so that "a" and "a/b" can both be objects. */
const folderName = (segment: string): string => `${segment}+`;
const UNFINISHED = '+unfinished';
/** A put takes seconds; older files were left by a crash. */
const ABANDONED_AFTER_MS = 3_600_000;

/** An ObjectStore in a directory, which is created if it is missing. */
export async function openFileObjects(directory: string): Promise<ObjectStore> {
  const root = resolve(directory);
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true });
  await removeAbandoned(unfinished);
  const syncFolders = openFolders(root);

  const pathOf = (key: string): string => {
    const segments = keySegments(key);
    return join(root, ...segments.slice(0, -1).map(folderName), segments.at(-1)!);
  };

  /** The open file of a key, for the caller to close; undefined when there is no such object. */
  const openKey = (key: string): Promise<FileHandle | undefined> => open(pathOf(key)).catch(absent);

  const store: ObjectStore = {
    engine: 'files',
    async put(key, bytes, contentType, digest = digestOf(bytes)) {
      const path = pathOf(key);
      const trailer = encodeTrailer(digest, contentType);
      const temporary = join(unfinished, randomUUID());
      try {
        await writeDurably(temporary, [bytes, trailer]);
        await mkdir(dirname(path), { recursive: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolders(dirname(path));
    },

    async get(key, range) {
      const file = await openKey(key);
      if (!file) return undefined;
      try {
        const info = await readInfo(file);
        const { start, end } = within(range, info.sizeBytes);
        if (end >= start) return { info, bytes: file.createReadStream({ start, end }) };
        await file.close();
        return { info, bytes: Readable.from([]) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async read(key) {
      const file = await openKey(key);
      if (!file) return undefined;
      try {
        const { sizeBytes } = await readInfo(file);
        return await readWhole(file, sizeBytes);
      } finally {
        await file.close();
      }
    },

    async info(key) {
      const file = await openKey(key);
      if (!file) return undefined;
      try {
        return await readInfo(file);
      } finally {
        await file.close();
      }
    },

    async *list(folder) {
      yield* objectsIn(root, folder === undefined ? [] : keySegments(folder));
    },

    async delete(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await syncFolder(dirname(path)).catch(absent);
    },

    async check() {
      await access(unfinished, constants.W_OK);
    },
  };
  return store;
}

async function* objectsIn(root: string, folder: string[]): ReturnType<ObjectStore['list']> {
  const place = join(root, ...folder.map(folderName));
  const entries = await opendir(place).catch(absent);
  for await (const entry of entries ?? []) {
    if (entry.isFile()) {
      const found = await stat(join(place, entry.name)).catch(absent);
      if (found) yield { key: [...folder, entry.name].join('/'), storedAt: found.mtime };
    } else if (entry.name.endsWith(folderName(''))) {
      yield* objectsIn(root, [...folder, entry.name.slice(0, -1)]);
    }
  }
}

/** @throws RangeError when the range lies outside the object */
function within(range: { start: number; end: number } | undefined, sizeBytes: number) {
  if (!range) return { start: 0, end: sizeBytes - 1 };
  const end = Math.min(range.end, sizeBytes - 1);
  if (range.start < 0 || range.start > end) throw new RangeError('range outside the object');
  return { start: range.start, end };
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(absent);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
