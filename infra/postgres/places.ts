import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { postgresUser, type UserIds } from './user.ts';

/**
 * When run as root, the server runs as another user, who cannot enter private folders such as /root. Its files are
 * then kept here.
 */
const OPEN_TO_ALL = '/var/lib/arboleda';

/** The files of a cluster: `dir` itself, or the target of its link. */
export const clusterDir = (dir: string): string => (isLink(dir) ? readlinkSync(dir) : dir);

/**
 * Chooses the folder of a new cluster. When the server's user cannot enter `dir`, it becomes a link to a folder with
 * a random name, so that a later folder at the same path is not confused with it.
 */
export function chooseClusterDir(dir: string): string {
  const user = postgresUser();
  if (isLink(dir) || existsSync(dir) || !user || canEnter(existing(dirname(dir)), user))
    return clusterDir(dir);
  const place = join(OPEN_TO_ALL, `cluster-${randomBytes(8).toString('hex')}`);
  mkdirSync(OPEN_TO_ALL, { recursive: true, mode: 0o755 });
  mkdirSync(dirname(dir), { recursive: true });
  symlinkSync(place, dir);
  return place;
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** PostgreSQL's programs, copied with their libraries when the server's user cannot enter `bin`. */
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
