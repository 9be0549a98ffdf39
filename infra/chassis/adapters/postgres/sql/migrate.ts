import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { identifier, inTransaction } from './pool.ts';

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/**
 * Brings a schema up to date with a folder of `001_name.sql` files, in order, each once, all or nothing. Replicas that
 * start together wait for each other.
 * Those of a newer version may have run already: while versions are exchanged, and after going back, this one works with
 * what they left.
 * @throws when a migration that ran before has changed or is gone.
 */
export async function migrate(pool: pg.Pool, schema: string, folder: URL): Promise<void> {
  const migrations = await readMigrations(folder);
  await inTransaction(pool, async (client) => {
    await lockSchema(client, schema);
    await client.query('create table if not exists _migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'); // prettier-ignore
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from _migrations',
    );
    for (const migration of pending(migrations, rows, schema)) {
      await client.query(migration.text);
      await client.query('insert into _migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
    }
  });
}

/** Makes the schema and holds its lock until the transaction ends; what follows may take its time. */
export async function lockSchema(client: pg.PoolClient, schema: string): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await client.query(`select pg_advisory_xact_lock(hashtext('arboleda'), hashtext($1))`, [schema]);
  await client.query(`create schema if not exists ${identifier(schema)}`);
  await client.query(`set local search_path to ${identifier(schema)}`);
}

const numberOf = (name: string): number => Number(/^(\d{3})_[\w-]+\.sql$/.exec(name)?.[1]);

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const [at, name] of names.entries()) {
    if (numberOf(name) !== at + 1)
      throw new Error(`${name}: migrations are numbered from 001_name.sql without a gap`);
  }
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function pending(
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
