import pg from 'pg';

/** A connection to PostgreSQL that ends with its scope. */
export async function openDatabase(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
