import type pg from 'pg';
import { runConcurrently } from './concurrently.ts';
import { type Migration, pending, readMigrations } from './migration.ts';
import { identifier, inTransaction } from './pool.ts';
import { allowSilence } from './silence.ts';

/**
 * Brings a schema up to date with a folder of `001_name.sql` files, in order, each once, all or nothing. Replicas that
 * start together wait for each other. A file that begins with "-- concurrently" stands by itself: what came before it
 * is committed, and its statements run one by one beside the traffic of the version before.
 * Those of a newer version may have run already: while versions are exchanged, and after going back, this one works with
 * what they left.
 * @throws when a migration that ran before has changed or is gone.
 */
export async function migrate(pool: pg.Pool, schema: string, folder: URL): Promise<void> {
  const migrations = await readMigrations(folder);
  for (;;) {
    const next = await inTransaction(pool, (client) => runUntilConcurrent(client, schema, migrations));
    if (!next) return;
    await runConcurrently(pool, schema, next);
  }
}

/** @returns the next one, when it must stand outside of a transaction. */
async function runUntilConcurrent(
  client: pg.PoolClient,
  schema: string,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  await lockSchema(client, schema);
  await client.query('create table if not exists _migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'); // prettier-ignore
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from _migrations',
  );
  for (const migration of pending(migrations, rows, schema)) {
    if (migration.isConcurrent) return migration;
    await client.query(migration.text);
    await client.query('insert into _migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
  }
  return undefined;
}

/** Makes the schema and holds its lock until the transaction ends; what follows may take its time. */
export async function lockSchema(client: pg.PoolClient, schema: string): Promise<void> {
  allowSilence(client);
  await client.query('set local statement_timeout = 0');
  await client.query(`select pg_advisory_xact_lock(hashtext('arboleda'), hashtext($1))`, [schema]);
  await client.query(`create schema if not exists ${identifier(schema)}`);
  await client.query(`set local search_path to ${identifier(schema)}`);
}
