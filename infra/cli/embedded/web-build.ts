import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, type Lock } from './data-dir.ts';
import { Fault } from '../terminal/command.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const WEB = join(ROOT, 'web');
/** Records the fingerprint of the sources that web/dist was built from. */
const MARKER = join(WEB, 'dist', 'built-of');
const LOCK = join(ROOT, 'node_modules', '.arboleda-web-build.lock');
const NOT_SOURCES = new Set(['node_modules', 'dist']);

/** Whether web/dist matches the current sources. */
export const isWebBuilt = async (): Promise<boolean> =>
  existsSync(MARKER) && (await readFile(MARKER, 'utf8')) === (await fingerprint());

/** Builds the web app when its sources have changed. Concurrent starts build once. */
export async function buildWeb(): Promise<void> {
  const lock = await waitForLock();
  try {
    const sources = await fingerprint();
    if (await isWebBuilt()) return;
    await runBuild();
    await writeFile(MARKER, sources);
  } finally {
    lock.release();
  }
}

async function waitForLock(): Promise<Lock> {
  for (;;) {
    const lock = acquireLock(LOCK);
    if ('release' in lock) return lock;
    await sleep(100);
  }
}

async function runBuild(): Promise<void> {
  const child = spawn(process.execPath, [join(WEB, 'build.ts')], {
    cwd: WEB,
    // Pages contain no site address, so a build works on any port.
    env: { ...process.env, SITE_URL: '', NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk));
  const [code] = (await once(child, 'close')) as [number];
  if (code === 0) return;
  await rm(MARKER, { force: true });
  throw new Fault(`The web app could not be built:\n${complaint.trim().split('\n').slice(0, 12).join('\n')}`);
}

/** Fingerprint of all inputs of the build. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of [WEB, join(ROOT, 'contracts')]) {
    for (const file of await sourcesIn(folder)) {
      hash.update(`${relative(ROOT, file)}\0`).update(await readFile(file));
    }
  }
  return hash.update(await readFile(join(ROOT, 'package-lock.json'))).digest('hex');
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => !NOT_SOURCES.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) =>
        entry.isDirectory() ? sourcesIn(join(folder, entry.name)) : [join(folder, entry.name)],
      ),
  );
  return nested.flat().sort();
}
