import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { type Frame, readFrames, withEnding } from '../backup/format.ts';
import { openMoment } from '../backup/moment.ts';
import { copyRows, openRowWriter, openSession } from '../backup/rows.ts';
import { all } from '../testing/all.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';

const SCHEMA = `
  create schema shop;
  create table shop.orders (
    id bigint generated always as identity primary key, "Text" text, data jsonb, raw bytea, at timestamptz,
    words text not null generated always as (coalesce("Text", '') || '!') stored);
  create table shop.lines (id int primary key, of bigint references shop.orders, next int references shop.lines);
  create table shop.noted (what text);
  insert into shop.noted values ('made by a migration');
  create table shop._outbox (seq bigint generated always as identity primary key, event jsonb not null);
  create function shop.note() returns trigger language plpgsql as $$ begin insert into shop.noted values ('new'); return null; end $$;
  create trigger note after insert on shop.orders for each row execute function shop.note();`;
const ROWS = `
  insert into shop.orders ("Text", data, raw, at) values
    (E'tab\\tline\\nback\\\\slash \\\\. "quoted" \u2028 ñ', '{"a": [1, null, "x"]}', '\\x00ff', '2026-05-01T12:00:00.123456Z'),
    (null, null, null, 'infinity'), ('', '""', '', null);
  insert into shop.lines values (1, 3, null), (2, 1, 1); update shop.lines set next = 2 where id = 1;
  insert into shop._outbox (event) values ('{}');`;

const databases: TestDatabase[] = [];
const clients: pg.Client[] = [];

async function aDatabase(...sql: string[]): Promise<{ url: string; client: pg.Client }> {
  const database = await createTestDatabase();
  databases.push(database);
  const client = await openSession(database.url);
  clients.push(client);
  for (const one of sql) await client.query(one);
  return { url: database.url, client };
}

async function* each<T>(parts: readonly T[]) {
  yield* parts;
}

const framesOf = async (client: pg.Client): Promise<Frame[]> =>
  all(readFrames(withEnding(copyRows(client, 'shop'))));

async function restoreInto(client: pg.Client, frames: readonly Frame[]): Promise<void> {
  await client.query('begin');
  const writer = await openRowWriter(client, 'shop');
  for await (const frame of each(frames)) await writer.take(frame);
  await writer.end();
  await client.query('commit');
}

const rowsOf = async (client: pg.Client) =>
  (
    await client.query(
      'select o::text from shop.orders o union all select l::text from shop.lines l union all select n::text from shop.noted n',
    )
  ).rows;

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

test('rows come back unchanged whatever they contain, and sequences go on', async () => {
  const from = await aDatabase(SCHEMA, ROWS);
  const frames = await framesOf(from.client);
  const counts = frames.flatMap(({ header }) =>
    header.kind === 'table' ? [`${header.table} ${header.rows}`] : [],
  );
  // Parents come first, and what waits to be published is copied as events.
  expect(counts).toEqual(['shop.noted 4', 'shop.orders 3', 'shop.lines 2']);

  const to = await aDatabase(SCHEMA);
  await restoreInto(to.client, frames);
  expect(await rowsOf(to.client)).toEqual(await rowsOf(from.client));
  const next = await to.client.query(`insert into shop.orders ("Text") values ('next') returning id`);
  expect(next.rows).toEqual([{ id: '4' }]);
  // Triggers work again.
  expect((await to.client.query('select from shop.noted')).rowCount).toBe(5);
});

test('a table that the server holds otherwise than it was copied is named', async () => {
  const { client } = await aDatabase(SCHEMA, ROWS);
  const frames = await framesOf(client);
  const other = frames.map(({ header, bytes }) =>
    header.kind === 'table' && header.table === 'shop.lines'
      ? { header: { ...header, sum: '1' }, bytes }
      : { header, bytes },
  );
  const to = await aDatabase(SCHEMA);
  await expect(restoreInto(to.client, other)).rejects.toThrow('shop.lines is not as it was copied');
});

test('a row without the one that it refers to is refused', async () => {
  const { client } = await aDatabase(SCHEMA, ROWS);
  const frames = await framesOf(client);
  const isOfOrders = ({ header }: Frame) =>
    (header.kind === 'rows' || header.kind === 'table') && header.table === 'shop.orders';
  const to = await aDatabase(SCHEMA);
  await expect(
    restoreInto(
      to.client,
      frames.filter((frame) => !isOfOrders(frame)),
    ),
  ).rejects.toThrow('violates foreign key');
});

test('databases that are held together have their snapshots before anything else is decided', async () => {
  const [one, two] = [await aDatabase(SCHEMA), await aDatabase(SCHEMA)];
  const moments = await Promise.all([one, two].map(({ url }) => openMoment(url, 'shop')));
  const decide = (client: pg.Client, what: string) =>
    client.query(
      `with decided as (insert into shop.noted values ($1)) insert into shop._outbox (event) values ('{}')`,
      [what],
    );
  await decide(one.client, 'before');
  await Promise.all(moments.map((moment) => moment.hold()));
  const deciding = [decide(one.client, 'after'), decide(two.client, 'after')];
  const isWaiting = async () => {
    const { rowCount } = await moments[0]!.client.query(
      `select from pg_locks where not granted and relation is not null`,
    );
    return rowCount === 2;
  };
  while (!(await isWaiting())) await new Promise(setImmediate);
  await Promise.all(moments.map((moment) => moment.snapshot()));
  await Promise.all(moments.map((moment) => moment.held()));
  await Promise.all(moments.map((moment) => moment.release()));
  await expect(moments[0]!.held()).rejects.toThrow('could not be held');
  await Promise.all(deciding);
  const seen = await Promise.all(
    moments.map(async ({ client }) => (await client.query('select what from shop.noted')).rows),
  );
  expect(seen.map((rows) => rows.map(({ what }: { what: string }) => what))).toEqual([
    ['made by a migration', 'before'],
    ['made by a migration'],
  ]);
  await Promise.all(moments.map((moment) => moment.close()));
});
