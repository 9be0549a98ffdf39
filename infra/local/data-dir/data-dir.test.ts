import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearDataDir, dataDirPath, openDataDir } from './data-dir.ts';

let dir: string;
let path: string;
const nothing = async () => undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-data-'));
  path = join(dir, 'data');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('a data folder', () => {
  test('is made where it is said, and held by one', async () => {
    const first = await openDataDir(path);
    expect(first.at('logs', 'a.log')).toBe(join(path, 'logs', 'a.log'));
    await expect(openDataDir(path)).rejects.toThrow(/Another copy \(process \d+\) is running/);
    first.release();
    (await openDataDir(path)).release();
  });

  test('is not made among other people’s files', async () => {
    mkdirSync(path);
    writeFileSync(join(path, 'thesis.txt'), 'years of work');
    await expect(openDataDir(path)).rejects.toThrow(/holds other files/);
  });

  test('is .data unless DATA_DIR says otherwise', () => {
    expect(dataDirPath({})).toBe(join(process.cwd(), '.data'));
    expect(dataDirPath({ DATA_DIR: '/srv/trees' })).toBe('/srv/trees');
  });
});

describe('reset', () => {
  test('deletes a folder of ours, after what uses it was let go', async () => {
    (await openDataDir(path)).release();
    let wasThere = false;
    await clearDataDir(path, async () => void (wasThere = existsSync(path)));
    expect(wasThere).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test('refuses while it is running', async () => {
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

  test('has nothing to do where nothing is', async () => {
    expect(await clearDataDir(path, nothing)).toBe(false);
  });
});
