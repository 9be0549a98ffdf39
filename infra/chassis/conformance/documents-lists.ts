import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Documents, ListIndex, Query } from '../ports/documents.ts';
import { type Chance, seeded } from '../testing/seeded.ts';
import { someTree } from './documents-tallies.ts';
import { aName, ids, openWhile, put, type Tree } from './documents-kit.ts';

const USES = ['shade', 'fruit', 'timber', "bird's food", 'miel de Ñame'];
/** Of trees, as tests ask for it. */
export const BY_USE: ListIndex = {
  ...{ name: 'uses', list: 'uses', by: ['place.region', 'planted', 'name'] },
  order: { name: 'desc', _id: 'desc' },
};

/** One of few trees, with some uses. */
export function someUsefulTree(chance: Chance, among = 40): Tree {
  const uses = USES.filter(() => chance.below(3) > 0);
  return { ...someTree(chance, among), ...(chance.below(8) > 0 && { uses }) };
}

/** Asks by words for what a list may know, and for what it does not, and compares it with what the documents are. */
export async function expectListed(trees: Collection<Tree>): Promise<void> {
  const all = await trees.find({});
  for (const words of [['shade'], ['fruit', "bird's food"], USES, ['shad'], ['miel de Ñame', 'timber']]) {
    const holding = all.filter(({ uses = [] }) => words.every((word) => uses.includes(word)));
    const questions: [Query['where'], (tree: Tree) => boolean][] = [
      [{}, () => true],
      [{ planted: true }, ({ planted }) => planted === true],
      [
        { planted: { exists: false }, name: { gte: 'name 4' } },
        ({ planted, name }) => planted === undefined && name! >= 'name 4',
      ],
      [
        { 'place.region': { in: ['Huila', "O'Hara {x}"] } },
        ({ place }) => ['Huila', "O'Hara {x}"].includes(place?.region ?? ''),
      ],
      [{ height: { gt: 0 }, planted: false }, ({ height = 0, planted }) => height > 0 && planted === false],
    ];
    for (const [more, isMeant] of questions) {
      const where = { uses: { all: words }, ...more };
      const meant = holding.filter(isMeant);
      const sorted = meant.map(({ _id }) => _id).toSorted();
      expect((await ids(trees, { where })).toSorted()).toEqual(sorted);
      const sort = [{ field: '_id', direction: 'asc' as const }];
      expect(await ids(trees, { where, sort, limit: 5 })).toEqual(sorted.slice(0, 5));
      await expectPaged(trees, where, meant);
      expect(await trees.count(where)).toBe(meant.length);
      expect(await trees.count(where, { atMost: 3 })).toBe(Math.min(3, meant.length));
      const grouped = Map.groupBy(meant, ({ place }) => place?.region);
      grouped.delete(undefined);
      const regions = Object.fromEntries([...grouped].map(([region, of]) => [String(region), of.length]));
      expect(await trees.countBy('place.region', where)).toEqual(regions);
      await expectLeast(trees, where, regions);
      expect(await trees.sum('height', where)).toBe(meant.reduce((sum, { height = 0 }) => sum + height, 0));
    }
    expect(await trees.countBy('planted', { uses: { all: words } })).toEqual(
      Object.fromEntries(
        [true, false].flatMap((planted) => {
          const of = holding.filter((tree) => tree.planted === planted).length;
          return of > 0 ? [[String(planted), of]] : [];
        }),
      ),
    );
  }
}

/** Pages by what the list may sort by itself, from the beginning and from the middle on, in its own order and in another. */
async function expectPaged(
  trees: Collection<Tree>,
  where: Query['where'],
  meant: readonly Tree[],
): Promise<void> {
  const compare = (one = '', other = '') => (one < other ? -1 : Number(one > other));
  const idsOf = (some: readonly Tree[]) => some.map(({ _id }) => _id);
  for (const direction of ['desc', 'asc'] as const) {
    const sorted = meant.toSorted(
      (a, b) => compare(b.name, a.name) || (direction === 'asc' ? 1 : -1) * compare(a._id, b._id),
    );
    const sort = [
      { field: 'name', direction: 'desc' },
      { field: '_id', direction },
    ] as const;
    expect(await ids(trees, { where, sort, limit: 3 })).toEqual(idsOf(sorted.slice(0, 3)));
    const middle = sorted[2];
    if (!middle) continue;
    const after = [middle.name!, middle._id];
    expect(await ids(trees, { where, sort, after, limit: 3 })).toEqual(idsOf(sorted.slice(3, 6)));
  }
}

