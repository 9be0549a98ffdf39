import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startOf } from '@arboleda/postgres/process.ts';

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
      writeFileSync(file, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), { flag: 'wx' });
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
