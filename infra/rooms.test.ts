import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Folders whose folders are rooms. */
const HOUSES = ['contracts', 'gateway', 'infra', 'infra/chassis', 'services/*', 'web/src', 'e2e'];
/** Alike everywhere, or said once for all. */
const SAID_ONCE = ['test', 'distributed', 'migrations', 'operator', 'node_modules', 'dist'];

/** Empty folders aside: a move leaves them behind in a work tree. */
const foldersIn = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`)
    .filter((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).some((one) => one.isFile()),
    );

test('the map of the house in docs/architecture.md names every room, and no other', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const map = text.slice(text.indexOf('## The map of the house'), text.indexOf('## Two tiers'));
  const named = [...map.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, path]) => path!);
  const rooms = HOUSES.flatMap((house) =>
    house.endsWith('/*') ? foldersIn(house.slice(0, -2)).flatMap(foldersIn) : foldersIn(house),
  ).filter((path) => !SAID_ONCE.includes(path.split('/').at(-1)!) || path === 'e2e/distributed');
  const houses = new Set(['infra/chassis']);
  expect(rooms.filter((path) => !named.includes(path) && !houses.has(path))).toEqual([]);
  expect(named.filter((path) => !rooms.includes(path) && path !== 'contracts')).toEqual([]);
});