/** Counts up to bounds, some of which there are more than. @param exact how many there are of each region */
async function expectLeast(
  trees: Collection<Tree>,
  where: Query['where'],
  exact: Record<string, number>,
): Promise<void> {
  const sumOf = (counts: Record<string, number>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  for (const atMost of [1, 4, 1_000]) {
    const least = await trees.countBy('place.region', where, { atMost });
    expect(sumOf(least)).toBe(Math.min(atMost, sumOf(exact)));
    for (const [region, count] of Object.entries(least))
      expect(count).toBeLessThanOrEqual(exact[region] ?? 0);
  }
}

/** How documents are found and counted by words. @param here one process, once a test runs @param there another one */
export function documentsAreListed(here: () => Documents, there: () => Documents): void {
  describe('that hold words in a list', () => {
    let groves: Collection<Tree>;
    beforeAll(async () => {
      groves = await here().collection({ name: aName(), indexes: [{ name: 'uses', list: 'uses' }] });
      await put(
        groves,
        { _id: 'a', uses: ['shade', 'fruit', "bird's food"], height: 1 },
        { _id: 'b', uses: ['shade', 'timber'], height: 2 },
        { _id: 'c', uses: [] },
        { _id: 'd', uses: ['shades', '{fruit}', '$all'] },
        { _id: 'e' },
      );
    });
    const holding = (all: string[], more: Query['where'] = {}) =>
      ids(groves, { where: { uses: { all }, ...more }, sort: [{ field: '_id', direction: 'asc' }] });

    test('are found when it holds all of the words, each as a whole', async () => {
      expect(await holding(['shade'])).toEqual(['a', 'b']);
      expect(await holding(['fruit', 'shade'])).toEqual(['a']);
      expect(await holding(['shade', 'shade'])).toEqual(['a', 'b']);
      expect(await holding(['timber', 'fruit'])).toEqual([]);
      expect(await holding(['shad'])).toEqual([]);
      expect(await holding(["bird's food"])).toEqual(['a']);
      expect(await holding(['{fruit}', '$all'])).toEqual(['d']);
    });

    test('are not narrowed down by no words', async () => {
      expect(await holding([])).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('are narrowed down, paged, counted and summed up with other conditions', async () => {
      expect(await holding(['shade'], { height: { gt: 1 } })).toEqual(['b']);
      expect(await groves.count({ uses: { all: ['shade'] } })).toBe(2);
      expect(await groves.sum('height', { uses: { all: ['shade'] } })).toBe(3);
      const unnamed = { uses: { all: ['shade'] }, name: { exists: false }, height: { gte: 1 } };
      expect(await groves.count(unnamed)).toBe(2);
      expect(await groves.count({ ...unnamed, height: { exists: false } })).toBe(0);
      expect(await groves.countBy('_id', unnamed)).toEqual({ a: 1, b: 1 });
      expect(await groves.figuresBy('_id', ['height'], unnamed)).toEqual({
        a: { count: 1, sums: { height: 1 } },
        b: { count: 1, sums: { height: 2 } },
      });
      const sort = [{ field: '_id', direction: 'desc' as const }];
      const page = { where: { uses: { all: ['shade'] } }, sort, limit: 1 };
      expect(await ids(groves, page)).toEqual(['b']);
      expect(await ids(groves, { ...page, after: ['b'] })).toEqual(['a']);
      expect(await groves.find({ ...page, without: ['uses'] })).toEqual([{ _id: 'b', height: 2 }]);
    });

    test('are found as they are now, not as they were', async () => {
      await put(groves, { _id: 'f', uses: ['honey'] });
      await put(groves, { _id: 'f', uses: ['resin'] });
      expect(await holding(['honey'])).toEqual([]);
      expect(await holding(['resin'])).toEqual(['f']);
    });
  });

  describe('that are found by words', () => {
    const open = (documents: Documents, name: string, ...indexes: ListIndex[]) =>
      documents.collection<Tree>({ name, indexes });

    test('are found and counted as they are, after each of many changes', async () => {
      const trees = await open(here(), aName(), BY_USE);
      const chance = seeded(21);
      for (let round = 0; round < 4; round++) {
        for (let n = 0; n < 25; n++) await put(trees, someUsefulTree(chance));
        await expectListed(trees);
      }
    });

    test('that came later than they are looked for are found with those before, though others write meanwhile', async () => {
      const name = aName();
      const before = await open(there(), name);
      const chance = seeded(22);
      for (let n = 0; n < 60; n++) await put(before, someUsefulTree(chance));
      const trees = await openWhile(
        () => put(before, someUsefulTree(chance)),
        () => open(here(), name, BY_USE),
      );
      await expectListed(trees);
      await expectListed(before);
    });
  });
}
