import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file in one step. Only its owner can read it, also when the file before was open to others. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const next = `${file}.new`;
  // One that a crash left would keep its rights.
  await rm(next, { force: true });
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, file);
}
