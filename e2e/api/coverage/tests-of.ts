import { type EndpointKey, methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Where component tests of calls are: through HTTP, on real engines. */
const FOLDERS = ['services', 'gateway'];

/** The tests that make each call, by path from the root of the repository. */
export async function testsOf(keys: readonly EndpointKey[]): Promise<Map<EndpointKey, string[]>> {
  const files = (await Promise.all(FOLDERS.map((folder) => testFiles(join(ROOT, folder))))).flat().sort();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(
    keys.map((key) => [
      key,
      files
        .filter((_file, index) => names(texts[index]!, key))
        .map((file) => relative(ROOT, file).split(sep).join('/')),
    ]),
  );
}

/**
 * A test names a call by its key, or by its method and address; what is filled in may stand there as `${role}`. The
 * method of a GET need not be said.
 */
function names(text: string, key: EndpointKey): boolean {
  if (text.includes(`'${key}'`)) return true;
  const address = pathOf(key)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? FILLED : `(?:${segment}|${TEMPLATE})`))
    .join('/')
    .replace(/^\(\?:\|[^/]*\//, '/');
  const method = methodOf(key);
  const bySelf = new RegExp(`${method} ${address}['\`]`);
  const byParts = new RegExp(`['\`}]${address}['\`?]`);
  const saysMethod = method === 'GET' || text.includes(`'${method}'`);
  return bySelf.test(text) || (saysMethod && byParts.test(text));
}

const TEMPLATE = String.raw`\$\{[\w.]+\}`;
const FILLED = String.raw`(?:\{\w+\}|\$\{[^}]+\}|[\w.-]+)`;

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /[\\/](test|testing|distributed)$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'));
}
