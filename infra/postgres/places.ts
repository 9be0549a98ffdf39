import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { postgresUser, type UserIds } from './user.ts';

/**
 * As root the server runs as another user, who may not enter what is closed to everybody else (/root, and whatever
 * is below). What that user needs then stands here.
 */
const OPEN_TO_ALL = '/var/lib/arboleda';

/** Where the files of a cluster are: in `dir` itself, unless the server's user cannot come there. */
export function clusterDir(dir: string): string {
  const user = postgresUser();
  if (!user || canEnter(existing(dirname(dir)), user)) return dir;
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  mkdirSync(OPEN_TO_ALL, { recursive: true, mode: 0o755 });
  return join(OPEN_TO_ALL, `cluster-${name}`);
}

/** The programs of a folder `bin`, copied with what they need beside it when the server's user cannot come there. */
export function reachableBin(bin: string, version: string): string {
  const user = postgresUser();
  if (!user || canEnter(bin, user)) return bin;
  const copy = join(OPEN_TO_ALL, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`;
    mkdirSync(OPEN_TO_ALL, { recursive: true, mode: 0o755 });
    cpSync(dirname(bin), half, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(half, copy);
    } catch {
      // Another start was faster.
      rmSync(half, { recursive: true, force: true });
    }
  }
  return join(copy, basename(bin));
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

const canEnter = (folder: string, user: UserIds): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
