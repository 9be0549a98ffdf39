import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Migration, statementsOf } from './migration.ts';
import { identifier, withoutTimeout } from './pool.ts';

const ASK_EVERY_MS = 100;

/**
 * Runs a migration outside of a transaction, on one replica while the others wait. After a crash it starts over: it
 * drops invalid indexes first, which PostgreSQL maintains but never reads.
 */
export const runConcurrently = (pool: pg.Pool, schema: string, migration: Migration): Promise<void> =>
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
