import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** There are few folders of many objects, and they come first. */
const MAX_DURABLE = 100;

/** Makes the names on the way from `root` to a folder durable, those of new folders too. None is ever taken away. */
export function openFolders(root: string): (folder: string) => Promise<void> {
  const durable = new Set<string>();
  return async function sync(folder) {
    await syncFolder(folder);
    if (folder === root || durable.has(folder)) return;
    await sync(dirname(folder));
    if (durable.size < MAX_DURABLE) durable.add(folder);
  };
}

/** @throws when there are fewer bytes. */
export async function readWhole(file: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await file.read(bytes, at, sizeBytes - at, at);
    if (bytesRead === 0) throw new Error('a file became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}

/** Writes a new file that survives a power cut, but for its name: see openFolders. */
export async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx');
  try {
    // All at once as a rule: writeFile() would go to the disk for every half of a megabyte.
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

/** What of some parts comes after so many bytes. */
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
