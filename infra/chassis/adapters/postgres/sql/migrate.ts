import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationFault } from '../../../migration-fault.ts';
import {
  type AppliedMigration,
  compareMigrations,
  faultOf,
  type Migration,
  type MigrationSet,
  type MigrationState,
  readMigrations,
} from './migration-files.ts';
import { identifier, inTransaction, withoutTimeout } from './pool.ts';

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
const runConcurrently = (pool: pg.Pool, set: MigrationSet, migration: Migration): Promise<void> =>
  inTurn(pool, set.schema, async (client) => {
    if (await hasRun(client, set, migration)) return;
    await client.query(`set search_path to ${identifier(set.schema)}`);
    await dropUnfinished(client, set.schema);
    for (const statement of statementsOf(migration)) await client.query(withoutTimeout(statement));
    await record(client, set, migration);
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

const tableOf = ({ schema, table }: MigrationSet): string => `${identifier(schema)}.${table}`;

async function hasRun(client: pg.PoolClient, set: MigrationSet, { name }: Migration): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${tableOf(set)} where name = $1`, [name]);
  return rowCount === 1;
}

const record = (client: pg.PoolClient, set: MigrationSet, { name, checksum }: Migration) =>
  client.query(`insert into ${tableOf(set)} (name, checksum) values ($1, $2)`, [name, checksum]);

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
 * @param options.upTo runs these files only, to give an empty schema the tables that a backup was made of
 * @throws MigrationFault when a file fails, or one that ran before has changed or is missing; with the code of its cause
 */
export async function migrate(
  pool: pg.Pool,
  set: MigrationSet,
  { upTo }: { upTo?: readonly string[] } = {},
): Promise<void> {
  const all = await readMigrations(set);
  const unknown = upTo?.find((name) => !all.some((migration) => migration.name === name));
  if (unknown !== undefined)
    throw new MigrationFault(
      `${unknown} of ${set.schema} belongs to a newer version: restore with that one.`,
    );
  for (;;) {
    const next = await retryLockTimeout(() =>
      inTransaction(pool, (client) => runUntilConcurrent(client, set, all, upTo)),
    );
    if (!next) return;
    await runConcurrently(pool, set, next).catch(failed(set, next));
  }
}

/** Compares a database with the files of this version, and changes nothing. */
export async function inspectMigrations(
  database: Pick<pg.ClientBase, 'query'>,
  sets: readonly MigrationSet[],
): Promise<MigrationState[]> {
  const { rows: found } = await database.query<{ there: boolean }>(
    'select to_regclass(name) is not null as there from unnest($1::text[]) with ordinality as t(name, n) order by n',
    [sets.map(tableOf)],
  );
  const states: MigrationState[] = [];
  for (const [n, set] of sets.entries()) {
    const applied = found[n]!.there ? await readApplied(database, set) : [];
    states.push(compareMigrations(set.schema, await readMigrations(set), applied));
  }
  return states;
}

const readApplied = async (database: Pick<pg.ClientBase, 'query'>, set: MigrationSet) =>
  (await database.query<AppliedMigration>(`select name, checksum from ${tableOf(set)}`)).rows;

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
  set: MigrationSet,
  all: readonly Migration[],
  upTo?: readonly string[],
): Promise<Migration | undefined> {
  await lockSchema(client, set.schema);
  await client.query(`set local lock_timeout = ${LOCK_MS}`);
  await client.query(
    `create table if not exists ${set.table} (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const state = compareMigrations(set.schema, all, await readApplied(client, set));
  const fault = faultOf(state);
  if (fault) throw fault;
  const wanted = upTo ?? state.pending;
  for (const migration of all.filter(({ name }) => state.pending.includes(name) && wanted.includes(name))) {
    if (migration.isConcurrent) return migration;
    await client.query(withoutTimeout(migration.text)).catch(failed(set, migration));
    await record(client, set, migration);
  }
  return undefined;
}

/** Names the file that failed. */
const failed =
  ({ schema }: MigrationSet, { name }: Migration) =>
  (cause: Error): never => {
    throw new MigrationFault(
      `${name} could not change the data of ${schema}: ${cause.message}. ` +
        'The former version still opens it: go back to that one, and report this.',
      { cause },
    );
  };

/** Creates the schema and locks it until the transaction ends, without a statement timeout. */
async function lockSchema(client: pg.PoolClient, schema: string): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await client.query(
    withoutTimeout(`select pg_advisory_xact_lock(hashtext('arboleda'), hashtext($1))`, [schema]),
  );
  await client.query(`create schema if not exists ${identifier(schema)}`);
  await client.query(`set local search_path to ${identifier(schema)}`);
}
