import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A folder for each peer, ignored by git. */
export const PEERS = fileURLToPath(new URL('../.peers', import.meta.url));
const run = promisify(execFile);

/**
 * Installs what Arboleda is compared with into a folder that nobody commits; it is never part of the product.
 * @param packages versions by name
 * @returns the folder, whose node_modules has them
 * @throws what npm said
 */
export async function installPeers(
  name: string,
  packages: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(PEERS, name);
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages }, null, 2);
  const marker = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256').update(manifest).digest('hex');
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  await writeFile(marker, wanted);
  return folder;
}
