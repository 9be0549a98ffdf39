import { once } from 'node:events';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Frame, type Header, type TableSum, toFrame } from './format.ts';

/** Published events leave the outbox, and waiting ones are copied as events. Rate limits start again. */
const NOT_COPIED = ['_outbox', 'rate_limits'];
const FRAME_BYTES = 512 * 1024;

/** Text that does not depend on a server's or a client's settings. */
const PLAIN_TEXT = `
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1; set synchronize_seqscans = off;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/** A session that copies: it waits as long as the server needs. */
export async function openSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'arboleda:backup',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // Ends the query in progress with an error of its own.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(PLAIN_TEXT);
  return client;
}

interface Table {
  /** Qualified and quoted. */
  name: string;
  /** Quoted, without generated ones. */
  columns: string;
}

/** The tables of a schema; a table comes after those that its foreign keys refer to. */
async function tablesOf(client: pg.Client, schema: string, without: readonly string[]): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and n.nspname = $1 and c.relname <> all($2)
     group by n.nspname, c.relname order by 1`,
    [schema, without],
  );
  const { rows: keys } = await client.query<{ child: string; parent: string }>(
    `select distinct format('%I.%I', n.nspname, c.relname) as child, format('%I.%I', pn.nspname, p.relname) as parent
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
     where k.contype = 'f' and k.conrelid <> k.confrelid and n.nspname = $1`,
    [schema],
  );
  const sorted: Table[] = [];
  while (sorted.length < tables.length) {
    const isPlaced = (name: string) => sorted.some((table) => table.name === name);
    const next = tables.filter(
      ({ name }) => !isPlaced(name) && keys.every(({ child, parent }) => child !== name || isPlaced(parent)),
    );
    if (next.length === 0) throw new Error(`foreign keys of ${schema} refer to each other in a circle`);
    sorted.push(...next);
  }
  return sorted;
}

/** The indexes of some tables that no constraint needs. @param tables qualified and quoted, as the names of the result are */
async function indexesOf(client: pg.Client, tables: readonly string[]) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [tables],
  );
  return rows;
}

/** The server's own sum of a table: equal for equal rows, in any order and on any server. */
async function sumOf(client: pg.Client, { name, columns }: Table): Promise<TableSum> {
  const { rows } = await client.query<TableSum>(
    `select count(*)::int as rows,
       coalesce(sum(('x' || left(md5(row(${columns})::text), 16))::bit(64)::bigint::numeric), 0)::text as sum from ${name}`,
  );
  return rows[0]!;
}

/** All rows of a service's schema and its sequences, as the session's transaction sees them. */
export async function* copyRows(
  client: pg.Client,
  schema: string,
  { without = [] }: { without?: readonly string[] } = {},
): AsyncGenerator<Buffer> {
  for (const table of await tablesOf(client, schema, [...NOT_COPIED, ...without])) {
    const { name, columns } = table;
    const rows = client.query(copyTo(`copy ${name} (${columns}) to stdout`));
    for await (const bytes of inPieces(rows)) yield toFrame({ kind: 'rows', table: name, columns }, bytes);
    const sum = await sumOf(client, table);
    if (rows.rowCount !== sum.rows)
      throw new Error(`the server holds ${sum.rows} rows of ${name} and gave ${rows.rowCount}`);
    yield toFrame({ kind: 'table', table: name, ...sum });
  }
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
     where schemaname = $1 and sequencename <> '_outbox_seq_seq' and last_value is not null order by 1`,
    [schema],
  );
  for (const sequence of sequences) yield toFrame({ kind: 'sequence', ...sequence });
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < FRAME_BYTES) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Writes rows of one service into tables that are as its migrations leave them. */
export interface RowWriter {
  /** @returns false for frames of another kind. @throws when what the server holds is not what was copied */
  take(frame: Frame): Promise<boolean>;
}

/**
 * Deletes what migrations put into the tables. Triggers do nothing meanwhile, foreign keys are checked, and indexes are
 * made once all rows are there, which takes a fraction of the time.
 * @param client in a transaction
 */
export async function openRowWriter(
  client: pg.Client,
  schema: string,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<RowWriter & { end(): Promise<void> }> {
  const tables = await tablesOf(client, schema, [...NOT_COPIED, ...without]);
  const names = tables.map(({ name }) => name);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')}`);
  const indexes = await indexesOf(client, names);
  if (indexes.length > 0) await client.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
  let open: { table: string; copying: ReturnType<typeof copyFrom> } | undefined;
  const close = async () => {
    if (!open) return;
    const { copying } = open;
    open = undefined;
    const finished = once(copying, 'finish');
    copying.end();
    await finished;
  };
  const begin = async ({ table, columns }: Header & { kind: 'rows' }) => {
    await close();
    const copying = client.query(copyFrom(`copy ${table} (${columns}) from stdin`));
    // The next write or the end throws it.
    copying.on('error', () => undefined);
    return (open = { table, copying });
  };
  return {
    async take({ header, bytes }) {
      if (header.kind === 'rows') {
        const { copying } = open?.table === header.table ? open : await begin(header);
        await new Promise<void>((resolve, reject) =>
          copying.write(bytes, (error) => (error ? reject(error) : resolve())),
        );
      } else if (header.kind === 'table') {
        await close();
        const table = tables.find(({ name }) => name === header.table);
        if (!table) throw new Error(`there is no table ${header.table}`);
        const held = await sumOf(client, table);
        if (held.rows !== header.rows || held.sum !== header.sum)
          throw new Error(`${header.table} is not as it was copied: ${held.rows} of ${header.rows} rows`);
      } else if (header.kind === 'sequence') {
        await client.query('select setval($1, $2::bigint, true)', [header.name, header.last]);
      } else return false;
      return true;
    },
    async end() {
      await close();
      for (const { definition } of indexes) await client.query(definition);
      for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    },
  };
}
