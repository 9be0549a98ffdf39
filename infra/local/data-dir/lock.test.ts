import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock, holderOf } from './lock.ts';
import { startOf } from '@arboleda/postgres/process.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-lock-'));
  file = join(dir, 'running.lock');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('one holds it, another is told who', () => {
  const lock = acquireLock(file);
  expect(lock).toHaveProperty('release');
  expect(acquireLock(file)).toEqual({ heldBy: process.pid });
  if ('release' in lock) lock.release();
  expect(holderOf(file)).toBeUndefined();
  expect(acquireLock(file)).toHaveProperty('release');
});

test('a process that is gone holds nothing', () => {
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, start: '1' }));
  expect(acquireLock(file)).toHaveProperty('release');
});

test('another process that got the number of the old one holds nothing', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'long ago' }));
  expect(acquireLock(file)).toHaveProperty('release');
});

test('a lock that was cut off while it was written holds nothing', () => {
  writeFileSync(file, '{"pid":');
  expect(acquireLock(file)).toHaveProperty('release');
});

test('a process is known by its start', () => {
  expect(startOf(process.pid)).toMatch(/\d/);
  expect(startOf(2 ** 22 + 1)).toBe('');
});
