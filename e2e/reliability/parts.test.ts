import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments } from './parts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the reliability command', () => {
  const known = ['crash', 'races'];

  test('runs the named parts, or all of them when none is named', () => {
    expect(readArguments(['crash'], known).parts).toEqual(['crash']);
    expect(readArguments([], known).parts).toEqual(known);
  });

  test('is short unless --long is given', () => {
    expect(readArguments(['crash'], known).long).toBe(false);
    expect(readArguments(['crash', '--long'], known).long).toBe(true);
  });

  test('reports long runs only', () => {
    expect(readArguments(['--long'], known).report).toBe(false);
    expect(readArguments(['--long', '--report'], known).report).toBe(true);
    expect(() => readArguments(['crash', '--report'], known)).toThrow('add --long');
  });

  test('passes settings to a part', () => {
    expect(readArguments(['crash', '--kills=7', '--only=a=b'], known).settings).toEqual({
      kills: '7',
      only: 'a=b',
    });
  });

  test('lists the parts when a name is unknown', () => {
    expect(() => readArguments(['crush'], known)).toThrow(
      'There is no part "crush". There are: crash, races.',
    );
  });

  test('ends with an error when a name is unknown', () => {
    const command = ['infra/cli/bootstrap.js', 'reliability', 'earthquake'];
    const ended = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain('There is no part "earthquake".');
  });
});
