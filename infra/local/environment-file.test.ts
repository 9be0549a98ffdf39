import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['contracts', 'e2e', 'gateway', 'infra', 'services', 'web'];
/** The machine's own, the tools', a bench's, or what images and docker-compose.yml say to their own containers. */
const NOT_OURS = new Set([
  'PATH',
  'HOME',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'DOCKER_HOST',
  'CI',
  'GROW_SIZES',
  'OTEL_BSP_SCHEDULE_DELAY',
  'SERVICE',
  'SERVICES',
  'INBOX_URL',
  'HEALTH_PATH',
]);

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(ts|js)$/.test(name) &&
        !/\.test\.ts$|(^|\/)(node_modules|dist|src|distributed|\.peers)\//.test(name),
    )
    .map((name) => join(folder, name)),
);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Variables that configs declare by schema, and those that are read one by one. */
const readByCode = new Set(
  sources.flatMap((path) => [
    ...(path.endsWith('config.ts')
      ? [...textOf(path).matchAll(/^ +([A-Z][A-Z0-9_]*): /gm)].map((match) => match[1]!)
      : []),
    ...[...textOf(path).matchAll(/\benv(?:\.|, ')([A-Z][A-Z0-9_]*)\b/g)].map((match) => match[1]!),
  ]),
);
/** Variables that docker compose puts into docker-compose.yml. */
const readByCompose = new Set(
  [...textOf('docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map((match) => match[1]!),
);
const read = new Set([...readByCode, ...readByCompose]);
const explained = new Set(
  [...textOf('.env.example').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!),
);

test('the sources are found', () => {
  expect(readByCode).toContain('DATABASE_URL');
  expect(readByCompose).toContain('INBOX_PORT');
  expect(sources.length).toBeGreaterThan(100);
});

test('.env.example explains every variable that is read', () => {
  expect([...read].filter((name) => !explained.has(name) && !NOT_OURS.has(name)).sort()).toEqual([]);
});

test('.env.example explains nothing that nobody reads', () => {
  expect([...explained].filter((name) => !read.has(name)).sort()).toEqual([]);
});
