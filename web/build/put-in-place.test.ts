import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { putInPlace } from './put-in-place.ts';

const NOW = Date.UTC(2026, 10, 21);
const DAY_MS = 24 * 3_600_000;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arboleda-build-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function write(files: Record<string, string>, ageMs: number): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(dir, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  }
}

test('the first build is put in its place', async () => {
  await write({ 'building/client/index.en.html': 'new', 'building/client/assets/a-1.js': '1' }, 0);
  await putInPlace(join(dir, 'building/client'), join(dir, 'client'), NOW);
  expect(await readFile(join(dir, 'client/index.en.html'), 'utf8')).toBe('new');
});

test('a later one takes its place whole, and keeps for a day what open pages still ask for', async () => {
  await write({ 'client/index.en.html': 'old', 'client/gone.txt': 'x', 'client/assets/a-1.js': 'same' }, 0);
  await write({ 'client/assets/b-1.js': 'an hour old' }, 3_600_000);
  await write({ 'client/assets/c-1.js': 'two days old' }, 2 * DAY_MS);
  await write({ 'building/client/index.en.html': 'new', 'building/client/assets/a-1.js': 'same' }, 0);
  await putInPlace(join(dir, 'building/client'), join(dir, 'client'), NOW);
  expect(await readFile(join(dir, 'client/index.en.html'), 'utf8')).toBe('new');
  expect((await readdir(join(dir, 'client'))).sort()).toEqual(['assets', 'index.en.html']);
  expect((await readdir(join(dir, 'client/assets'))).sort()).toEqual(['a-1.js', 'b-1.js']);
  expect(await readdir(dir)).not.toContain('client.former');
});
