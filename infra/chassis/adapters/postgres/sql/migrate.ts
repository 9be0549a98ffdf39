import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { runConcurrently } from './concurrently.ts';
import { type Migration, pending, readMigrations } from './migration.ts';
import { identifier, inTransaction, withoutTimeout } from './pool.ts';

/**
 * Brings a schema up to date with a folder of `001_name.sql` files: in order, each once, all or nothing. Replicas
 * that start together wait for each other. A file that begins with "-- concurrently" runs on its own, after a
 * commit, statement by statement beside live traffic. Migrations of a newer version may have run already: during a
 * rolling update or after a rollback.
 * @throws when a migration that ran before has changed or is missing
 */
export async function migrate(pool: pg.Pool, schema: string, folder: URL): Promise<void> {
  const migrations = await readMigrations(folder);
  for (;;) {
    const next = await retryLockTimeout(() =>
      inTransaction(pool, (client) => runUntilConcurrent(client, schema, migrations)),
    );
    if (!next) return;
    await runConcurrently(pool, schema, next);
  }
}

/** Longer than any transaction: see `idle_in_transaction_session_timeout`. */
const TRY_FOR_MS = 90_000;
/** Lock timeout of statements that could block others. */
export const LOCK_MS = 300;
const PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Retries on a lock timeout: a statement that waits for a table's lock blocks all later ones.
 * @throws when the lock was not available for 90 s
 */
export async function retryLockTimeout<T>(run: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + TRY_FOR_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** @returns the next concurrent migration, which must run outside of the transaction */
async function runUntilConcurrent(
  client: pg.PoolClient,
  schema: string,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  await lockSchema(client, schema);
  await client.query(`set local lock_timeout = ${LOCK_MS}`);
  await client.query(
    'create table if not exists _migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from _migrations',
  );
  for (const migration of pending(migrations, rows, schema)) {
    if (migration.isConcurrent) return migration;
    await client.query(withoutTimeout(migration.text));
    await client.query('insert into _migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
  }
  return undefined;
}

/** Creates the schema and locks it until the transaction ends, without a statement timeout. */
export async function lockSchema(client: pg.PoolClient, schema: string): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await client.query(
    withoutTimeout(`select pg_advisory_xact_lock(hashtext('arboleda'), hashtext($1))`, [schema]),
  );
  await client.query(`create schema if not exists ${identifier(schema)}`);
  await client.query(`set local search_path to ${identifier(schema)}`);
}
