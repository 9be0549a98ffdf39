import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { openDocuments } from '../adapters/postgres/documents/documents.ts';
import { dropText } from '../adapters/postgres/documents/kept.ts';
import { listsOf } from '../adapters/postgres/documents/list-tables.ts';
import { createQueueSchema } from '../adapters/postgres/queue/schema.ts';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { aName, put, recordingOutlet, type Tree } from '../conformance/documents-kit.ts';
import { BY_USE, expectListed, someUsefulTree } from '../conformance/documents-lists.ts';
import type { Collection, Documents, ListIndex } from '../ports/documents.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { seeded } from '../testing/seeded.ts';

describe('lists of documents', () => {
  interface Tree {
    _id: string;
    uses: string[];
    height: number;
  }

  /** More than are read by the index of a list alone, in its samples as well. */
  const SHADY = 5_000;

  const FRUITY = 30;

  const sortedBy = (direction: 'asc' | 'desc') => ['height', '_id'].map((field) => ({ field, direction }));

  const DOWN = sortedBy('desc');

  const HIGHEST = { height: 'desc', _id: 'desc' } as const;

  let platform: TestPlatform;

  let trees: Collection<Tree>;

  /** The same trees, in an order of their list. */
  let ordered: Collection<Tree>;

  beforeAll(async () => {
    platform = await openTestPlatform({ onPostgres: true });
    const open = async (index: ListIndex) =>
      (await platform.documents('nursery')).collection<Tree>({
        name: 'trees',
        indexes: [index, { name: 'highest', fields: HIGHEST }],
      });
    trees = await open({ name: 'uses', list: 'uses' });
    ordered = await open({ name: 'uses', list: 'uses', by: ['height'], order: HIGHEST });
    const database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    await database.query(
      `insert into nursery.trees (id, version, doc)
     select 't' || n, 1, jsonb_build_object('_id', 't' || n, 'height', (n * 7919) % 10007,
       'uses', case when n <= ${SHADY} then '["shade"]'::jsonb else '["fruit"]'::jsonb end)
     from generate_series(1, ${SHADY + FRUITY}) as n`,
    );
    await database.end();
  });

  afterAll(() => platform?.close());

  test.each([
    ['shade', SHADY],
    ['fruit', FRUITY],
    ['dye', 0],
  ])('all that hold %s are found in their order, a page after the other', async (use, count) => {
    const where = { uses: { all: [use] } };
    const found: Tree[] = [];
    for (;;) {
      const last = found.at(-1);
      const after = last && { after: [last.height, last._id] };
      const page = await trees.find({ where, sort: DOWN, limit: 700, ...after });
      found.push(...page);
      if (page.length < 700) break;
    }
    expect(found).toHaveLength(count);
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(count);
    const heights = found.map(({ height }) => height);
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
  });

  describe.each(['asc', 'desc'] as const)('in the order of their list, %s,', (direction) => {
    test.each([
      ['shade', SHADY, 10_007],
      ['shade', SHADY / 2, 5_000],
      ['fruit', FRUITY, 10_007],
      ['dye', 0, 10_007],
    ])('all that hold %s are found, some %i, a page after the other', async (use, about, below) => {
      const where = { uses: { all: [use] }, height: { lt: below } };
      const found: Tree[] = [];
      for (;;) {
        const last = found.at(-1);
        const after = last && { after: [last.height, last._id] };
        const page = await ordered.find({ where, sort: sortedBy(direction), limit: 700, ...after });
        found.push(...page);
        if (page.length < 700) break;
      }
      const meant = await trees.find({ where, sort: sortedBy(direction), limit: 10_000 });
      expect(Math.abs(found.length - about)).toBeLessThan(200);
      expect(found).toEqual(meant);
    });
  });

  test.each([
    ['shade', SHADY],
    ['fruit', FRUITY],
  ])(
    'all that hold %s are found in an order that their list knows, a page after the other',
    async (use, count) => {
      const where = { uses: { all: [use] } };
      const sort = [{ field: '_id', direction: 'desc' as const }];
      const found: string[] = [];
      for (;;) {
        const after = found.length > 0 && { after: [found.at(-1)!] };
        const page = await trees.find({ where, sort, limit: 1_300, ...after });
        found.push(...page.map(({ _id }) => _id));
        if (page.length < 1_300) break;
      }
      expect(found).toHaveLength(count);
      expect(found).toEqual([...new Set(found)].toSorted().toReversed());
    },
  );

  test.each([
    ['shade', 30, 30],
    ['shade', 100, 100],
    ['shade', SHADY, SHADY],
    ['shade', SHADY + 1, SHADY],
    ['fruit', 10, 10],
    ['fruit', 100, FRUITY],
  ])('of those that hold %s, counted up to %i, there are %i', async (use, atMost, count) => {
    expect(await trees.count({ uses: { all: [use] } }, { atMost })).toBe(count);
  });

  test('other conditions hold for few and for many alike', async () => {
    for (const use of ['shade', 'fruit']) {
      const where = { uses: { all: [use] }, height: { gte: 5_000 } };
      const some = await trees.find({ where, sort: DOWN, limit: 10_000 });
      expect(some.length).toBe(await trees.count(where));
      expect(some.every(({ height, uses }) => height >= 5_000 && uses.includes(use))).toBe(true);
    }
  });
});

