import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { tablesOf } from '../everything.ts';

/** One line for each table or folder, equal only for equal contents. */
export type Fingerprint = Map<string, string>;

/** PostgreSQL sums its own rows, in an order of their own: no code of the product or of the back-up has a part in it. */
export async function ofTables(databaseUrl: string): Promise<Fingerprint> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const found: Fingerprint = new Map();
    for (const { schema, name } of await tablesOf(client)) {
      const { rows } = await client.query<{ n: number; sum: string }>(
        `select count(*)::int as n, coalesce(md5(string_agg(row, '' order by row)), '') as sum
         from (select md5(one::text) as row from "${schema}"."${name}" as one) as rows`,
      );
      found.set(`${schema}.${name}`, `${rows[0]!.n} rows ${rows[0]!.sum}`);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Each file's bytes. */
export async function ofFiles(folder: string): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(
      path.slice(folder.length + 1),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  }
  return found;
}

/** Tables that change while the product is idle: queues, leases, expiring counters, and the back-up that was just made. */
export const MOVES =
  /^(graphile_worker\.|chassis\.backups|payments\.reconcile[rd]_|payments\.reconciliations|(auth|orders)\.rate_limits|pricing\.rate_refreshes)/;

export interface Compared {
  same: number;
  rows: number;
  differences: string[];
}

/** @param moves names that need not be equal */
export function compare(before: Fingerprint, after: Fingerprint, moves: RegExp): Compared {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !moves.test(name)).sort();
  const differences = names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'not there'} became ${after.get(name) ?? 'nothing'}`);
  const rows = names.reduce((sum, name) => sum + (Number.parseInt(after.get(name) ?? '0', 10) || 0), 0);
  return { same: names.length - differences.length, rows, differences };
}
