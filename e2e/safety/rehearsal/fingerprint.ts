import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One line for each table or folder, equal only for equal contents. */
export type Fingerprint = Map<string, string>;

/** Asks a database. @returns a line for each row, with "|" between its columns */
export type Ask = (sql: string) => Promise<string[]>;

export const askNumber = async (ask: Ask, sql: string): Promise<number> => Number((await ask(sql))[0]);

const TABLES = `select format('%I.%I', table_schema, table_name) from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`;
const sumOf = (table: string) =>
  `select '${table}', count(*) || ' rows ' || coalesce(md5(string_agg(row, '' order by row)), '') || ' ' ||
     (select count(*) || ' indexes ' || coalesce(md5(string_agg(indexdef, '' order by indexdef collate "C")), '')
      from pg_indexes where format('%I.%I', schemaname, tablename) = '${table}')
   from (select md5(one::text) as row from ${table} as one) as rows`;

/** PostgreSQL sums its own rows and indexes, in an order of their own: no code of the product or of the backup has a part in it. */
export async function ofTables(ask: Ask): Promise<Fingerprint> {
  const tables = await ask(TABLES);
  const sums = await ask(tables.map(sumOf).join(' union all '));
  return new Map(sums.map((line) => line.replaceAll('"', '').split('|') as [string, string]));
}

/** Each file's bytes. */
export async function ofFiles(folder: string): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(folder.length + 1), hashOf(await readFile(path)));
  }
  return found;
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Tables that change while the product is idle: queues, leases, expiring counters, when chassis tables were made, and the backup that was just made. In
 * containers the name of the database comes first.
 */
export const MOVES =
  /^(\w+\.)?(graphile_worker\.|chassis\.backups|chassis\._migrations|payments\.reconcile[rd]_|payments\.reconciliations|(auth|orders)\.rate_limits|pricing\.rate_refreshes)/;

export interface Compared {
  same: number;
  rows: number;
  differences: string[];
}

/** @param moves names that need not be equal */
export function compare(before: Fingerprint, after: Fingerprint, moves?: RegExp): Compared {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !moves?.test(name)).sort();
  const differences = names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'not there'} became ${after.get(name) ?? 'nothing'}`);
  const rows = names.reduce((sum, name) => sum + (Number.parseInt(after.get(name) ?? '0', 10) || 0), 0);
  return { same: names.length - differences.length, rows, differences };
}
