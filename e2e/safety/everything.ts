import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../harness/database.ts';

/** Where a word was found: "orders.orders (2)", "logs/arboleda.log". */
type Find = string;

/**
 * Looks for words in all that an installation of one machine keeps: each row of each table of each schema, as
 * PostgreSQL itself writes it, and each file beside the database. It knows nothing of what services keep where.
 */
export async function findEverywhere(
  at: { databaseUrl: string; dataDir: string },
  words: readonly string[],
): Promise<Find[]> {
  return [...(await inTables(at.databaseUrl, words)), ...(await inFiles(at.dataDir, words))];
}

async function inTables(databaseUrl: string, words: readonly string[]): Promise<Find[]> {
  await using database = await openDatabase(databaseUrl);
  const tables = await database.query<{ name: string; quoted: string }>(
    `select table_schema || '.' || table_name as name, format('%I.%I', table_schema, table_name) as quoted
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const finds: Find[] = [];
  for (const { name, quoted } of tables.rows) {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from ${quoted} as one where exists (
         select from unnest($1::text[]) as word where position(lower(word) in lower(one::text)) > 0)`,
      [words],
    );
    if (rows[0]!.n > 0) finds.push(`${name} (${rows[0]!.n})`);
  }
  return finds;
}

/** PostgreSQL's own files are looked at through PostgreSQL. */
const NOT_READ = /^postgres(\/|$)/;

async function inFiles(dataDir: string, words: readonly string[]): Promise<Find[]> {
  const wanted = words.map((word) => word.toLowerCase());
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const finds: Find[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dataDir.length + 1);
    if (!entry.isFile() || NOT_READ.test(name)) continue;
    const text = `${name}\n${(await readFile(path)).toString('latin1')}`.toLowerCase();
    if (wanted.some((word) => text.includes(Buffer.from(word).toString('latin1')))) finds.push(name);
  }
  return finds.sort();
}
