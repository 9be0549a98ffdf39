import type pg from 'pg';
import type { CollectionDefinition } from '../../../ports/documents.ts';
import { indexConcurrently } from '../sql/concurrently.ts';
import { lockSchema, LOCK_MS, whenFree } from '../sql/migrate.ts';
import { inTransaction } from '../sql/pool.ts';
import { dropText, type KeptTable, registryOf } from './kept.ts';
import { listsOf } from './list-tables.ts';
import { talliesOf } from './tallies.ts';

/**
 * What no version that started for so long wants any more goes. Versions beside this one, and the one to go back to, have
 * tables of their own; where one is gone after all, documents are asked.
 */
const UNWANTED_FOR = '30 days';

/**
 * Makes the tables that are kept beside a collection whose own is there. They are kept from the moment their triggers are there;
 * what was written before is added afterwards, while others read and write. Replicas that start together take turns.
 */
export async function createKeptTables(
  pool: pg.Pool,
  schema: string,
  definition: CollectionDefinition,
): Promise<void> {
  const wanted = [...talliesOf(schema, definition), ...listsOf(schema, definition)];
  const alone = <T>(run: (client: pg.ClientBase) => Promise<T>): Promise<T> =>
    whenFree(() =>
      inTransaction(pool, async (client) => {
        await lockSchema(client, schema);
        await client.query(`set local lock_timeout = ${LOCK_MS}`);
        return run(client);
      }),
    );
  await alone((client) => createMissing(client, schema, definition.name, wanted));
  for (const table of wanted) {
    let isFilled = false;
    while (!isFilled) isFilled = await alone((client) => fillMore(client, schema, table));
    for (const index of table.concurrently ?? []) await indexConcurrently(pool, schema, index);
  }
}

async function createMissing(
  client: pg.ClientBase,
  schema: string,
  collection: string,
  wanted: readonly KeptTable[],
): Promise<void> {
  const registry = registryOf(schema);
  await client.query(`
    create table if not exists ${registry} (
      name text primary key,
      collection text not null,
      is_filled boolean not null default false,
      wanted_at timestamptz not null default now()
    );
    alter table ${registry} add column if not exists filled_to text`);
  const { rows } = await client.query<{ name: string; isUnwanted: boolean }>(
    `select name, wanted_at < now() - interval '${UNWANTED_FOR}' as "isUnwanted" from ${registry} where collection = $1`,
    [collection],
  );
  for (const { name, create } of wanted) {
    if (!rows.some((row) => row.name === name)) await client.query(create);
    await client.query(
      `insert into ${registry} (name, collection) values ($1, $2)
       on conflict (name) do update set wanted_at = now()`,
      [name, collection],
    );
  }
  for (const { name, isUnwanted } of rows) {
    if (!isUnwanted || wanted.some((table) => table.name === name)) continue;
    await client.query(dropText(schema, name));
    await client.query(`delete from ${registry} where name = $1`, [name]);
  }
}

/** @returns whether it is filled */
async function fillMore(client: pg.ClientBase, schema: string, { name, fill }: KeptTable): Promise<boolean> {
  const isFilled = async () => {
    const { rows } = await client.query(`select from ${registryOf(schema)} where name = $1 and is_filled`, [
      name,
    ]);
    return rows.length > 0;
  };
  if (await isFilled()) return true;
  await client.query(fill);
  return isFilled();
}
