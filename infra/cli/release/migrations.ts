import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, type Promised } from './promised.ts';

const FOLDERS = ['services/*/migrations/*.sql', 'infra/chassis/**/*migrations/*.sql'];

/** SHA-256 of every migration, by its path. */
function sumsIn(root: string): Record<string, string> {
  const paths = FOLDERS.flatMap((pattern) => globSync(pattern, { cwd: root })).map((path) =>
    path.replaceAll('\\', '/'),
  );
  return Object.fromEntries(
    paths.toSorted().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  );
}

/** A database that has run a migration refuses to start on a changed one. */
export const migrations: Promised = {
  file: 'migrations.json',
  freeze: (root) => linesOf(sumsIn(root)),
  broken(released, root) {
    const today = sumsIn(root);
    return Object.entries(JSON.parse(released) as Record<string, string>)
      .filter(([path, sum]) => today[path] !== sum)
      .map(
        ([path]) =>
          `${path} ${today[path] ? 'has changed' : 'is gone'} since its release: restore it (git log -- ${path}), and add a new numbered file instead.`,
      );
  },
};
