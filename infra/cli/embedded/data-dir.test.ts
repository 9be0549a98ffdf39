import { startOf, waitForEnd } from '@arboleda/postgres/process.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  acquireLock,
  clearDataDir,
  dataDirPath,
  holderOf,
  MARKER,
  MARKER_TEXT,
  openDataDir,
} from './data-dir.ts';
import { writeFolderVersion } from './folder-version.ts';

describe('the data folder', () => {
  let dir: string;

  let path: string;

  const nothing = async () => undefined;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-data-'));
    path = join(dir, 'data');
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  describe('a data folder', () => {
    test('is created at its path and locked', async () => {
      const first = await openDataDir(path);
      expect(first.at('logs', 'a.log')).toBe(join(path, 'logs', 'a.log'));
      await expect(openDataDir(path)).rejects.toThrow(/Another copy \(process \d+\) is running/);
      first.release();
      (await openDataDir(path)).release();
    });

    test('cannot be listed by other users', async () => {
      (await openDataDir(path)).release();
      expect(statSync(path).mode & 0o777).toBe(0o711);
    });

    test('has no file that other users can read, whoever wrote it before', async () => {
      mkdirSync(path);
      writeFileSync(join(path, MARKER), MARKER_TEXT, { mode: 0o644 });
      const open = await openDataDir(path);
      await writeFolderVersion(path, '1.0.0');
      const modes = readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o077]);
      expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
      open.release();
    });

    test('is not created among other files', async () => {
      mkdirSync(path);
      writeFileSync(join(path, 'thesis.txt'), 'years of work');
      await expect(openDataDir(path)).rejects.toThrow(/holds other files/);
    });

    test('is .data unless DATA_DIR is set', () => {
      expect(dataDirPath({})).toBe(join(process.cwd(), '.data'));
      expect(dataDirPath({ DATA_DIR: '/srv/trees' })).toBe('/srv/trees');
    });
  });

  describe('reset', () => {
    test('deletes our own folder after stopping what uses it', async () => {
      (await openDataDir(path)).release();
      let wasThere = false;
      await clearDataDir(path, async () => void (wasThere = existsSync(path)));
      expect(wasThere).toBe(true);
      expect(existsSync(path)).toBe(false);
    });

    test('refuses while the installation runs', async () => {
      const open = await openDataDir(path);
      await expect(clearDataDir(path, nothing)).rejects.toThrow(/is running/);
      expect(existsSync(path)).toBe(true);
      open.release();
    });

    test('refuses a folder that is not ours', async () => {
      writeFileSync(join(dir, 'thesis.txt'), 'years of work');
      await expect(clearDataDir(dir, nothing)).rejects.toThrow(/nothing was deleted/);
      expect(existsSync(join(dir, 'thesis.txt'))).toBe(true);
    });

    test('does nothing when there is no folder', async () => {
      expect(await clearDataDir(path, nothing)).toBe(false);
    });
  });
});

describe('the lock of the data folder', () => {
  let dir: string;

  let file: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-lock-'));
    file = join(dir, 'running.lock');
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  test('is held by one process, and names it to others', () => {
    const lock = acquireLock(file);
    expect(lock).toHaveProperty('release');
    expect(acquireLock(file)).toEqual({ heldBy: process.pid });
    if ('release' in lock) lock.release();
    expect(holderOf(file)).toBeUndefined();
    expect(acquireLock(file)).toHaveProperty('release');
  });

  test('is free when its process is gone', () => {
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, start: '1' }));
    expect(acquireLock(file)).toHaveProperty('release');
  });

  test('is free when its process has ended and nobody reaps it', async () => {
    // The shell becomes a program that never asks for its child.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line);
    expect(await waitForEnd(pid, 10_000)).toBe(true);
    expect(() => process.kill(pid, 0)).not.toThrow();
    writeFileSync(file, JSON.stringify({ pid, start: startOf(pid) }));
    expect(acquireLock(file)).toHaveProperty('release');
    parent.kill();
    await once(parent, 'exit');
  });

  test("is free when another process got the old one's number", () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'long ago' }));
    expect(acquireLock(file)).toHaveProperty('release');
  });

  test('is free when it was only partly written', () => {
    writeFileSync(file, '{"pid":');
    expect(acquireLock(file)).toHaveProperty('release');
  });

  test('identifies a process by its start time', () => {
    expect(startOf(process.pid)).toMatch(/\d/);
    expect(startOf(2 ** 22 + 1)).toBe('');
  });
});
