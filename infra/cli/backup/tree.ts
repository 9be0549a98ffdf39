import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file of a back-up, by its relative path. */
export interface CopiedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** Files and folders of a tree. PostgreSQL needs its empty folders too. */
export interface Tree {
  files: CopiedFile[];
  folders: string[];
}

/** Copies hold personal data and secrets, so only the owner may read them. */
const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/**
 * Copies a folder. Files that are deleted meanwhile are left out.
 * @param isWanted filters relative paths; an unwanted folder is skipped
 */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<Tree> {
  const tree: Tree = { files: [], folders: [] };
  const enter = async (path: string): Promise<void> => {
    await makeFolder(join(to, path));
    for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!isWanted(inside)) continue;
      if (entry.isDirectory()) {
        tree.folders.push(inside);
        await enter(inside);
      } else if (entry.isFile()) {
        const copied = await copyFile(join(from, inside), join(to, inside)).catch(gone);
        if (copied) tree.files.push({ path: inside, ...copied });
      }
    }
  };
  await enter('');
  return tree;
}

/** @returns size and hash of what was written */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, 'path'>> {
  await makeFolder(dirname(to));
  const { watch, told } = counted();
  await pipeline(createReadStream(from), watch, createWriteStream(to, { mode: FILE_MODE, flush: true }));
  await chmod(to, FILE_MODE);
  return told();
}

export async function sumOf(path: string): Promise<Omit<CopiedFile, 'path'>> {
  const { watch, told } = counted();
  watch.resume();
  await pipeline(createReadStream(path), watch);
  return told();
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** Counts and hashes the bytes that pass through. */
function counted() {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const watch = new PassThrough();
  watch.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
  });
  return { watch, told: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}

/** Total bytes under a path. */
export async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(gone);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  let total = 0;
  for (const name of await readdir(path)) total += await sizeOf(join(path, name));
  return total;
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
