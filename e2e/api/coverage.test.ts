import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type EndpointKey, methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const FILLED = String.raw`\$\{[^}]+\}`;

/** All component tests: through HTTP, on real engines. */
const texts = ['services', 'gateway'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.ts') && !parentPath.includes('node_modules'))
    .filter(({ parentPath }) => /[\\/](test|distributed)$/.test(parentPath))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8')),
);

/** A test names a call by its key, or by its method and address. The method of a GET need not be said. */
function isNamed(key: EndpointKey): boolean {
  const method = methodOf(key);
  const address = pathOf(key)
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? `(?:\\{\\w+\\}|${FILLED}|[\\w.-]+)` : `(?:${part}|${FILLED})`))
    .join('/');
  const bySelf = new RegExp(`${method} /${address}['\`]`);
  const byParts = new RegExp(`['\`}]/${address}['\`?]`);
  return texts.some(
    (text) => bySelf.test(text) || ((method === 'GET' || text.includes(`'${method}'`)) && byParts.test(text)),
  );
}

test('every endpoint has a component test that makes the call', () => {
  expect((Object.keys(ENDPOINTS) as EndpointKey[]).filter((key) => !isNamed(key))).toEqual([]);
});
