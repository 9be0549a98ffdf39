import type pg from 'pg';
import type { CollectionDefinition } from '../../../ports/documents.ts';
import { lockSchema, LOCK_MS, whenFree } from '../sql/migrate.ts';
import { inTransaction } from '../sql/pool.ts';
import { dropText, type KeptTally, registryOf, talliesOf } from './tallies.ts';

/**
 * What no version that started for so long wants any more goes. Versions beside this one, and the one to go back to, have
 * tallies of their own; where one is gone after all, documents are counted.
 */
const UNWANTED_FOR = '30 days';

/**
 * Makes the tallies of a collection whose table is there. They are kept from the moment their triggers are there; what was
 * written before is added afterwards, while others read and write. Replicas that start together wait for each other.
 */
export async function createTallies(
  pool: pg.Pool,
  schema: string,
  definition: CollectionDefinition,
): Promise<void> {
  const wanted = talliesOf(schema, definition);
  await whenFree(() =>
    inTransaction(pool, async (client) => {
      await lockSchema(client, schema);
      await client.query(`set local lock_timeout = ${LOCK_MS}`);
      await createMissing(client, schema, definition.name, wanted);
    }),
  );
  for (const tally of wanted) {
    await inTransaction(pool, async (client) => {
      await lockSchema(client, schema);
      await fillWhenNew(client, schema, tally);
    });
  }
}

async function createMissing(
  client: pg.ClientBase,
  schema: string,
  collection: string,
  wanted: readonly KeptTally[],
): Promise<void> {
  const registry = registryOf(schema);
  await client.query(`
    create table if not exists ${registry} (
      name text primary key,
      collection text not null,
      is_filled boolean not null default false,
      wanted_at timestamptz not null default now()
    )`);
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
    if (!isUnwanted || wanted.some((tally) => tally.name === name)) continue;
    await client.query(dropText(schema, name));
    await client.query(`delete from ${registry} where name = $1`, [name]);
  }
}

async function fillWhenNew(client: pg.ClientBase, schema: string, { name, fill }: KeptTally): Promise<void> {
  const registry = registryOf(schema);
  const { rows } = await client.query(`select from ${registry} where name = $1 and not is_filled`, [name]);
  if (rows.length === 0) return;
  await client.query(fill);
  await client.query(`update ${registry} set is_filled = true where name = $1`, [name]);
}
