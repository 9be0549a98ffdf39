import pg from 'pg';

/** A test whose database does not answer should say so, instead of running into its own limit. */
const CONNECT_WITHIN_MS = 60_000;

/** A connection to PostgreSQL that ends with its scope. */
export async function openDatabase(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
