import { describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const IMPORT = /(?:\bfrom|\bimport\(?)\s*'([^']+)'/g;

/** The project's files that a file imports, also on demand; packages of others are left out. */
function importsOf(file: string): string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name]) => name!);
  return names.flatMap((name) => {
    if (name.startsWith('.')) return [join(dirname(file), name)];
    return name.startsWith('@arboleda/') ? [join(ROOT, 'node_modules', name)] : [];
  });
}

/** @returns all files that the file imports, directly or not, with itself */
function graphOf(file: string): Set<string> {
  const graph = new Set([file]);
  for (const member of graph)
    for (const imported of importsOf(member)) if (/\.ts$/.test(imported)) graph.add(imported);
  return graph;
}

describe.each(['e2e/bench', 'e2e/reliability', 'e2e/screens'])('the command of %s', (folder) => {
  const graph = [...graphOf(join(ROOT, folder, 'main.ts'))];

  test('imports files that exist', () => {
    expect(graph.length).toBeGreaterThan(20);
    expect(graph.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('runs without the test runner', () => {
    expect(graph.filter((file) => readFileSync(file, 'utf8').includes("'@jest/globals'"))).toEqual([]);
  });
});

test('npm run mutation changes files that exist', () => {
  const { mutate } = JSON.parse(readFileSync(join(ROOT, 'stryker.config.json'), 'utf8')) as {
    mutate: string[];
  };
  expect(mutate.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([]);
});
