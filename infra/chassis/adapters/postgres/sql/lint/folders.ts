import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, ...Array.from({ length: 6 }, () => '..'));

/** Where migrations are, by the schema that they make. */
export async function migrationFolders(): Promise<{ name: string; folder: URL }[]> {
  const files: string[] = [];
  for await (const file of glob('{gateway,infra,services}/**/migrations/001_*.sql', {
    cwd: ROOT,
    exclude: (path) => path === 'node_modules',
  })) {
    files.push(file);
  }
  return files.sort().map((file) => ({
    name: /^services\/(\w+)\//.exec(file)?.[1] ?? 'chassis',
    folder: pathToFileURL(`${dirname(join(ROOT, file))}/`),
  }));
}
