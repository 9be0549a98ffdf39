import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import { recordingOutlet } from '../conformance/documents-kit.ts';
import type { Sql } from '../ports/sql.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';

const HEIGHTS = 'select name, height from trees';

let database: TestDatabase;
let folder: string;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(
    join(folder, '001_trees.sql'),
    `create table trees (name text primary key, height int not null); insert into trees values ('ceiba', 7)`,
  );
  sql = await openSql({
    ...recordingOutlet().outlet,
    databaseUrl: database.url,
    service: 'forest',
    migrations: pathToFileURL(`${folder}/`),
    logger: pino({ level: 'silent' }),
    keepsCauses: true,
  });
});
afterAll(async () => {
  await sql.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const asked = () => sql.transaction(async (tx) => (await tx.query(HEIGHTS)).rows);
const planned = async () =>
  (await sql.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')).rows[0]!.n;

test('what a transaction asks is planned once for its connection', async () => {
  await asked();
  const before = await planned();
  await asked();
  expect(before).toBeGreaterThan(0);
  expect(await planned()).toBe(before);
});

test('a transaction begins anew on another connection when a table is not as it was planned for', async () => {
  expect(await asked()).toEqual([{ name: 'ceiba', height: 7 }]);
  await sql.query('alter table trees alter column height type text');
  expect(await asked()).toEqual([{ name: 'ceiba', height: '7' }]);
});

test('a question outside of one fails once at most', async () => {
  await sql.prepared(HEIGHTS);
  await sql.query('alter table trees alter column height type int using height::int');
  await sql.prepared(HEIGHTS).catch(() => undefined);
  expect((await sql.prepared(HEIGHTS)).rows).toEqual([{ name: 'ceiba', height: 7 }]);
});
