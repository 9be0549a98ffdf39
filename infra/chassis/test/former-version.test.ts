import { describe, expect, test } from '@jest/globals';
import { runMigrations } from 'graphile-worker';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { EXCEPTIONS } from '../adapters/postgres/sql/lint/exceptions.ts';
import { migrationFolders } from '../adapters/postgres/sql/lint/folders.ts';
import { migrate } from '../adapters/postgres/sql/migrate.ts';
import { readMigrations } from '../adapters/postgres/sql/migration.ts';
import { createDatabase } from '../testing/database.ts';
import { readShapes } from '../testing/former-version/shape.ts';
import { goThrough, startFormerVersion } from '../testing/former-version/writer.ts';
import { waitFor } from '../testing/wait.ts';

const ROWS = 20;
const folders = await migrationFolders();

/** A database of its own, and a folder to which migrations are added one by one. */
async function withInstallation(
  schema: string,
  run: (parts: {
    pool: pg.Pool;
    client: pg.Client;
    url: string;
    folder: string;
    upgrade(): Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const database = await createDatabase('');
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const pool = new pg.Pool({ connectionString: database.url, max: 3 });
  const client = new pg.Client({ connectionString: database.url, options: `-c search_path=${schema}` });
  const upgrade = () => migrate(pool, schema, pathToFileURL(`${folder}/`));
  try {
    await client.connect();
    pool.on('error', () => undefined).on('connect', (one) => void one.on('error', () => undefined));
    await runMigrations({ pgPool: pool });
    await run({ pool, client, url: database.url, folder, upgrade });
  } finally {
    await client.end();
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

/** By which a table that was written anew is known. */
const filesOf = async (client: pg.Client, schema: string): Promise<Map<string, number>> => {
  const { rows } = await client.query<{ name: string; file: number }>(
    `select relname as name, pg_relation_filenode(oid) as file from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  return new Map(rows.map(({ name, file }) => [name, file]));
};

describe('while a migration runs, and afterwards, the version before reads and writes as ever', () => {
  test.each(folders)(
    '$name',
    async ({ name, folder: source }) => {
      await withInstallation(name, async ({ client, url, folder, upgrade }) => {
        for (const [at, migration] of (await readMigrations(source)).entries()) {
          await copyFile(new URL(migration.name, source), join(folder, migration.name));
          if (at === 0) {
            await upgrade();
            continue;
          }
          const shapes = await readShapes(client, name);
          const before = await filesOf(client, name);
          const former = await startFormerVersion(url, name, shapes);
          await waitFor(() => former.rounds() >= 1);
          await upgrade();
          const done = former.rounds();
          await waitFor(() => former.rounds() >= done + 2);
          await former.stop();
          for (let row = 0; row < ROWS; row++) await goThrough(client, shapes);
          const after = await filesOf(client, name);
          const rewritten = [...before].filter(([table, file]) => after.get(table) !== file);
          const mayRewrite = EXCEPTIONS.some(
            (one) => one.migration === `${name}/${migration.name}` && one.rule === 'rewrites the table',
          );
          if (!mayRewrite) expect(rewritten).toEqual([]);
        }
      });
    },
    120_000,
  );
});

describe('and it fails under one that', () => {
  const books = 'create table books (id text primary key, title text not null, pages int);';
  test.each([
    ['drops a column', 'alter table books drop column pages;', /column "pages"/],
    [
      'wants what it does not know',
      `alter table books add column kind text not null default 'print'; alter table books alter kind drop default;`,
      /"kind"/,
    ],
    ['renames a table', 'alter table books rename to volumes;', /"books" does not exist/],
    ['holds a table for long', `lock table books; select pg_sleep(3);`, /lock timeout/],
  ])('%s', async (_, text, failure) => {
    await withInstallation('shop', async ({ client, url, folder, upgrade }) => {
      await writeFile(join(folder, '001_books.sql'), books);
      await upgrade();
      const former = await startFormerVersion(url, 'shop', await readShapes(client, 'shop'));
      await waitFor(() => former.rounds() >= 1);
      await writeFile(join(folder, '002_worse.sql'), text);
      await upgrade();
      await expect(waitFor(() => former.rounds() === Infinity, 2_000)).rejects.toThrow(failure);
      await expect(former.stop()).rejects.toThrow(failure);
    });
  });
});

test('a migration waits for a transaction that takes its time, and nobody waits behind it', async () => {
  await withInstallation('shop', async ({ pool, client, folder, upgrade }) => {
    await writeFile(join(folder, '001_books.sql'), 'create table books (id text primary key);');
    await upgrade();
    await client.query(`begin; insert into books values ('slow')`);
    await writeFile(join(folder, '002_more.sql'), 'alter table books add column pages int;');
    let done = false;
    const upgraded = upgrade().then(() => (done = true));
    const writer = await pool.connect();
    const isWaiting = async () =>
      (await writer.query(`select from pg_locks where relation = 'shop.books'::regclass and not granted`))
        .rowCount === 1;
    await writer.query(`set lock_timeout = '5s'`);
    // It asks for the table, lets go, and asks again; who writes meanwhile is let in.
    for (let times = 0; times < 2; times++) {
      await waitFor(isWaiting);
      await writer.query('insert into shop.books values ($1)', [times]);
      await waitFor(async () => !(await isWaiting()));
    }
    writer.release();
    expect(done).toBe(false);
    await client.query('commit');
    await upgraded;
    expect((await client.query('select pages from books')).rowCount).toBe(3);
  });
});
