import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { MigrationFault } from '../../../migration-fault.ts';

/** A folder of `001_name.sql` files, and the schema that they run in. */
export interface MigrationSet {
  schema: string;
  folder: URL;
  /** The table in the schema that names the files that ran, with their checksums. */
  table: '_migrations' | '_chassis_migrations';
}

/** Events, jobs, dead letters and backups: once in a database. */
export const CHASSIS: MigrationSet = {
  schema: 'chassis',
  folder: new URL('../migrations/', import.meta.url),
  table: '_migrations',
};

/** A service's own tables, and those that the chassis keeps in every service's schema. */
export const setsOfService = (schema: string, folder: URL): MigrationSet[] => [
  { schema, folder, table: '_migrations' },
  { schema, folder: new URL('../service-migrations/', import.meta.url), table: '_chassis_migrations' },
];

export interface Migration {
  name: string;
  text: string;
  /** SHA-256, to detect changed files. */
  checksum: string;
  /** Runs statement by statement outside of a transaction, so that big tables stay writable. */
  isConcurrent: boolean;
}

export type AppliedMigration = Pick<Migration, 'name' | 'checksum'>;

/** First line of a concurrent migration. Its statements must be safe to run again after a crash. */
const CONCURRENT = '-- concurrently';

const numberOf = (name: string): number => Number(/^(\d{3})_[\w-]+\.sql$/.exec(name)?.[1]);

function toMigration(name: string, text: string): Migration {
  const checksum = createHash('sha256').update(text).digest('hex');
  return { name, text, checksum, isConcurrent: text.startsWith(`${CONCURRENT}\n`) };
}

/** @throws when the files are not numbered from 001 without a gap */
export async function readMigrations({ folder }: Pick<MigrationSet, 'folder'>): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const [at, name] of names.entries()) {
    if (numberOf(name) !== at + 1)
      throw new Error(`${name}: migrations are numbered from 001_name.sql without a gap`);
  }
  return Promise.all(
    names.map(async (name) => toMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  );
}

/** A database compared with the files of this version. */
export interface MigrationState {
  schema: string;
  /** Ran, as they are here. */
  applied: string[];
  /** Have not run. */
  pending: string[];
  /** Ran, and are different or missing here. */
  changed: string[];
  /** Ran, and belong to a later version. */
  newer: string[];
}

export function compareMigrations(
  schema: string,
  migrations: readonly Migration[],
  ran: readonly AppliedMigration[],
): MigrationState {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const names = (kind: (one: AppliedMigration) => boolean) =>
    ran
      .filter(kind)
      .map(({ name }) => name)
      .sort();
  const isNewer = ({ name }: AppliedMigration) => numberOf(name) > migrations.length;
  const isSame = ({ name, checksum }: AppliedMigration) => known.get(name) === checksum;
  const done = new Set(ran.map(({ name }) => name));
  return {
    schema,
    applied: names(isSame),
    pending: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
    changed: names((one) => !isSame(one) && !isNewer(one)),
    newer: names(isNewer),
  };
}

/** The reason why this version may not open the data. Files before 1.0 were edited in place: their first one differs. */
export function faultOf({ schema, changed: [name] }: MigrationState): MigrationFault | undefined {
  if (name === undefined) return undefined;
  return numberOf(name) === 1
    ? new MigrationFault(
        `The data of ${schema} was written by a version before 1.0, which later versions cannot open (${name} differs). ` +
          'Go on with the version that wrote it, or start this one with an empty database.',
      )
    : new MigrationFault(
        `${name} of ${schema} is not the file that ran on this data. Use the files of a release as they are.`,
      );
}
