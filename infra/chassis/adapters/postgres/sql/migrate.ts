import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { identifier, inTransaction, withoutTimeout } from './pool.ts';

/** A numbered migration file of a service. */
interface Migration {
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

function toMigration(name: string, text: string): Migration {
  const checksum = createHash('sha256').update(text).digest('hex');
  return { name, text, checksum, isConcurrent: text.startsWith(`${CONCURRENT}\n`) };
}

/** @throws when the files are not numbered from 001 without a gap */
async function readMigrations(folder: URL): Promise<Migration[]> {
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

/** Statements of a concurrent migration: each ends with a semicolon at the end of a line. */
const statementsOf = ({ text }: Pick<Migration, 'text'>): string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((part) => part.replaceAll(/^[ \t]*--.*$/gm, '').trim())
    .filter((statement) => statement !== '');

const ASK_EVERY_MS = 100;

/**
 * Runs a migration outside of a transaction, on one replica while the others wait. After a crash it starts over: it
 * drops invalid indexes first, which PostgreSQL maintains but never reads.
 */
const runConcurrently = (pool: pg.Pool, schema: string, migration: Migration): Promise<void> =>
  inTurn(pool, schema, async (client) => {
    if (await hasRun(client, schema, migration)) return;
    await client.query(`set search_path to ${identifier(schema)}`);
    await dropUnfinished(client, schema);
    for (const statement of statementsOf(migration)) await client.query(withoutTimeout(statement));
    await client.query(`insert into ${identifier(schema)}._migrations (name, checksum) values ($1, $2)`, [
      migration.name,
      migration.checksum,
    ]);
  });

async function inTurn(
  pool: pg.Pool,
  schema: string,
  run: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await takeTurn(client, schema);
    await run(client);
  } finally {
    // Closing the session releases the lock.
    client.release(true);
  }
}

/** Polls, because a statement waiting for a lock would block the index creation itself. */
async function takeTurn(client: pg.PoolClient, schema: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(hashtext('arboleda concurrently'), hashtext($1)) as taken`,
      [schema],
    );
    if (rows[0]!.taken) return;
    await pause(ASK_EVERY_MS);
  }
}

async function hasRun(client: pg.PoolClient, schema: string, { name }: Migration): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${identifier(schema)}._migrations where name = $1`, [
    name,
  ]);
  return rowCount === 1;
}

async function dropUnfinished(client: pg.PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     join pg_class on pg_class.oid = indexrelid
     join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = $1 and not indisvalid`,
    [schema],
  );
  for (const { name } of rows) await client.query(withoutTimeout(`drop index concurrently ${name}`));
}

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
const LOCK_MS = 300;
const PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Retries on a lock timeout: a statement that waits for a table's lock blocks all later ones.
 * @throws when the lock was not available for 90 s
 */
async function retryLockTimeout<T>(run: () => Promise<T>): Promise<T> {
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
