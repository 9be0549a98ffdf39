import type { Environment } from '@arboleda/chassis/environment.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { isAlive, startOf } from '@arboleda/postgres/process.ts';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../terminal/command.ts';
import { folderFault, readFolderVersion, writeFolderVersion } from './folder-version.ts';

interface Owner {
  pid: number;
  start: string;
}

/** A lock file that names its process. It is free when that process is gone. */
export interface Lock {
  release(): void;
}

/** @returns the lock, or the number of the process that holds it */
export function acquireLock(file: string): Lock | { heldBy: number } {
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), {
        flag: 'wx',
        mode: 0o600,
      });
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(file);
    if (holder !== undefined) return { heldBy: holder };
    rmSync(file, { force: true });
  }
}

/** The live process that holds a lock. */
export function holderOf(file: string): number | undefined {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Owner;
    return isAlive(owner.pid) && startOf(owner.pid) === owner.start ? owner.pid : undefined;
  } catch {
    return undefined;
  }
}

/** The folder with all data of an installation, locked by the running one. */
export interface DataDir {
  path: string;
  /** A path inside. */
  at(...names: string[]): string;
  release(): void;
}

/** Marks a folder as ours, so that reset deletes no other. */
export const MARKER = '.arboleda';
export const MARKER_TEXT = 'Data of Arboleda. npm run reset deletes this folder.\n';
export const LOCK = 'running.lock';
/** Room for PostgreSQL's first files and its write-ahead log; later starts need less. */
const ROOM_FOR_FIRST_START_BYTES = 300_000_000;
const ROOM_FOR_START_BYTES = 50_000_000;

export const dataDirPath = (env: Record<string, string | undefined>): string =>
  resolve(env.DATA_DIR || '.data');

/**
 * Locks a data folder, and creates it if it is missing.
 * @throws Fault when it cannot be used; nothing was changed if this version may not open it
 */
export async function openDataDir(path: string, env: Environment = {}): Promise<DataDir> {
  if (isForeign(path)) {
    throw new Fault(`${path} holds other files. Choose an empty folder: DATA_DIR=… npm start`);
  }
  const fault = await folderFault(path, env);
  if (fault !== undefined) throw new Fault(fault);
  const isNew = !existsSync(join(path, MARKER));
  await mkdir(path, { recursive: true });
  // Others see nothing of it; PostgreSQL's own user passes through to its files. A mounted folder may be somebody else's.
  await chmod(path, 0o711).catch(() => undefined);
  await requireRoom(path, isNew ? ROOM_FOR_FIRST_START_BYTES : ROOM_FOR_START_BYTES);
  await writeFile(join(path, MARKER), MARKER_TEXT);
  await chmod(join(path, MARKER), 0o600).catch(() => undefined);
  const lock = acquireLock(join(path, LOCK));
  if ('heldBy' in lock) {
    throw new Fault(
      `Another copy (process ${lock.heldBy}) is running on ${path}. ` +
        'Stop it, or give this one a folder and a port of its own: DATA_DIR=.data-2 PORT=8081 npm start',
    );
  }
  // New, and of this version from its first file on.
  if (readFolderVersion(path) === undefined) await writeFolderVersion(path, VERSION);
  return { path, at: (...names) => join(path, ...names), release: lock.release };
}

/** @throws Fault when the disk has less room */
export async function requireRoom(path: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= neededBytes) return;
  throw new Fault(
    `The disk is full: ${path} has ${Math.floor((bavail * bsize) / 1e6)} MB left, and ${Math.ceil(neededBytes / 1e6)} MB are needed.`,
  );
}

/**
 * Deletes a data folder.
 * @param letGo stops processes that still use it after their parent is gone
 * @returns false when there is none
 * @throws Fault when it is in use or not ours
 */
export async function clearDataDir(path: string, letGo: () => Promise<void>): Promise<boolean> {
  if (!existsSync(path)) return false;
  const holder = holderOf(join(path, LOCK));
  if (holder !== undefined) {
    throw new Fault(`Arboleda is running on ${path} (process ${holder}). Stop it first, with Ctrl-C.`);
  }
  if (isForeign(path)) throw new Fault(`${path} is no data folder of Arboleda: nothing was deleted.`);
  await letGo();
  await rm(path, { recursive: true, force: true });
  return true;
}

const isForeign = (path: string): boolean =>
  existsSync(path) && readdirSync(path).length > 0 && !existsSync(join(path, MARKER));
