import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import { withContext } from '../context.ts';
import { type Collection, type Documents, type Query, UniqueViolation } from '../ports/documents.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Job, Jobs } from '../ports/jobs.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';

/** What documents hand their outbox to. */
export interface Outlet {
  bus: Pick<EventBus, 'publish'>;
  jobs: Pick<Jobs, 'enqueue'>;
}

/** One database, and as many processes on it as a test wants. */
export interface DocumentsEngine {
  connect(outlet: Outlet): Promise<Documents>;
  /** Closes what was connected, too. */
  close(): Promise<void>;
}

interface Tree {
  _id: string;
  name?: string;
  height?: number;
  planted?: boolean;
  plantedAt?: string;
  place?: { region: string; altitude?: number };
}

/** An outlet that writes down what it is given. */
export function recordingOutlet() {
  const events: ArboledaEvent[] = [];
  const jobs: Job[] = [];
  const outlet: Outlet = {
    bus: { publish: async (some) => void events.push(...some) },
    jobs: { enqueue: async (some) => void jobs.push(...some) },
  };
  return { events, jobs, outlet };
}

/** An outlet whose engine is away. */
export const brokenOutlet: Outlet = {
  bus: { publish: async () => Promise.reject(new Error('the bus is away')) },
  jobs: { enqueue: async () => Promise.reject(new Error('the queue is away')) },
};

