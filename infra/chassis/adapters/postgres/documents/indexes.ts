import type pg from 'pg';
import type { CollectionDefinition, FieldsIndex } from '../../../ports/documents.ts';
import { lockSchema } from '../sql/migrate.ts';
import { identifier, inTransaction } from '../sql/pool.ts';
import { allowSilence } from '../sql/silence.ts';
import { ordering, sortable } from './conditions.ts';

/** Marks an index as one of a definition, so that one that is no longer wanted can be told from the table's own. */
const MARK = 'arboleda ';

/** Makes the table of a collection. */
export async function createTable(
  pool: pg.Pool,
  schema: string,
  { name }: CollectionDefinition,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockSchema(client, schema);
    await client.query(`
      create table if not exists ${identifier(name)} (
        id text collate "C" primary key,
        version int not null,
        doc jsonb not null,
        consumed text[] not null default '{}'
      )`);
  });
}

/** Makes indexes as they are defined; those that changed are made anew, those left out are dropped. Lists have tables. */
export async function createIndexes(
  pool: pg.Pool,
  schema: string,
  definition: CollectionDefinition,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockSchema(client, schema);
    // An index of a million documents takes longer than any other statement may.
    allowSilence(client);
    await client.query('set local statement_timeout = 0');
    const table = identifier(definition.name);
    const { rows } = await client.query<{ name: string; comment: string }>(
      `select c.relname as name, obj_description(c.oid, 'pg_class') as comment
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = $1::regclass and obj_description(c.oid, 'pg_class') like $2`,
      [table, `${MARK}%`],
    );
    const present = new Map(rows.map((row) => [row.name, row.comment]));
    const wanted = new Map(
      definition.indexes.flatMap((index) =>
        'list' in index
          ? []
          : [[indexName(definition.name, index.name), compileIndex(table, index)] as const],
      ),
    );
    for (const [name, comment] of present) {
      if (comment !== MARK + wanted.get(name)) await client.query(`drop index ${identifier(name)}`);
    }
    for (const [name, text] of wanted) {
      if (present.get(name) === MARK + text) continue;
      const unique = text.startsWith('unique ');
      await client.query(
        `create ${unique ? 'unique ' : ''}index ${identifier(name)} ${text.slice(unique ? 7 : 0)}`,
      );
      await client.query(`comment on index ${identifier(name)} is '${(MARK + text).replaceAll("'", "''")}'`);
    }
  });
}

const indexName = (collection: string, index: string) =>
  `${collection}_${index.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()}_index`;

/** The defined name of the index that PostgreSQL names in an error. */
export const definedName = (definition: CollectionDefinition, constraint: string | undefined) =>
  definition.indexes.find((index) => indexName(definition.name, index.name) === constraint)?.name;

/** Documents that lack a field of a unique index are not held against each other. */
function compileIndex(table: string, index: FieldsIndex): string {
  if (index.unique && Object.keys(index.fields).length !== 1)
    throw new Error(`unique index ${index.name} must be on one field`);
  const fields = Object.entries(index.fields).map(
    ([field, direction]) => `(${sortable(field)}) ${ordering(direction)}`,
  );
  return `${index.unique ? 'unique ' : ''}on ${table} (${fields.join(', ')})`;
}
