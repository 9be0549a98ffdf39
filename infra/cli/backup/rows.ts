import { checkEnding, type Counts, endingOf, linesOf, readFrames } from '@arboleda/chassis/backup/format.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Fault } from '../terminal/command.ts';
import type { Compose } from '../compose.ts';
import { type Manifest, recording } from './files.ts';

/** Contents of tables: the sum is equal only for equal rows, in any order. */
type Tables = Map<string, { rows: number; sum: bigint }>;

const COPY = /^COPY (\S+) .*FROM stdin;$/;
/** The server's own count after a table's rows, and the last line. */
const COUNT = /^-- (\d+) rows of (.+)$/;
const END = '-- end';

/** Reads rows between the lines "COPY … FROM stdin;" and "\.". */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ tables: Tables; isComplete: boolean }> {
  const tables: Tables = new Map();
  let current: { rows: number; sum: bigint } | undefined;
  let isComplete = false;
  for await (const line of linesOf(chunks)) {
    if (current === undefined) {
      const name = COPY.exec(line)?.[1];
      const [, counted, of = ''] = COUNT.exec(line) ?? [];
      if (name !== undefined) tables.set(name, (current = { rows: 0, sum: 0n }));
      else if (counted !== undefined) checkCount(of, Number(counted), tables.get(of)?.rows ?? 0);
      isComplete ||= line === END;
    } else if (line === '\\.') {
      current = undefined;
    } else {
      current.rows++;
      current.sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`);
    }
  }
  return { tables, isComplete };
}

function checkCount(table: string, held: number, came: number): void {
  if (held !== came) throw new Error(`the server holds ${held} rows of ${table}, and ${came} came`);
}

/** @returns the tables that differ */
export const differing = (one: Tables, other: Tables): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name)?.rows !== other.get(name)?.rows || one.get(name)?.sum !== other.get(name)?.sum,
  );

/** Counts by collection. @throws when the file is incomplete */
export async function documentsIn(file: string): Promise<Counts> {
  const counts: Counts = {};
  let ending: Counts | undefined;
  let current = '';
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"document":')) counts[current]!++;
    else if (line.startsWith('{"collection":')) {
      current = (JSON.parse(line) as { collection: string }).collection;
      counts[current] = 0;
    } else ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the documents', ending, counts);
  return counts;
}

/** @throws when the file is incomplete */
export async function objectsIn(file: string): Promise<number> {
  let count = 0;
  for await (const _object of readFrames(createReadStream(file))) count++;
  return count;
}

/** @throws when the file is incomplete */
export async function messagesIn(file: string): Promise<number> {
  let messages = 0;
  let ending: Counts | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"topic":')) messages++;
    else if (line.startsWith('{"end":')) ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the events', ending, { messages });
  return messages;
}

const PSQL =
  'exec --no-TTY postgres psql --username postgres --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1';
const psql = (database: string): string[] => [...PSQL.split(' '), '--dbname', database];

const TABLES = `
  select format('%I.%I (%s)', n.nspname, c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and n.nspname not in ('pg_catalog', 'information_schema')
  group by n.nspname, c.relname order by 1;`;

const SEQUENCES = `
  select format('select setval(%L, %s, true);', format('%I.%I', schemaname, sequencename), last_value)
  from pg_sequences where last_value is not null order by 1;`;

const nameOf = (table: string): string => table.slice(0, table.indexOf(' '));

/** Tables with their columns, without generated ones. */
const tablesOf = async (compose: Compose, database: string): Promise<string[]> =>
  (await compose.run(psql(database), TABLES)).split('\n').filter(Boolean);

/**
 * A psql command that prints all rows at one instant, with the server's count of each table. The schema is left to migrations.
 * COPY is used because pg_dump must be at least as new as the server, and may be missing.
 */
export async function dumpCommand(
  compose: Compose,
  database: string,
): Promise<[args: string[], input: string]> {
  const copies = (await tablesOf(compose, database)).map((table) => {
    const name = nameOf(table);
    return `select 'COPY ${table} FROM stdin;';\ncopy ${table} to stdout;\nselect '\\.';\nselect format('-- %s rows of %s', count(*), '${name}') from ${name};\n`;
  });
  const input = `begin isolation level repeatable read read only;\nset statement_timeout = 0;\n${copies.join('')}${SEQUENCES}\nselect '${END}';\ncommit;\n`;
  return [psql(database), input];
}

export const recordBackup = async (compose: Compose, database: string, manifest: Manifest): Promise<void> =>
  void (await compose.run(psql(database), recording(manifest)));

/** The current contents of a database. */
export async function rowsOfDatabase(compose: Compose, database: string): Promise<Tables> {
  const [args, input] = await dumpCommand(compose, database);
  return (await compose.stream(args, [input], readRows)).tables;
}

/** @throws when the file is incomplete */
export async function rowsOfDump(file: string): Promise<Tables> {
  const { tables, isComplete } = await readRows(createReadStream(file));
  if (!isComplete) throw new Error('the rows break off: their last line is missing');
  return tables;
}

/** @throws Fault when it has any rows */
export async function requireEmptyDatabase(compose: Compose, database: string): Promise<void> {
  const [table] = await tablesOf(compose, database);
  if (table)
    throw new Fault(
      `The database ${database} is not empty: docker compose down --volumes deletes what is there.`,
    );
}

/**
 * Restores rows into tables created by migrations, without triggers and foreign keys, so that they stay unchanged.
 * @throws Fault when the migrations differ from those of the backup
 */
export async function restoreDatabase(compose: Compose, database: string, file: string): Promise<void> {
  const tables = [...(await rowsOfDump(file)).keys()];
  const here = new Set((await tablesOf(compose, database)).map(nameOf));
  const theirs = await migrationsOfDump(file);
  const ours = await compose.run(psql(database), `select name from ${database}._migrations order by name;`);
  if (tables.some((table) => !here.has(table)) || theirs.join('\n') !== ours.trim())
    throw new Fault(
      `${database} was backed up by another version: restore it with that one, then bring it up to date.`,
    );
  const sql = async function* () {
    yield `set statement_timeout = 0;\nset session_replication_role = replica;\ntruncate ${tables.join(', ')};\n`;
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  };
  await compose.stream([...psql(database), '--single-transaction', '--file=-'], sql(), text);
}

async function migrationsOfDump(file: string): Promise<string[]> {
  const names: string[] = [];
  let inside = false;
  for await (const line of linesOf(createReadStream(file))) {
    if (/^COPY (?!chassis\.)\w+\._migrations /.test(line)) inside = true;
    else if (line === '\\.') inside = false;
    else if (inside) names.push(line.split('\t')[0]!);
  }
  return names.sort();
}
