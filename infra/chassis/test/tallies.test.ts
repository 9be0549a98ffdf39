import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { openDocuments } from '../adapters/postgres/documents/documents.ts';
import { dropText } from '../adapters/postgres/documents/kept.ts';
import { talliesOf } from '../adapters/postgres/documents/tallies.ts';
import { createQueueSchema } from '../adapters/postgres/queue/schema.ts';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import { aName, put, recordingOutlet, type Tree } from '../conformance/documents-kit.ts';
import { BY_REGION, expectTold, someTree } from '../conformance/documents-tallies.ts';
import type { Collection, Documents, Tally } from '../ports/documents.ts';
import type { Sql } from '../ports/sql.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { type Chance, seeded } from '../testing/seeded.ts';
import { waitFor } from '../testing/wait.ts';

describe('tallies', () => {
  const logger = pino({ level: 'silent' });

  let database: TestDatabase;

  let pool: pg.Pool;

  let documents: Documents;

  const connect = () =>
    openDocuments({ ...recordingOutlet().outlet, pool, service: 'forest', logger, keepsCauses: true });

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.url, logger, { max: 12, name: 'test' });
    await createQueueSchema(pool, logger);
    documents = await connect();
  });

  afterAll(async () => {
    await documents.close();
    await pool.end();
    await database.drop();
  });

  const open = (name: string, ...tallies: Tally[]): Promise<Collection<Tree>> =>
    documents.collection<Tree>({ name, indexes: [], tallies });

  const keptOf = (name: string) => talliesOf('forest', { name, indexes: [], tallies: [BY_REGION] })[0]!;

  const numberOf = async (text: string): Promise<number> =>
    Number((await pool.query<{ n: string }>(`select (${text}) as n`)).rows[0]!.n);

  const rowsOf = (name: string, where = 'true') =>
    numberOf(`select count(*) from ${keptOf(name).table} where ${where}`);

  /** Makes the tally tell 100 more than there are. */
  const spoil = (name: string) =>
    pool.query(`insert into ${keptOf(name).table} (doc, n, sums) values ('{"planted": true}', 100, '{0}')`);

  async function aWood(trees = 30): Promise<{ name: string; trees: Collection<Tree>; chance: Chance }> {
    const name = aName();
    const chance = seeded(trees);
    const wood = await open(name, BY_REGION);
    for (let n = 0; n < trees; n++) await put(wood, someTree(chance));
    return { name, trees: wood, chance };
  }

  describe('a tally', () => {
    test('is what figures are read from, and only those that it can tell', async () => {
      const { name, trees } = await aWood();
      const [there, named] = [await trees.count(), await trees.count({ name: { exists: true } })];
      await spoil(name);
      expect(await trees.count()).toBe(there + 100);
      expect(await trees.count({ name: { exists: true } })).toBe(named);
    });

    test('follows what is deleted, emptied and rolled back, and tells null from missing', async () => {
      const { name, trees, chance } = await aWood();
      await put(trees, { _id: 'null', planted: null, height: 4 } as never, { _id: 'bare' });
      expect(await trees.count({ planted: { exists: true } })).toBe(
        await numberOf(`select count(*) from forest.${name} where doc ? 'planted'`),
      );
      await pool.query(`delete from forest.${name} where id in ('null', 'tree-1', 'tree-2', 'tree-3')`);
      await expectTold(trees);
      const client = await pool.connect();
      await client.query(
        `begin; update forest.${name} set doc = doc || '{"height": 1000}'; delete from forest.${name}`,
      );
      await expectTold(trees);
      await client.query('rollback');
      client.release();
      await expectTold(trees);
      await pool.query(`truncate forest.${name}`);
      expect(await trees.count()).toBe(0);
      await put(trees, someTree(chance));
      await expectTold(trees);
    });

    test('is put together by who writes much, and stays right', async () => {
      const { name, trees } = await aWood();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        const chance = seeded(100 + writer);
        for (let n = 0; n < 130; n++) await put(trees, someTree(chance, 20));
      });
      await Promise.all(writers);
      await waitFor(async () => (await rowsOf(name, 'is_folded')) > 0);
      expect(await rowsOf(name)).toBeLessThan(1_300);
      await expectTold(trees);
    });

    test('is put together by who reads it, once it has many rows', async () => {
      const { name, trees } = await aWood();
      await pool.query(
        `insert into forest.${name} (id, version, doc)
       select n::text, 1, jsonb_build_object('_id', n::text, 'height', n % 7) from generate_series(1, 12000) n`,
      );
      expect(await rowsOf(name)).toBeGreaterThan(12_000);
      await expectTold(trees);
      await waitFor(async () => (await rowsOf(name)) < 100);
      await expectTold(trees);
    });

    test('stays right while several put it together over and over', async () => {
      const { name, trees } = await aWood();
      const { fold } = keptOf(name);
      let written = false;
      const folding = Array.from({ length: 3 }, async () => {
        while (!written) await pool.query(fold);
      });
      const total = () =>
        numberOf(`select (select sum(n) from ${keptOf(name).table}) - (select count(*) from forest.${name})`);
      const watching = (async () => {
        while (!written) expect(await total()).toBe(0);
      })();
      await Promise.all(
        Array.from({ length: 4 }, async (_, writer) => {
          const chance = seeded(200 + writer);
          for (let n = 0; n < 150; n++) await put(trees, someTree(chance, 20));
        }),
      );
      written = true;
      await Promise.all([...folding, watching]);
      await expectTold(trees);
      await pool.query(fold);
      expect(await rowsOf(name, 'not is_folded')).toBe(0);
      await expectTold(trees);
    });

    test('keeps a sum that is left when what it counts comes to nothing', async () => {
      const { name, trees } = await aWood(0);
      await put(trees, { _id: 'a', height: 1 });
      await pool.query(keptOf(name).fold);
      await put(trees, { _id: 'a', height: 5 });
      // Another one that puts together at the same time does not see the row that is whole.
      const whole = await pool.query(
        `delete from ${keptOf(name).table} where is_folded returning doc, n, sums`,
      );
      await pool.query(keptOf(name).fold);
      const { doc, n, sums } = whole.rows[0]!;
      await pool.query(`insert into ${keptOf(name).table} values ($1, $2, $3, true)`, [doc, n, sums]);
      await expectTold(trees);
    });
  });

  describe('a tally that is new', () => {
    const MANY = 30_000;

    test('is filled while others write, who wait for nobody', async () => {
      const name = aName();
      await open(name);
      await pool.query(
        `insert into forest.${name} (id, version, doc)
       select 'tree-' || n, 1, jsonb_build_object('_id', 'tree-' || n, 'height', n % 9, 'planted', n % 2 = 0,
         'place', jsonb_build_object('region', 'region ' || n % 5)) from generate_series(1, ${MANY}) n`,
      );
      let opened = false;
      let written = 0;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        const chance = seeded(300 + writer);
        const client = await pool.connect();
        await client.query(`set lock_timeout = '1s'`);
        while (!opened) {
          const { _id, ...rest } = someTree(chance, MANY);
          await client.query(
            `insert into forest.${name} (id, version, doc) values ($1, 1, $2)
           on conflict (id) do update set doc = excluded.doc`,
            [_id, { _id, ...rest }],
          );
          written++;
        }
        client.release(true);
      });
      const trees = await open(name, BY_REGION);
      opened = true;
      await Promise.all(writers);
      expect(written).toBeGreaterThan(10);
      await expectTold(trees);
    });

    test('is not asked until it is filled, and mended when somebody wants it filled again', async () => {
      const { name, trees } = await aWood();
      await spoil(name);
      await pool.query(`update forest._tallies set is_filled = false where name = $1`, [keptOf(name).name]);
      await expectTold(trees);
      const again = await open(name, BY_REGION);
      await expectTold(again);
      await expectTold(trees);
      await spoil(name);
      await expect(expectTold(trees)).rejects.toThrow();
    });
  });

  describe('a tally beside other versions', () => {
    test('stays where it is, and is kept up to date by those that do not know it', async () => {
      const { name, trees, chance } = await aWood();
      const former = await open(name);
      for (let n = 0; n < 20; n++) await put(former, someTree(chance));
      await spoil(name);
      expect(await trees.count()).toBe((await former.count()) + 100);
    });

    test('is done without when it is gone, and made anew by the next start', async () => {
      const { name, trees, chance } = await aWood();
      await pool.query(dropText('forest', keptOf(name).name));
      await pool.query(`delete from forest._tallies where name = $1`, [keptOf(name).name]);
      await expectTold(trees);
      await put(trees, someTree(chance));
      await expectTold(trees);
      const again = await open(name, BY_REGION);
      await spoil(name);
      expect(await again.count()).toBe((await again.find({})).length + 100);
    });

    test('goes when no version has wanted it for long, and writes go on', async () => {
      const { name, trees, chance } = await aWood();
      const longAgo = () =>
        pool.query(
          `update forest._tallies set wanted_at = now() - interval '31 days' where collection = $1`,
          [name],
        );
      const isThere = () =>
        numberOf(`select count(to_regclass('${keptOf(name).table.replaceAll('"', '')}'))`);
      await longAgo();
      await open(name, BY_REGION);
      expect(await isThere()).toBe(1);
      await open(name);
      expect(await isThere()).toBe(1);
      await longAgo();
      await open(name);
      expect(await isThere()).toBe(0);
      await put(trees, someTree(chance));
      await expectTold(trees);
      const again = await open(name, BY_REGION);
      await put(trees, someTree(chance));
      await expectTold(again);
      await expectTold(trees);
    });
  });

  test('a process that begins anew on what another one left tells the same', async () => {
    const { name, chance } = await aWood();
    const second = await connect();
    const trees = await second.collection<Tree>({ name, indexes: [], tallies: [BY_REGION] });
    for (let n = 0; n < 10; n++) await put(trees, someTree(chance));
    await expectTold(trees);
    await second.close();
    await expectTold(await open(name, BY_REGION));
  });
});

describe('stale plans', () => {
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
});