describe('lists in tables of their own', () => {
  const logger = pino({ level: 'silent' });

  let database: TestDatabase;

  let pool: pg.Pool;

  let documents: Documents;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.url, logger, { max: 12, name: 'test' });
    await createQueueSchema(pool, logger);
    documents = await openDocuments({
      ...recordingOutlet().outlet,
      pool,
      service: 'forest',
      logger,
      keepsCauses: true,
    });
  });

  afterAll(async () => {
    await documents.close();
    await pool.end();
    await database.drop();
  });

  const open = (name: string, ...indexes: ListIndex[]): Promise<Collection<Tree>> =>
    documents.collection<Tree>({ name, indexes });

  const keptOf = (name: string) => listsOf('forest', { name, indexes: [BY_USE] })[0]!;

  const SHADE = { uses: { all: ['shade'] } };

  /** Makes the list forget all, so that who asks it can be told from who asks documents. */
  const spoil = (name: string) => pool.query(`delete from ${keptOf(name).table}`);

  async function aWood(): Promise<{ name: string; trees: Collection<Tree> }> {
    const name = aName();
    const trees = await open(name, BY_USE);
    const chance = seeded(5);
    for (let n = 0; n < 60; n++) await put(trees, someUsefulTree(chance));
    return { name, trees };
  }

  test('what words find, and what is counted by them, is read from the list', async () => {
    const { name, trees } = await aWood();
    expect(await trees.count(SHADE)).toBeGreaterThan(5);
    await spoil(name);
    expect(await trees.count(SHADE)).toBe(0);
    expect(await trees.countBy('planted', SHADE)).toEqual({});
    expect(await trees.sum('height', SHADE)).toBe(0);
    expect(await trees.find({ where: SHADE })).toEqual([]);
  });

  test('it follows what is deleted, emptied and rolled back', async () => {
    const { name, trees } = await aWood();
    await pool.query(`delete from forest.${name} where id in ('tree-1', 'tree-2', 'tree-3')`);
    await expectListed(trees);
    const client = await pool.connect();
    await client.query(`begin; update forest.${name} set doc = doc - 'uses'; delete from forest.${name}`);
    await expectListed(trees);
    await client.query('rollback');
    client.release();
    await expectListed(trees);
    await pool.query(`update forest.${name} set doc = doc || '{"uses": "shade"}' where id = 'tree-4'`);
    await pool.query(`truncate forest.${name}`);
    expect(await trees.count(SHADE)).toBe(0);
    await put(trees, someUsefulTree(seeded(6)));
    await expectListed(trees);
  });

  test('who writes something else writes no items anew', async () => {
    const { name, trees } = await aWood();
    const versions = async () =>
      (await pool.query(`select id, xmin, key_2 from ${keptOf(name).table} order by id`)).rows;
    const before = await versions();
    await pool.query(`update forest.${name} set doc = doc || '{"height": 7}'`);
    expect(await versions()).toEqual(before);
    await pool.query(`update forest.${name} set doc = doc || '{"planted": true}'`);
    expect(await versions()).not.toEqual(before);
    await expectListed(trees);
  });

  test('a new one is filled in parts while others write, who hardly wait', async () => {
    const MANY = 3_500;
    const name = aName();
    await open(name);
    await pool.query(
      `insert into forest.${name} (id, version, doc)
     select 'tree-' || n, 1, jsonb_build_object('_id', 'tree-' || n, 'name', 'name ' || n % 9, 'height', n % 9,
       'planted', n % 2 = 0, 'uses', '["shade", "fruit"]'::jsonb) from generate_series(0, ${MANY - 1}) n`,
    );
    let opened = false;
    let written = 0;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      const chance = seeded(300 + writer);
      const client = await pool.connect();
      await client.query(`set lock_timeout = '3s'`);
      while (!opened) {
        const { _id, ...rest } = someUsefulTree(chance, MANY);
        await client.query(`update forest.${name} set doc = $2 where id = $1`, [_id, { _id, ...rest }]);
        written++;
      }
      client.release(true);
    });
    const trees = await open(name, BY_USE);
    opened = true;
    await Promise.all(writers);
    expect(written).toBeGreaterThan(10);
    await expectListed(trees);
  });

  test('one that is wrong is mended by the next start, when somebody wants it filled again', async () => {
    const { name, trees } = await aWood();
    await pool.query(`update ${keptOf(name).table} set items = '{}', key_2 = 'true'`);
    await expect(expectListed(trees)).rejects.toThrow();
    await pool.query(`update forest._tallies set is_filled = false where name = $1`, [keptOf(name).name]);
    await expectListed(await open(name, BY_USE));
    await expectListed(trees);
  });

  test('one that another version took away is done without, and made anew by the next start', async () => {
    const { name, trees } = await aWood();
    await pool.query(dropText('forest', keptOf(name).name));
    await pool.query(`delete from forest._tallies where name = $1`, [keptOf(name).name]);
    await expectListed(trees);
    await put(trees, someUsefulTree(seeded(7)));
    await expectListed(await open(name, BY_USE));
    await spoil(name);
    expect(await trees.count(SHADE)).toBe(0);
  });
});
