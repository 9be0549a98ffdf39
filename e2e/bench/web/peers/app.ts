import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLIENT, type LandingSource } from './landing-source.ts';

/** A running copy of the landing page that others made. */
export interface Peer {
  name: string;
  url: string;
  stop(): Promise<void>;
}

/**
 * Writes the sources of an app beside the pictures that they name, and builds it; nothing when just that was built before.
 * @param folder that nobody commits
 * @param files contents by path
 * @param builtBy what builds it, with its version
 * @param output where in the folder the result lies
 */
export async function buildApp(
  folder: string,
  { assets }: Pick<LandingSource, 'assets'>,
  files: Readonly<Record<string, string>>,
  { builtBy, output, build }: { builtBy: string; output: string; build: () => Promise<unknown> },
): Promise<void> {
  const marker = join(folder, 'built-of');
  const wanted = createHash('sha256').update(JSON.stringify({ files, assets, builtBy })).digest('hex');
  if ((await readFile(marker, 'utf8').catch(() => '')) === wanted) return;
  for (const old of [marker, join(folder, 'public'), join(folder, output)]) {
    await rm(old, { recursive: true, force: true });
  }
  await mkdir(join(folder, 'public/assets'), { recursive: true });
  for (const name of [...assets, 'favicon.svg'])
    await copyFile(join(CLIENT, name), join(folder, 'public', name));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await build();
  await writeFile(marker, wanted);
}
