import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { type Compose, openCompose } from '../../compose.ts';
import { writePrivately } from '../files.ts';
import {
  differing,
  dumpCommand,
  requireEmptyDatabase,
  restoreDatabase,
  rowsOfDatabase,
  rowsOfDump,
} from '../rows.ts';

const SCHEMA = `
  create schema shop;
  create table shop._migrations (name text primary key);
  insert into shop._migrations values ('001_first.sql');
  create table shop.orders (
    id bigint generated always as identity primary key, "Text" text, data jsonb, raw bytea, at timestamptz,
    words text not null generated always as (coalesce("Text", '') || '!') stored);
  create table shop.lines (id int primary key, of bigint references shop.orders, next int references shop.lines);
  create table shop.noted (what text);
  create function shop.note() returns trigger language plpgsql as $$ begin insert into shop.noted values ('new'); return null; end $$;
  create trigger note after insert on shop.orders for each row execute function shop.note();`;

const ROWS = `
  insert into shop.orders ("Text", data, raw, at) values
    (E'tab\\tline\\nback\\\\slash \\\\. "quoted" \u2028 ñ', '{"a": [1, null, "x"]}', '\\x00ff', '2026-05-01T12:00:00.123456Z'),
    (null, null, null, 'infinity'), ('', '""', '', null);
  insert into shop.lines values (1, 3, null), (2, 1, 1); update shop.lines set next = 2 where id = 1;`;

let container: StartedTestContainer;
let compose: Compose;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arboleda-sql-'));
  container = await new GenericContainer('postgres:18')
    .withEnvironment({ POSTGRES_PASSWORD: 'arboleda' })
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  // "exec --no-TTY postgres psql …" without docker compose.
  compose = openCompose(
    {},
    { command: (args) => ['docker', 'exec', '--interactive', container.getId(), ...args.slice(3)] },
  );
}, 120_000);
afterAll(async () => {
  await container?.stop();
  await rm(folder, { recursive: true, force: true });
});

const psql = (database: string, sql: string) =>
  compose.run(
    [
      'exec',
      '--no-TTY',
      'postgres',
      'psql',
      '-U',
      'postgres',
      '-AtqX',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      database,
    ],
    sql,
  );

test('restores rows unchanged whatever they contain, and continues sequences', async () => {
  await psql('postgres', 'create database shop;');
  await psql('shop', SCHEMA + ROWS);
  const file = join(folder, 'shop.sql');
  const [args, input] = await dumpCommand(compose, 'shop');
  await compose.stream(args, [input], (output) => writePrivately(file, output));
  const before = await rowsOfDump(file);
  expect(Object.fromEntries([...before].map(([name, { rows }]) => [name, rows]))).toEqual({
    'shop._migrations': 1,
    'shop.lines': 2,
    'shop.noted': 3,
    'shop.orders': 3,
  });
  expect(differing(before, await rowsOfDatabase(compose, 'shop'))).toEqual([]);
  await expect(requireEmptyDatabase(compose, 'shop')).rejects.toThrow('is not empty');
  const all = `select orders::text from shop.orders order by id; select lines::text from shop.lines order by id;`;
  const were = await psql('shop', all);

  await psql('postgres', 'drop database shop; create database shop;');
  await requireEmptyDatabase(compose, 'shop');
  await psql('shop', SCHEMA);
  await restoreDatabase(compose, 'shop', file);
  expect(differing(before, await rowsOfDatabase(compose, 'shop'))).toEqual([]);
  expect(await psql('shop', all)).toBe(were);
  expect(
    await psql(
      'shop',
      `insert into shop.orders ("Text") values ('next') returning id; select count(*) from shop.noted;`,
    ),
  ).toBe('4\n4\n');
  expect(differing(before, await rowsOfDatabase(compose, 'shop'))).toEqual(['shop.noted', 'shop.orders']);

  await psql('shop', `insert into shop._migrations values ('002_more.sql')`);
  await expect(restoreDatabase(compose, 'shop', file)).rejects.toThrow('another version');
  expect(await readFile(file, 'utf8')).not.toContain('words');
}, 60_000);
