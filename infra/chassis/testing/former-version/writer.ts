import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Column, Shape } from './shape.ts';

/** What a version waits for a lock before somebody notices. */
const LOCK_MS = 1_000;

type Row = Record<string, unknown>;

/** Uses all tables as a version does that knows them in these shapes, over and over. */
export interface FormerVersion {
  /** How often it has gone through all tables. @throws what failed, or waited for a lock for too long */
  rounds(): number;
  /** @throws what failed, or waited for a lock for too long. */
  stop(): Promise<void>;
}

export async function startFormerVersion(
  databaseUrl: string,
  schema: string,
  shapes: readonly Shape[],
): Promise<FormerVersion> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: `-c search_path=${schema} -c lock_timeout=${LOCK_MS}`,
  });
  await client.connect();
  let rounds = 0;
  let stopped = false;
  const working = (async () => {
    while (!stopped) {
      await goThrough(client, shapes);
      rounds++;
    }
  })();
  let failure: unknown;
  working.catch((error: unknown) => (failure = error));
  return {
    rounds() {
      if (failure !== undefined) throw failure;
      return rounds;
    },
    async stop() {
      stopped = true;
      await working.finally(() => client.end());
    },
  };
}

/** Adds rows, whole and with no more than must be there, reads, changes and removes them. */
export async function goThrough(client: pg.Client, shapes: readonly Shape[]): Promise<void> {
  const tables = shapes.filter(({ isView }) => !isView);
  const made = new Map<string, Row>();
  for (const shape of tables) {
    await remove(
      client,
      shape,
      await add(client, shape, made, ({ notNull, hasDefault }) => notNull && !hasDefault),
    );
    made.set(shape.name, await add(client, shape, made, () => true));
  }
  for (const { name, columns } of shapes)
    await client.query(`select ${columns.map(quoted).join(', ')} from "${name}" limit 5`);
  for (const shape of tables) await touch(client, shape, made.get(shape.name)!);
  for (const shape of tables.toReversed()) await remove(client, shape, made.get(shape.name)!);
}

async function add(
  client: pg.Client,
  { name, columns, primaryKey }: Shape,
  made: ReadonlyMap<string, Row>,
  isWanted: (column: Column) => boolean,
): Promise<Row> {
  const wanted = columns.filter((column) => !column.generated && isWanted(column));
  const values = wanted.map((column) => valueOf(column, name, made));
  // A table of one row has it already.
  const isOneRow = columns.some((column) => primaryKey.includes(column.name) && column.type === 'boolean');
  const { rows } = await client.query<Row>(
    `insert into "${name}" (${wanted.map(quoted).join(', ')})
     values (${wanted.map((_, at) => `$${at + 1}`).join(', ')}) ${isOneRow ? 'on conflict do nothing' : ''}
     returning ${columns.map(quoted).join(', ')}`,
    values,
  );
  return rows[0] ?? {};
}

async function touch(client: pg.Client, { name, columns, primaryKey }: Shape, row: Row): Promise<void> {
  const own = columns.filter((column) => !column.generated && !primaryKey.includes(column.name));
  if (own.length === 0 || primaryKey.length === 0) return;
  await client.query(
    `update "${name}" set ${own.map((column) => `${quoted(column)} = ${quoted(column)}`).join(', ')} where ${keyOf(primaryKey)}`,
    primaryKey.map((column) => row[column]),
  );
}

async function remove(client: pg.Client, { name, primaryKey }: Shape, row: Row): Promise<void> {
  if (primaryKey.length > 0 && Object.keys(row).length > 0)
    await client.query(`delete from "${name}" where ${keyOf(primaryKey)}`, primaryKey.map((column) => row[column])); // prettier-ignore
}

const quoted = ({ name }: Pick<Column, 'name'>): string => `"${name}"`;
const keyOf = (primaryKey: readonly string[]): string =>
  primaryKey.map((column, at) => `"${column}" = $${at + 1}`).join(' and ');

function valueOf(column: Column, table: string, made: ReadonlyMap<string, Row>): unknown {
  const { name, type, references, allowed, keys } = column;
  const some = `${table} ${name} ${randomUUID()}`;
  // Of a row of the same table nothing is known yet.
  if (references) return made.get(references.table)?.[references.column] ?? null;
  if (allowed !== undefined) return allowed;
  switch (type) {
    case 'text':
    case 'character varying':
      return some;
    case 'text[]':
      return [some];
    case 'json':
    case 'jsonb':
      return JSON.stringify(Object.fromEntries(keys.map((key) => [key, `${key} ${some}`])));
    case 'bytea':
      return Buffer.from(some);
    case 'uuid':
      return randomUUID();
    case 'boolean':
      return true;
    case 'integer':
    case 'bigint':
    case 'double precision':
      return 1;
    case 'date':
    case 'timestamp with time zone':
      return new Date();
    default:
      throw new Error(`${table}.${name}: no value of type ${type} is known`);
  }
}
