import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectInfo, ObjectStore } from '../../ports/object-store.ts';
import { keySegments } from '../object-key.ts';

/** Few folders hold many objects, and those are created first. */
const MAX_DURABLE = 100;

/** Syncs a folder and its parents up to `root`, so that new names survive a power cut. Folders are never deleted. */
function openFolders(root: string): (folder: string) => Promise<void> {
  const durable = new Set<string>();
  return async function sync(folder) {
    await syncFolder(folder);
    if (folder === root || durable.has(folder)) return;
    await sync(dirname(folder));
    if (durable.size < MAX_DURABLE) durable.add(folder);
  };
}

/** @throws when the file is shorter */
async function readWhole(file: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await file.read(bytes, at, sizeBytes - at, at);
    if (bytesRead === 0) throw new Error('a file became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}

/** Writes a new file that survives a power cut. Its name does not yet: see openFolders. */
async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx');
  try {
    // One call as a rule: writeFile() would write in chunks of 512 KiB.
    await writeAll(file, parts);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left);
    left = behind(left, bytesWritten);
  }
}

/** @returns the parts without their first `bytes` bytes */
function behind(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = bytes;
  return parts.flatMap((part) => {
    const left = part.subarray(Math.min(skipped, part.length));
    skipped -= part.length - left.length;
    return left.length > 0 ? [left] : [];
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * An object is one file, so that a rename makes it visible atomically: its bytes, then a trailer of fixed length
 * with its metadata. Image viewers ignore the trailer.
 */
const TRAILER_BYTES = 256;

interface Trailer {
  contentType: string;
  etag: string;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** @throws RangeError when the content type does not fit */
function encodeTrailer(etag: string, contentType: string): Buffer {
  const text = JSON.stringify({ contentType, etag } satisfies Trailer);
  const trailer = Buffer.alloc(TRAILER_BYTES, ' ');
  if (trailer.write(text) < Buffer.byteLength(text)) throw new RangeError('content type too long');
  return trailer;
}

async function readInfo(file: FileHandle): Promise<ObjectInfo> {
  const sizeBytes = (await file.stat()).size - TRAILER_BYTES;
  const { buffer } = await file.read(Buffer.alloc(TRAILER_BYTES), 0, TRAILER_BYTES, sizeBytes);
  const { contentType, etag } = JSON.parse(buffer.toString()) as Trailer;
  return { sizeBytes, contentType, etag };
}

/** Keys cannot contain "+". Folder names end with it, so that "a" and "a/b" can both be objects. */
const folderName = (segment: string): string => `${segment}+`;
const UNFINISHED = '+unfinished';
/** A put takes seconds; older files were left by a crash. */
const ABANDONED_AFTER_MS = 3_600_000;

/** An ObjectStore in a directory, which is created if it is missing. */
export async function openFileObjects(directory: string): Promise<ObjectStore> {
  const root = resolve(directory);
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
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
