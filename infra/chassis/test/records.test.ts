import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTable, type RecordTable, UniqueViolation } from '../records.ts';
import { anOrderId, someNewEvent } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';
import { openSqlHarness, recordingBus, type SqlHarness } from './sql-harness.ts';

interface Tree {
  id: string;
  name?: string;
  height: number;
  uses: string[];
}

const migration = `
  create table trees (id text primary key, version integer not null, name text unique, height numeric not null, uses jsonb not null);
  create table heights (of text primary key, total numeric not null);`;

describe('records in a table', () => {
  let harness: SqlHarness;
  let trees: RecordTable<Tree>;
  let others: RecordTable<Tree>;
  const { events, bus } = recordingBus();

  beforeAll(async () => {
    harness = await openSqlHarness();
    const folder = await harness.aFolder({ '001_trees.sql': migration });
    const open = async () => {
      const sql = await harness.open('forest', folder, bus);
      return openTable<Tree, { name: string | null; height: number; uses: string[] }>(sql, {
        table: 'trees',
        columns: ['name', 'height', 'uses'],
        idOf: ({ id }) => id,
        toRow: ({ name = null!, height, uses }) => ({ name, height, uses }),
        fromRow: ({ id, name, height, uses }) => ({
          id,
          height: Number(height),
          uses,
          ...(name !== null && { name }),
        }),
        alongside: {
          steps: `total as (
            insert into heights select 'all', ($3::jsonb #>> '{}')::numeric from written
            on conflict (of) do update set total = heights.total + excluded.total)`,
          value: (before, after) => after.height - (before?.height ?? 0),
        },
      });
    };
    trees = await open();
    others = await open();
  });
  afterAll(() => harness.close());

  const aTree = (id: string, height = 1): Tree => ({ id, height, uses: ['shade', 'honey'] });
  const grow = (id: string) => (current: Tree | undefined) => ({
    record: { ...aTree(id), height: (current?.height ?? 0) + 1 },
  });

  test('are stored as decided, and found by any query', async () => {
    expect(await trees.get('oak')).toBeUndefined();
    const oak = await trees.change('oak', () => ({ record: { ...aTree('oak'), name: 'Oak' } }));
    expect(await trees.get('oak')).toEqual(oak);
    await trees.change('oak', () => ({ record: aTree('oak', 2) }));
    expect(await others.get('oak')).toEqual(aTree('oak', 2));
    expect(await trees.select('where height >= $1 order by id', [2])).toEqual([aTree('oak', 2)]);
  });

  test('stay unchanged when nothing is decided, deciding fails, or another id was decided on', async () => {
    await trees.change('ash', () => ({ record: aTree('ash') }));
    expect(await trees.change('ash', () => undefined)).toEqual(aTree('ash'));
    expect(await trees.change('nothing', () => undefined)).toBeUndefined();
    const refuse = () => {
      throw new Error('not allowed');
    };
    await expect(trees.change('ash', refuse, { eventId: 'refused' })).rejects.toThrow('not allowed');
    await expect(trees.change('ash', () => ({ record: aTree('elm') }))).rejects.toThrow('elm');
    expect(await trees.get('ash')).toEqual(aTree('ash'));
  });

  test('lose nothing to a hundred concurrent changes from two processes, nor do tables alongside', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? trees : others).change('fir', grow('fir'))),
    );
    expect((await trees.get('fir'))?.height).toBe(100);
    const standing = await trees.select('where height > 0');
    const sum = standing.reduce((added, { height }) => added + height, 0);
    expect(await trees.select(`where (select total from heights) = $1`, [sum])).toHaveLength(standing.length);
  });

  test('consume an event once, also when it changes nothing', async () => {
    const tell = (current: Tree | undefined) => ({
      ...grow('elm')(current),
      events: [someNewEvent(anOrderId())],
    });
    const before = events.length;
    const once = (table: RecordTable<Tree>) => table.change('elm', tell, { eventId: 'event-1', isNew: true });
    await Promise.all([once(trees), once(others), once(trees)]);
    expect((await once(trees))?.height).toBe(1);
    await trees.change('elm', tell, { eventId: 'event-2', isNew: true });
    await waitFor(() => events.length >= before + 2);
    expect(events.length).toBe(before + 2);
    // Another record has not consumed it yet.
    await trees.change('yew', grow('yew'), { eventId: 'event-1' });
    expect((await trees.get('yew'))?.height).toBe(1);

    await trees.change('elm', () => undefined, { eventId: 'stale' });
    await trees.change('elm', grow('elm'), { eventId: 'stale' });
    expect((await trees.get('elm'))?.height).toBe(2);
  });

  test('return the decided state with its version', async () => {
    const first = anOrderId();
    await trees.change('box', () => ({ record: aTree('box') }));
    await trees.change('box', () => ({
      record: aTree('box', 2),
      events: [someNewEvent(first)],
      jobs: [{ name: 'measure', payload: { tree: 'box' }, key: 'box' }],
    }));
    await waitFor(() => events.some(({ key }) => key === first));
    expect(await harness.jobs('job:forest:measure')).toMatchObject([{ payload: { tree: 'box' } }]);
    expect(events.find(({ key }) => key === first)?.sequence).toBe(2);
    const invalid = trees.change('bad', () => ({
      record: aTree('bad'),
      events: [someNewEvent('not an order')],
    }));
    await expect(invalid).rejects.toThrow();
    expect(await trees.get('bad')).toBeUndefined();
  });

  test('with a unique index are added once by many at the same time', async () => {
    for (let round = 0; round < 30; round++) {
      const [id, name] = [`oak-${round}`, `Roble ${round}`];
      const add = (_: unknown, n: number) =>
        (n % 2 ? trees : others).change(id, (current) => ({
          record: current ?? { ...aTree(id, n + 1), name },
        }));
      const added = await Promise.all(Array.from({ length: 6 }, add));
      expect(new Set(added.map((tree) => tree?.height)).size).toBe(1);
    }
  });

  test('that a unique index rejects say which index', async () => {
    const named = (id: string) => trees.change(id, () => ({ record: { ...aTree(id), name: 'Ceiba' } }));
    const tries = await Promise.allSettled(['c-1', 'c-2', 'c-3'].map(named));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = tries.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toBeInstanceOf(UniqueViolation);
    expect(refused.reason).toMatchObject({ index: 'trees_name_key' });
  });
});
