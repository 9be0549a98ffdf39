import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDataDir, startProduct } from '../../harness/product.ts';
import { settled } from '../../harness/settled.ts';

/** A line of PostgreSQL's log for each statement, simple or prepared. */
const STATEMENT = /LOG: {2}(statement|execute [^:]*):/g;

/**
 * Statements a second of `npm start` when nobody asks for anything. It runs its own PostgreSQL, whose log counts them: with a
 * database that several processes share, the product looks for events of the others more often.
 */
export async function statementsAtRest(seconds: number): Promise<number> {
  const data = await openDataDir();
  const product = await startProduct(data.path);
  const client = new pg.Client({ connectionString: product.databaseUrl });
  const counted = async (): Promise<number> =>
    (await readFile(join(data.path, 'logs', 'postgres.log'), 'utf8')).match(STATEMENT)?.length ?? 0;
  try {
    await client.connect();
    await settled(async (text, values) => (await client.query(text, values as unknown[])).rows);
    await client.query(`alter system set log_statement = 'all'`);
    await client.query('select pg_reload_conf()');
    const before = await counted();
    await sleep(seconds * 1000);
    return ((await counted()) - before) / seconds;
  } finally {
    await client.end();
    await product.stop();
    await data.remove();
  }
}
