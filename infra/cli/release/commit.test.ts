import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf } from './commit.ts';

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
const commit = (subject: string) => {
  git('commit', '--quiet', '--allow-empty', '--message', subject);
  return git('rev-parse', 'HEAD');
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'arboleda-clone-'));
  git('init', '--quiet');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the commit of a release is the tagged one, or else the one that says so', async () => {
  const released = commit('Release 1.0.0');
  commit('Release 1.0.01 is no release');
  expect(await commitOf(root, '1.0.0')).toBe(released);
  const mended = commit('Mend what was released');
  git('tag', 'v1.0.0');
  commit('Go on');
  expect(await commitOf(root, '1.0.0')).toBe(mended);
});

test('a clone without that commit says how to get it', async () => {
  await expect(commitOf(root, '1.1.0')).rejects.toThrow(
    /^This clone lacks the commit of 1\.1\.0: "git fetch/,
  );
});
