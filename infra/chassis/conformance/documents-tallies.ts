import { describe, expect, test } from '@jest/globals';
import type { Collection, Documents, Tally } from '../ports/documents.ts';
import { type Chance, seeded } from '../testing/seeded.ts';
import { aName, openWhile, put, type Tree } from './documents-kit.ts';

/** Of trees, as tests ask for it. */
export const BY_REGION: Tally = { name: 'region', by: ['place.region', 'planted'], sums: ['height'] };

const REGIONS = ['Huila', 'Tolima', "O'Hara {x}", undefined] as const;
const PLANTED = [true, false, undefined] as const;

/** One of few trees, so that most are changed often. Heights are halves, which sum up exactly. */
export function someTree(chance: Chance, among = 40): Tree {
  const [region, planted] = [chance.pick(REGIONS), chance.pick(PLANTED)];
  const isMeasured = chance.below(5) > 0;
  return {
    _id: `tree-${chance.below(among)}`,
    name: `name ${chance.below(1_000)}`,
    ...(region !== undefined && { place: { region } }),
    ...(planted !== undefined && { planted }),
    ...(isMeasured && { height: (chance.below(200) - 50) / 2 }),
  };
}

/** Asks for every figure that a tally could tell, and compares it with what the documents are. */
export async function expectTold(trees: Collection<Tree>): Promise<void> {
  const all = await trees.find({});
  const heightOf = (some: readonly Tree[]) => some.reduce((sum, { height = 0 }) => sum + height, 0);
  const by = <V>(key: (tree: Tree) => string | undefined, some: readonly Tree[], value: (of: Tree[]) => V) =>
    Object.fromEntries(
      [...Map.groupBy(some, key)].flatMap(([group, of]) =>
        group === undefined ? [] : [[group, value(of)] as const],
      ),
    );
  const regionOf = (tree: Tree) => tree.place?.region;
  const plantedOf = (tree: Tree) => (tree.planted === undefined ? undefined : String(tree.planted));
  expect(await trees.count()).toBe(all.length);
  expect(await trees.sum('height')).toBe(heightOf(all));
  expect(await trees.countBy('place.region')).toEqual(by(regionOf, all, (of) => of.length));
  const figuresOf = (of: Tree[]) => ({ count: of.length, sums: { height: heightOf(of) } });
  expect(await trees.figuresBy('place.region', ['height'])).toEqual(by(regionOf, all, figuresOf));
  expect(await trees.countBy('planted')).toEqual(by(plantedOf, all, (of) => of.length));
  for (const planted of PLANTED) {
    const where = { planted: planted ?? { exists: false } };
    const some = all.filter((tree) => tree.planted === planted);
    expect(await trees.count(where)).toBe(some.length);
    expect(await trees.sum('height', where)).toBe(heightOf(some));
    expect(await trees.figuresBy('place.region', ['height'], where)).toEqual(by(regionOf, some, figuresOf));
  }
  const isKnown = { planted: { in: [true, false] } };
  const known = all.filter((tree) => tree.planted !== undefined);
  expect(await trees.figuresBy('place.region', ['height'], isKnown)).toEqual(by(regionOf, known, figuresOf));
  expect(await trees.count({}, { atMost: 2 })).toBeGreaterThanOrEqual(Math.min(2, all.length));
  expect(await trees.count({}, { atMost: all.length + 1 })).toBe(all.length);
  const inTwo = all.filter((tree) => ['Huila', 'Tolima'].includes(regionOf(tree) ?? ''));
  expect(await trees.count({ 'place.region': { in: ['Huila', 'Tolima'] } })).toBe(inTwo.length);
  expect(await trees.count({ 'place.region': { gte: 'I' }, planted: { exists: true } })).toBe(
    all.filter((tree) => (regionOf(tree) ?? '') >= 'I' && tree.planted !== undefined).length,
  );
}

/** What tallies tell is what the documents are. @param here one process, once a test runs @param there another one */
export function documentsAreTallied(here: () => Documents, there: () => Documents): void {
  describe('that have a tally', () => {
    const open = (documents: Documents, name: string, ...tallies: Tally[]) =>
      documents.collection<Tree>({ name, indexes: [], tallies });

    test('are told by it as they are, after each of many changes', async () => {
      const trees = await open(here(), aName(), BY_REGION);
      const chance = seeded(1);
      await expectTold(trees);
      for (let round = 0; round < 12; round++) {
        for (let n = 0; n < 10; n++) await put(trees, someTree(chance));
        await expectTold(trees);
      }
    });

    test('are told as they are after many at once from two processes', async () => {
      const name = aName();
      const both = [await open(here(), name, BY_REGION), await open(there(), name, BY_REGION)];
      await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          const chance = seeded(10 + writer);
          for (let n = 0; n < 40; n++) await put(both[n % 2]!, someTree(chance, 12));
        }),
      );
      await expectTold(both[0]!);
      await expectTold(both[1]!);
    });

    test('are not told otherwise by changes that were refused', async () => {
      const index = { name: 'by name', fields: { name: 'asc' as const }, unique: true };
      const definition = { name: aName(), indexes: [index], tallies: [BY_REGION] };
      const trees = await here().collection<Tree>(definition);
      await put(trees, { _id: 'a', name: 'Ceiba', height: 3 }, { _id: 'b', name: 'Guadua', planted: true });
      await expect(put(trees, { _id: 'b', name: 'Ceiba', height: 9 })).rejects.toThrow('by name');
      await expect(put(trees, { _id: 'c', name: 'Ceiba', height: 9 })).rejects.toThrow('by name');
      const fails = trees.change('a', () => {
        throw new Error('not allowed');
      });
      await expect(fails).rejects.toThrow('not allowed');
      await expectTold(trees);
    });

    test('that came later than they are told with those before it, though others write meanwhile', async () => {
      const name = aName();
      const before = await open(there(), name);
      const chance = seeded(2);
      for (let n = 0; n < 60; n++) await put(before, someTree(chance));
      const trees = await openWhile(
        () => put(before, someTree(chance)),
        () => open(here(), name, BY_REGION),
      );
      await expectTold(trees);
    });

    test('are told as they are by versions that want different tallies, side by side', async () => {
      const name = aName();
      const newer = await open(here(), name, BY_REGION, { name: 'planted', by: ['planted'] });
      const chance = seeded(3);
      const former = await open(there(), name, { ...BY_REGION, by: ['place.region'] });
      const oldest = await open(there(), name);
      for (let n = 0; n < 60; n++) await put([newer, former, oldest][n % 3]!, someTree(chance));
      await Promise.all([newer, former, oldest].map(expectTold));
      await expectTold(await open(there(), name, BY_REGION));
    });

    test('can be opened by many at once', async () => {
      const name = aName();
      await put(await open(here(), name), { _id: 'a', height: 2, planted: true });
      const opened = await Promise.all(
        Array.from({ length: 6 }, (_, n) => open(n % 2 ? here() : there(), name, BY_REGION)),
      );
      await put(opened[3]!, { _id: 'b', height: 3, place: { region: 'Huila' } });
      for (const trees of opened) await expectTold(trees);
    });
  });
}
