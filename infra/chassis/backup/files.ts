import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Frame, toFrame } from './format.ts';

/** Every file below a folder; none when there is no such folder. A file that grows is copied as far as it was. */
export async function* copyFiles(folder: string): AsyncGenerator<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield toFrame({ kind: 'file', path: relative(folder, path) }, await readFile(path));
  }
}

/** Writes files that only their owner may read. */
export async function restoreFiles(folder: string, frames: AsyncIterable<Frame>): Promise<void> {
  for await (const { header, bytes } of frames) {
    if (header.kind !== 'file') continue;
    const path = join(folder, header.path);
    if (relative(folder, path).startsWith('..')) throw new Error(`${header.path} is outside of its folder`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
  }
}
