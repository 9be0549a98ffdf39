import { execFileSync, spawnSync } from 'node:child_process';
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
import { PostgresFault } from './fault.ts';

/** PostgreSQL refuses to run as root, so it runs as this user, which is created if missing. */
const USER = 'postgres';

export interface UserIds {
  uid: number;
  gid: number;
}

/** The user PostgreSQL runs as; undefined for the current one. @throws PostgresFault when root cannot create it */
export function postgresUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = lookUp();
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', USER], { stdio: 'ignore' });
  } catch (cause) {
    throw new PostgresFault(
      'PostgreSQL does not run as root, and the user "postgres" could not be made. Start as an ordinary user.',
      { cause },
    );
  }
  return lookUp();
}

function lookUp(): UserIds | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, USER], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

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
