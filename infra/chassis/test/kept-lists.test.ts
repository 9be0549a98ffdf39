import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
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
import { seeded } from '../testing/seeded.ts';

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