/** What every Documents does. */
export function documentsConformance(open: () => Promise<DocumentsEngine>): void {
  describe('documents', () => {
    let engine: DocumentsEngine;
    let here: Documents;
    let there: Documents;
    const { events, jobs, outlet } = recordingOutlet();
    beforeAll(async () => {
      engine = await open();
      here = await engine.connect(outlet);
      there = await engine.connect(outlet);
    });
    afterAll(() => engine.close());

    const aName = () => `trees_${randomUUID().slice(0, 8)}`;
    const aCollection = (): Promise<Collection<Tree>> => here.collection({ name: aName(), indexes: [] });
    const put = async (trees: Collection<Tree>, ...all: Tree[]) => {
      for (const document of all) await trees.change(document._id, () => ({ document }));
    };
    const ids = async (trees: Collection<Tree>, query: Query) =>
      (await trees.find(query)).map((tree) => tree._id);

    describe('that change', () => {
      test('are as they were decided to be', async () => {
        const trees = await aCollection();
        const seen: unknown[] = [];
        expect(await trees.get('a')).toBeUndefined();
        const created = await trees.change('a', (current) => {
          seen.push(current);
          return { document: { _id: 'a', name: 'Ceiba', place: { region: 'Huila' } } };
        });
        await trees.change('a', (current) => {
          seen.push(current);
          return { document: { _id: 'a', height: 1.5 } };
        });
        expect(seen).toEqual([undefined, created]);
        expect(await trees.get('a')).toEqual({ _id: 'a', height: 1.5 });
      });

      test('stay as they are when nothing is decided, or deciding fails', async () => {
        const trees = await aCollection();
        await put(trees, { _id: 'a', height: 1 });
        expect(await trees.change('a', () => undefined)).toEqual({ _id: 'a', height: 1 });
        expect(await trees.change('b', () => undefined)).toBeUndefined();
        const refuse = () => {
          throw new Error('not allowed');
        };
        await expect(trees.change('a', refuse)).rejects.toThrow('not allowed');
        await expect(trees.change('b', refuse, { eventId: 'e' })).rejects.toThrow('not allowed');
        expect(await trees.get('a')).toEqual({ _id: 'a', height: 1 });
        expect(await trees.get('b')).toBeUndefined();
      });

      test('refuse to be stored under another id than was decided on', async () => {
        const trees = await aCollection();
        await expect(trees.change('a', () => ({ document: { _id: 'b' } }))).rejects.toThrow();
        expect(await trees.count()).toBe(0);
      });

      test('lose nothing to a hundred at once from two processes', async () => {
        const name = aName();
        const both = [
          await here.collection<Tree>({ name, indexes: [] }),
          await there.collection<Tree>({ name, indexes: [] }),
        ];
        const grow = (current: Tree | undefined) => ({
          document: { _id: 'a', height: (current?.height ?? 0) + 1 },
        });
        await Promise.all(Array.from({ length: 100 }, (_, n) => both[n % 2]!.change('a', grow)));
        expect(await both[0]!.get('a')).toEqual({ _id: 'a', height: 100 });
      });

      test('take an event in once, however often it comes', async () => {
        const trees = await aCollection();
        const grow = (current: Tree | undefined) => ({
          document: { _id: 'a', height: (current?.height ?? 0) + 1 },
          events: [someNews(anOrderId())],
        });
        const before = events.length;
        const once = () => trees.change('a', grow, { eventId: 'event-1' });
        await Promise.all([once(), once(), once()]);
        expect(await once()).toEqual({ _id: 'a', height: 1 });
        await trees.change('a', grow, { eventId: 'event-2' });
        await waitFor(() => events.length >= before + 2);
        expect(await trees.get('a')).toEqual({ _id: 'a', height: 2 });
        expect(events.length).toBe(before + 2);
      });

      test('take an event in also when it changes nothing', async () => {
        const trees = await aCollection();
        await put(trees, { _id: 'a', height: 1 });
        await trees.change('a', () => undefined, { eventId: 'stale' });
        let asked = false;
        await trees.change(
          'a',
          () => {
            asked = true;
            return undefined;
          },
          { eventId: 'stale' },
        );
        expect(asked).toBe(false);
      });
    });

    describe('that tell the world', () => {
      test('say it after the write, with their version and what led to it', async () => {
        const trees = await aCollection();
        const [first, second] = [anOrderId(), anOrderId()];
        await put(trees, { _id: 'a' });
        await withContext({ correlationId: 'corr-1', causationId: 'cause-1' }, () =>
          trees.change('a', () => ({
            document: { _id: 'a', height: 1 },
            events: [someNews(first), someNews(second)],
            jobs: [{ name: 'measure', payload: { tree: 'a' }, key: 'a' }],
          })),
        );
        await waitFor(() => jobs.some((job) => job.key === 'a'));
        const told = events.filter((event) => [first, second].includes(event.key));
        expect(told).toMatchObject([
          {
            key: first,
            type: 'payment.failed',
            sequence: 2,
            correlationId: 'corr-1',
            causationId: 'cause-1',
          },
          {
            key: second,
            type: 'payment.failed',
            sequence: 2,
            correlationId: 'corr-1',
            causationId: 'cause-1',
          },
        ]);
        expect(jobs.find((job) => job.key === 'a')).toEqual({
          name: 'measure',
          payload: { tree: 'a' },
          key: 'a',
        });
      });

      test('say nothing when what they would say is not an event of ours, and stay as they are', async () => {
        const trees = await aCollection();
        await expect(
          trees.change('a', () => ({ document: { _id: 'a' }, events: [someNews('not an order')] })),
        ).rejects.toThrow();
        expect(await trees.get('a')).toBeUndefined();
      });

      test('are heard though their process died before it could publish', async () => {
        const doomed = await engine.connect(brokenOutlet);
        const trees = await doomed.collection<Tree>({ name: aName(), indexes: [] });
        const orderId = anOrderId();
        await trees.change('a', () => ({
          document: { _id: 'a' },
          events: [someNews(orderId)],
          jobs: [{ name: 'measure', payload: {}, key: orderId }],
        }));
        await waitFor(() => events.some((event) => event.key === orderId), 15_000);
        await waitFor(() => jobs.some((job) => job.key === orderId), 15_000);
        await waitFor(async () => (await here.outboxAgeMs()) === 0);
        await doomed.close();
      }, 40_000);
    });

    describe('under a unique index', () => {
      const unique = { name: 'by name', fields: { name: 'asc' as const }, unique: true };

      test('cannot have what another has, and say which index refused', async () => {
        const trees = await here.collection<Tree>({ name: aName(), indexes: [unique] });
        await put(trees, { _id: 'a', name: 'Ceiba' }, { _id: 'b', name: 'Guadua' });
        const taken = trees.change('c', () => ({ document: { _id: 'c', name: 'Ceiba' } }));
        await expect(taken).rejects.toBeInstanceOf(UniqueViolation);
        await expect(taken).rejects.toMatchObject({ index: 'by name' });
        const renamed = trees.change('b', () => ({ document: { _id: 'b', name: 'Ceiba' } }));
        await expect(renamed).rejects.toMatchObject({ index: 'by name' });
        expect(await ids(trees, { sort: [{ field: '_id', direction: 'asc' }] })).toEqual(['a', 'b']);
      });

      test('that many want at once, one gets it', async () => {
        const trees = await here.collection<Tree>({ name: aName(), indexes: [unique] });
        const tries = await Promise.allSettled(
          Array.from({ length: 20 }, (_, n) =>
            trees.change(`tree-${n}`, () => ({ document: { _id: `tree-${n}`, name: 'Ceiba' } })),
          ),
        );
        expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
        expect(await trees.count()).toBe(1);
      });

      test('are held by one field only', async () => {
        const fields = { name: 'asc' as const, height: 'asc' as const };
        const opening = here.collection<Tree>({ name: aName(), indexes: [{ ...unique, fields }] });
        await expect(opening).rejects.toThrow('by name');
      });

      test('may do without the field, as many as like', async () => {
        const trees = await here.collection<Tree>({ name: aName(), indexes: [unique] });
        await put(trees, { _id: 'a' }, { _id: 'b' });
        expect(await trees.count()).toBe(2);
      });

      test('are held by it after the collection was opened again, until the definition lets go', async () => {
        const name = aName();
        await here.collection<Tree>({ name, indexes: [unique] });
        const again = await there.collection<Tree>({ name, indexes: [unique] });
        await put(again, { _id: 'a', name: 'Ceiba' });
        await expect(put(again, { _id: 'b', name: 'Ceiba' })).rejects.toBeInstanceOf(UniqueViolation);
        const free = await here.collection<Tree>({ name, indexes: [{ ...unique, unique: false }] });
        await put(free, { _id: 'b', name: 'Ceiba' });
        expect(await free.count()).toBe(2);
      });
    });

    describe('that are looked for', () => {
      let trees: Collection<Tree>;
      beforeAll(async () => {
        trees = await here.collection({
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
        expect(await ids(trees, { sort: [{ field: '_id', direction: 'desc' }], limit: 2 })).toEqual([
          'e',
          'd',
        ]);
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
      });

      test.each(["height' or true --", 'a b', '', 'a..b', '.a', 'a.', 'a}', '"a"'])(
        'are not found by the field name %p, which is refused',
        async (field) => {
          await expect(found({ [field]: 1 })).rejects.toThrow('cannot name a field');
          await expect(ids(trees, { sort: [{ field, direction: 'asc' }] })).rejects.toThrow();
          await expect(trees.sum(field)).rejects.toThrow();
          await expect(trees.countBy(field)).rejects.toThrow();
        },
      );

      test('come page by page, each once, though others come in between', async () => {
        const paged = await here.collection<Tree>({
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

    test('can be opened by many at once for the first time', async () => {
      const definition = {
        name: aName(),
        indexes: [{ name: 'by name', fields: { name: 'asc' as const }, unique: true }],
      };
      const opened = await Promise.all(
        Array.from({ length: 6 }, (_, n) => (n % 2 ? here : there).collection<Tree>(definition)),
      );
      await put(opened[0]!, { _id: 'a', name: 'Ceiba' });
      expect(await opened[5]!.get('a')).toEqual({ _id: 'a', name: 'Ceiba' });
    });

    test('say that they are well', async () => {
      await expect(here.check()).resolves.toBeUndefined();
    });
  });
}
