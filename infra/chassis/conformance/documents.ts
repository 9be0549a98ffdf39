import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withContext } from '../context.ts';
import { type Collection, type Documents, UniqueViolation } from '../ports/documents.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';
import {
  aName,
  brokenOutlet,
  type DocumentsEngine,
  ids,
  put,
  recordingOutlet,
  type Tree,
} from './documents-kit.ts';
import { documentsAreFound } from './documents-search.ts';
import { documentsAreListed } from './documents-lists.ts';
import { documentsAreTallied } from './documents-tallies.ts';

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

    const aCollection = (): Promise<Collection<Tree>> => here.collection({ name: aName(), indexes: [] });

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

      test('are decided on as new where that is expected, and as they are where they are there', async () => {
        const trees = await aCollection();
        const seen: unknown[] = [];
        const grow = (eventId: string) =>
          trees.change(
            'a',
            (current) => {
              seen.push(current?.height);
              return { document: { _id: 'a', height: (current?.height ?? 0) + 1 } };
            },
            { eventId, isNew: true },
          );
        expect(await grow('event-1')).toEqual({ _id: 'a', height: 1 });
        expect(seen).toEqual([undefined]);
        expect(await grow('event-2')).toEqual({ _id: 'a', height: 2 });
        expect(seen).toEqual([undefined, undefined, 1]);
        await Promise.all([grow('event-1'), grow('event-2'), grow('event-3')]);
        expect(await trees.get('a')).toEqual({ _id: 'a', height: 3 });
        await expect(trees.change('b', () => undefined, { isNew: true })).resolves.toBeUndefined();
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
          context: { correlationId: 'corr-1', causationId: 'cause-1' },
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

    documentsAreFound(() => here);
    documentsAreTallied(
      () => here,
      () => there,
    );
    documentsAreListed(
      () => here,
      () => there,
    );

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
