import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long open pages may still request the previous build's files. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Moves a finished build into place in one step, so the gateway never serves half a build. The previous build's hashed
 * files stay for a while, for open pages.
 */
export async function putInPlace(built: string, place: string, nowMs: number): Promise<void> {
  await keepFormerAssets(join(place, 'assets'), join(built, 'assets'), nowMs);
  const former = `${place}.former`;
  await rm(former, { recursive: true, force: true });
  await rename(place, former).catch(ignoreMissing);
  await rename(built, place);
  await rm(former, { recursive: true, force: true });
}

async function keepFormerAssets(from: string, to: string, nowMs: number): Promise<void> {
  await mkdir(to, { recursive: true });
  const fresh = new Set(await readdir(to));
  for (const name of await readdir(from).catch(() => [])) {
    if (fresh.has(name)) continue;
    const { mtimeMs } = await stat(join(from, name));
    if (nowMs - mtimeMs < KEPT_MS) await cp(join(from, name), join(to, name), { preserveTimestamps: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
