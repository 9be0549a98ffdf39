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
 * As root the server runs as another user, who may not enter what is closed to everybody else (/root, and whatever
 * is below). What that user needs then stands here.
 */
const OPEN_TO_ALL = '/var/lib/arboleda';

/** Where the files of a cluster are: in `dir` itself, or where `dir` points to. */
export const clusterDir = (dir: string): string => (isLink(dir) ? readlinkSync(dir) : dir);

/**
 * Where the files of a new cluster are to be. When the server's user cannot come to `dir`, that becomes a link to a place of
 * its own, named by chance: another folder that is later at the same path finds nothing of this one.
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
