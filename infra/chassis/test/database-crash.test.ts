import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Sql } from '../ports/sql.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { waitFor } from '../testing/wait.ts';

const NOTES = 400;
const NOTES_BETWEEN_CRASHES = 80;

/** A server of its own: the others' would end with it. Commits count as they do in production. */
let folder: string;
let server: TestPostgres;
let platform: TestPlatform;
let sql: Sql;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arboleda-crash-'));
  server = await startTestPostgres({ waitsForLog: true });
  platform = await openTestPlatform({ databaseUrl: server.url, onPostgres: true });
  const migrations = join(folder, 'migrations');
  await mkdir(migrations);
  await writeFile(join(migrations, '001_notes.sql'), 'create table notes (id text primary key);');
  sql = await platform.sql('crash', pathToFileURL(`${migrations}/`));
}, 60_000);
afterEach(async () => {
  await sql?.close();
  await platform?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** kill -9 of one backend: the server ends all others, forgets what it had not written, and begins anew. */
async function crash(): Promise<void> {
  const client = await connected();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await client.end().catch(() => undefined);
  await (await connected()).end();
}

/** As soon as the server takes somebody. */
const connected = () =>
  waitFor(async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  });

test('whatever was committed is told, and done, however the database crashes', async () => {
  const told = new Set<string>();
  const done = new Set<string>();
  await platform.bus.subscribe('reader', {
    'payment.failed': async ({ data }) => void told.add(data.orderId),
  });
  await platform
    .jobs('crash')
    .handle('note', async ({ id }) => void done.add(id as string), { concurrency: 4 });

  const committed: string[] = [];
  for (let number = 1; number <= NOTES; number++) {
    if (number % NOTES_BETWEEN_CRASHES === 0) await crash();
    const id = anOrderId();
    const wrote = await sql
      .transaction(async (tx) => {
        await tx.query('insert into notes values ($1)', [id]);
        await tx.publish([someNews(id)]);
        await tx.enqueue([{ name: 'note', payload: { id } }]);
      })
      .then(
        () => true,
        () => false,
      );
    if (wrote) committed.push(id);
  }
  // What failed while the server was away was refused to whoever asked for it.
  expect(committed.length).toBeGreaterThan(NOTES_BETWEEN_CRASHES);
  const missing = () => committed.filter((id) => !told.has(id) || !done.has(id));
  await waitFor(() => missing().length === 0, 30_000);
}, 90_000);
