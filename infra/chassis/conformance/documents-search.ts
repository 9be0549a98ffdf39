import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Collection, Documents, Query } from '../ports/documents.ts';
import { aName, ids, put, type Tree } from './documents-kit.ts';

/** How documents are found, sorted, paged and counted. @param open the documents, once a test runs */
export function documentsAreFound(open: () => Documents): void {
  describe('that are looked for', () => {
    let trees: Collection<Tree>;
    beforeAll(async () => {
      trees = await open().collection({
        name: aName(),
        indexes: [
          { name: 'by height', fields: { height: 'asc', _id: 'asc' } },
          { name: 'by region', fields: { 'place.region': 'asc', name: 'desc' } },
        ],
      });
      await put(
        trees,
        { _id: 'a', name: 'ceiba', height: 9, planted: true, place: { region: 'Huila', altitude: 900 } },
        { _id: 'b', name: 'Ceiba', height: 10, planted: false, place: { region: 'Huila', altitude: 1200 } },
        { _id: 'c', name: 'Árbol', height: 100, planted: true, place: { region: 'Tolima' } },
        { _id: 'd', name: '10', height: -2.5, place: { region: "O'Hara {x}" } },
        { _id: 'e', name: '9' },
      );
    });
    const found = (where: Query['where']) =>
      ids(trees, { where, sort: [{ field: '_id', direction: 'asc' }] });

    test('are found by what they are', async () => {
      expect(await found({ _id: 'b' })).toEqual(['b']);
      expect(await found({ name: 'Ceiba' })).toEqual(['b']);
      expect(await found({ height: 100 })).toEqual(['c']);
      expect(await found({ planted: true })).toEqual(['a', 'c']);
      expect(await found({ planted: false })).toEqual(['b']);
      expect(await found({ 'place.region': 'Huila', planted: true })).toEqual(['a']);
      expect(await found({ 'place.region': "O'Hara {x}" })).toEqual(['d']);
      expect(await found({ name: 'nobody' })).toEqual([]);
      expect(await found({})).toHaveLength(5);
    });

    test('are told apart by kind: the number 9 is not the text "9"', async () => {
      expect(await found({ name: 9 })).toEqual([]);
      expect(await found({ height: '9' })).toEqual([]);
      expect(await found({ name: { gte: 0 } })).toEqual([]);
      expect(await found({ height: { lt: 'z' } })).toEqual([]);
    });

    test('are found by lists, ranges and presence', async () => {
      expect(await found({ name: { in: ['9', 'Ceiba', 'other'] } })).toEqual(['b', 'e']);
      expect(await found({ name: { in: [] } })).toEqual([]);
      expect(await found({ height: { in: [9, 100] } })).toEqual(['a', 'c']);
      expect(await found({ height: { gte: 9, lt: 100 } })).toEqual(['a', 'b']);
      expect(await found({ height: { gt: 9, lte: 100 } })).toEqual(['b', 'c']);
      expect(await found({ name: { gte: 'A', lt: 'a' } })).toEqual(['b']);
      expect(await found({ height: { exists: false } })).toEqual(['e']);
      expect(await found({ 'place.altitude': { exists: true } })).toEqual(['a', 'b']);
    });

    test('come in the order asked for: numbers by size, texts by their bytes, the missing first', async () => {
      const by = (field: string, direction: 'asc' | 'desc') => ids(trees, { sort: [{ field, direction }] });
      expect(await by('height', 'asc')).toEqual(['e', 'd', 'a', 'b', 'c']);
      expect(await by('height', 'desc')).toEqual(['c', 'b', 'a', 'd', 'e']);
      expect(await by('name', 'asc')).toEqual(['d', 'e', 'b', 'a', 'c']);
      expect(await by('name', 'desc')).toEqual(['c', 'a', 'b', 'e', 'd']);
      const regions = await ids(trees, {
        where: { place: { exists: true } },
        sort: [
          { field: 'place.region', direction: 'asc' },
          { field: 'name', direction: 'desc' },
        ],
      });
      expect(regions).toEqual(['a', 'b', 'd', 'c']);
      expect(await ids(trees, { sort: [{ field: '_id', direction: 'desc' }], limit: 2 })).toEqual(['e', 'd']);
    });

    test('come without what nobody reads, and are otherwise as they are', async () => {
      const sort = [{ field: 'name', direction: 'asc' as const }];
      const found = await trees.find({
        where: { planted: true },
        sort,
        without: ['place', 'name', 'missing'],
      });
      expect(found).toEqual([
        { _id: 'a', height: 9, planted: true },
        { _id: 'c', height: 100, planted: true },
      ]);
      expect(await trees.get('b')).toHaveProperty('place');
      await expect(trees.find({ without: ["height' or true --"] })).rejects.toThrow('cannot name a field');
    });

    test('are counted and summed up', async () => {
      expect(await trees.count()).toBe(5);
      expect(await trees.count({ 'place.region': 'Huila' })).toBe(2);
      expect(await trees.countBy('place.region')).toEqual({ Huila: 2, Tolima: 1, "O'Hara {x}": 1 });
      expect(await trees.countBy('place.region', { planted: true })).toEqual({ Huila: 1, Tolima: 1 });
      expect(await trees.sum('height')).toBe(116.5);
      expect(await trees.sum('height', { planted: true })).toBe(109);
      expect(await trees.sum('height', { name: 'nobody' })).toBe(0);
      expect(await trees.sum('name')).toBe(0);
      const figures = (count: number, height: number) => ({ count, sums: { height } });
      expect(await trees.figuresBy('place.region', ['height'])).toEqual({
        ...{ Huila: figures(2, 19), Tolima: figures(1, 100), "O'Hara {x}": figures(1, -2.5) },
      });
      expect(await trees.figuresBy('place.region', ['height'], { planted: true })).toEqual({
        ...{ Huila: figures(1, 9), Tolima: figures(1, 100) },
      });
      // What is no number, and what none has, amounts to nothing.
      const sums = { name: 0, height: 9, 'no.such': 0 };
      expect(await trees.figuresBy('place.region', ['name', 'height', 'no.such'], { name: 'ceiba' })).toEqual(
        {
          Huila: { count: 1, sums },
        },
      );
      expect(await trees.figuresBy('place.region', [], { planted: true })).toEqual({
        ...{ Huila: { count: 1, sums: {} }, Tolima: { count: 1, sums: {} } },
      });
      expect(await trees.figuresBy('place.region', ['height'], { name: 'nobody' })).toEqual({});
    });

    test('are counted no further than is asked for', async () => {
      expect(await trees.count({}, { atMost: 3 })).toBe(3);
      expect(await trees.count({}, { atMost: 5 })).toBe(5);
      expect(await trees.count({ 'place.region': 'Huila' }, { atMost: 3 })).toBe(2);
      expect(await trees.count({ name: 'nobody' }, { atMost: 3 })).toBe(0);
      expect(await trees.count({}, { atMost: 0 })).toBe(0);
      expect(await trees.countBy('place.region', {}, { atMost: 4 })).toEqual({
        ...{ Huila: 2, Tolima: 1, "O'Hara {x}": 1 },
      });
      expect(await trees.countBy('place.region', { planted: true }, { atMost: 9 })).toEqual({
        ...{ Huila: 1, Tolima: 1 },
      });
      const some = await trees.countBy('place.region', {}, { atMost: 3 });
      expect(Object.values(some).reduce((sum, count) => sum + count)).toBe(3);
      expect(some.Huila ?? 0).toBeLessThanOrEqual(2);
      expect(await trees.countBy('place.region', {}, { atMost: 0 })).toEqual({});
    });

    test.each(["height' or true --", 'a b', '', 'a..b', '.a', 'a.', 'a}', '"a"'])(
      'are not found by the field name %p, which is refused',
      async (field) => {
        await expect(found({ [field]: 1 })).rejects.toThrow('cannot name a field');
        await expect(ids(trees, { sort: [{ field, direction: 'asc' }] })).rejects.toThrow();
        await expect(trees.sum(field)).rejects.toThrow();
        await expect(trees.countBy(field)).rejects.toThrow();
        await expect(trees.figuresBy('name', [field])).rejects.toThrow();
        await expect(trees.figuresBy(field, ['height'])).rejects.toThrow();
      },
    );

    test('come page by page, each once, though others come in between', async () => {
      const paged = await open().collection<Tree>({
        name: aName(),
        indexes: [{ name: 'newest', fields: { plantedAt: 'desc', _id: 'desc' } }],
      });
      const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, Math.floor(n / 3))).toISOString();
      const initial = Array.from({ length: 30 }, (_, n) => ({
        _id: `t${String(n).padStart(2, '0')}`,
        plantedAt: at(n),
      }));
      await put(paged, ...initial);
      for (const directions of [
        ['desc', 'desc'],
        ['desc', 'asc'],
        ['asc', 'asc'],
      ] as const) {
        const sort = [
          { field: 'plantedAt', direction: directions[0] },
          { field: '_id', direction: directions[1] },
        ];
        const seen: string[] = [];
        let after: string[] | undefined;
        for (;;) {
          const page = await paged.find({ sort, limit: 4, ...(after ? { after } : {}) });
          if (page.length === 0) break;
          seen.push(...page.map((tree) => tree._id));
          const last = page.at(-1)!;
          after = [last.plantedAt!, last._id];
          await put(paged, { _id: `new-${randomUUID()}`, plantedAt: at(Math.random() * 30) });
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(initial.map((tree) => tree._id)));
      }
    });

    test('are not paged by a place that does not fit the order', async () => {
      const sort = [{ field: '_id', direction: 'asc' as const }];
      await expect(trees.find({ sort, after: ['a', 'b'] })).rejects.toThrow('after');
      await expect(trees.find({ after: ['a'] })).rejects.toThrow('after');
    });
  });
}
