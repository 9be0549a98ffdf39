import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Collection, ListIndex } from '../ports/documents.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';

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
