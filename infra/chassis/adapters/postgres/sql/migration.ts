import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** A numbered migration file of a service. */
export interface Migration {
  name: string;
  text: string;
  /** SHA-256, to detect changed files. */
  checksum: string;
  /** Runs statement by statement outside of a transaction, so that big tables stay writable. */
  isConcurrent: boolean;
}

/** First line of a concurrent migration. Its statements must be safe to run again after a crash. */
const CONCURRENT = '-- concurrently';

const numberOf = (name: string): number => Number(/^(\d{3})_[\w-]+\.sql$/.exec(name)?.[1]);

export function toMigration(name: string, text: string): Migration {
  const checksum = createHash('sha256').update(text).digest('hex');
  return { name, text, checksum, isConcurrent: text.startsWith(`${CONCURRENT}\n`) };
}

/** @throws when the files are not numbered from 001 without a gap */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const [at, name] of names.entries()) {
    if (numberOf(name) !== at + 1)
      throw new Error(`${name}: migrations are numbered from 001_name.sql without a gap`);
  }
  return Promise.all(
    names.map(async (name) => toMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  );
}

/** Migrations that have not run. @throws when one that ran before has changed or is missing */
export function pending(
  migrations: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
  schema: string,
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum } of applied) {
    if (numberOf(name) > migrations.length) continue;
    if (known.get(name) !== checksum)
      throw new Error(
        `migration ${name} of ${schema} ${known.has(name) ? 'has changed' : 'is gone'} since it ran; add a new one instead`,
      );
  }
  const done = new Set(applied.map((one) => one.name));
  return migrations.filter((migration) => !done.has(migration.name));
}

/** Statements of a concurrent migration: each ends with a semicolon at the end of a line. */
export const statementsOf = ({ text }: Pick<Migration, 'text'>): string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((part) => part.replaceAll(/^[ \t]*--.*$/gm, '').trim())
    .filter((statement) => statement !== '');
