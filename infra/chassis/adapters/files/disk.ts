import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Few folders hold many objects, and those are created first. */
const MAX_DURABLE = 100;

/** Syncs a folder and its parents up to `root`, so that new names survive a power cut. Folders are never deleted. */
export function openFolders(root: string): (folder: string) => Promise<void> {
  const durable = new Set<string>();
  return async function sync(folder) {
    await syncFolder(folder);
    if (folder === root || durable.has(folder)) return;
    await sync(dirname(folder));
    if (durable.size < MAX_DURABLE) durable.add(folder);
  };
}

/** @throws when the file is shorter */
export async function readWhole(file: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await file.read(bytes, at, sizeBytes - at, at);
    if (bytesRead === 0) throw new Error('a file became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}

/** Writes a new file that survives a power cut. Its name does not yet: see openFolders. */
export async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
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

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
