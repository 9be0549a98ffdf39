import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import type { Assignment } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/order-events.ts';
import { minute, orderCreated, worker, workerRegistered, workerUpdated } from '../test/builders.ts';
import {
  chooseVisitor,
  chooseWorker,
  decideProfile,
  freeTrees,
  loadChanges,
  rankFor,
  withLoad,
  workerOf,
  WorkerUnavailable,
} from './worker.ts';

describe('choosing a worker', () => {
  const chosen = (...[order, roster]: Parameters<typeof chooseWorker>) => chooseWorker(order, roster)?.id;

  test('finds nobody among no workers', () => {
    expect(chosen({ trees: 1 }, [])).toBeUndefined();
  });

  test('prefers the order’s region over less work', () => {
    const near = worker('near', { region: 'Huila', openAssignments: 7 });
    const idle = worker('idle', { region: 'Quindío' });
    expect(chosen({ trees: 5, region: 'Huila' }, [idle, near])).toBe('near');
    expect(chosen({ trees: 5, region: ' quindio ' }, [near, idle])).toBe('idle');
  });

  test('falls back to another region', () => {
    expect(chosen({ trees: 5, region: 'Amazonas' }, [worker('far')])).toBe('far');
    const full = worker('near', { region: 'Huila', openTrees: 98 });
    expect(chosen({ trees: 5, region: 'Huila' }, [full, worker('far')])).toBe('far');
  });

  test('without a region takes the one with the fewest open assignments', () => {
    const roster = [
      worker('a', { openAssignments: 2 }),
      worker('b', { openAssignments: 1 }),
      worker('c', { openAssignments: 3 }),
    ];
    expect(chosen({ trees: 5 }, roster)).toBe('b');
  });

  test('is deterministic among equals, whatever their order', () => {
    const [a, b, c] = [worker('a'), worker('b'), worker('c')];
    expect([chosen({ trees: 5 }, [c, a, b]), chosen({ trees: 5 }, [b, c, a])]).toEqual(['a', 'a']);
  });

  test('never exceeds a capacity', () => {
    const roster = [worker('a', { capacityTrees: 10, openTrees: 6 })];
    expect(chosen({ trees: 4 }, roster)).toBe('a');
    expect(chosen({ trees: 5 }, roster)).toBeUndefined();
  });

  test('skips inactive workers', () => {
    const away = worker('away', { active: false });
    expect(freeTrees(away)).toBe(0);
    expect(chosen({ trees: 1 }, [away])).toBeUndefined();
  });

  test('skips the worker it was taken from', () => {
    const order = { trees: 5, takenFromWorkerId: 'a' };
    expect(chosen(order, [worker('a'), worker('b', { openAssignments: 9 })])).toBe('b');
    expect(chosen(order, [worker('a')])).toBeUndefined();
  });

  test('leaves the roster unchanged', () => {
    const roster = [worker('b'), worker('a')];
    chooseWorker({ trees: 1 }, roster);
    expect(roster.map((one) => one.id)).toEqual(['b', 'a']);
  });
});

describe('choosing a visitor', () => {
  const chosen = (...[order, roster]: Parameters<typeof chooseVisitor>) => chooseVisitor(order, roster)?.id;

  test('takes an active worker of the region, though they have no room for trees', () => {
    const near = worker('near', { region: 'Huila', openTrees: 100, openAssignments: 9 });
    const away = worker('away', { region: 'Huila', active: false });
    expect(chosen({ region: 'Huila' }, [worker('far'), away, near])).toBe('near');
    expect(chosen({}, [near, worker('far')])).toBe('far');
    expect(chosen({}, [away])).toBeUndefined();
  });
});

test('workers are ranked by region, then by work; those without room come last', () => {
  const roster = [
    worker('full', { region: 'Huila', openTrees: 98 }),
    worker('busy', { openAssignments: 3 }),
    worker('away', { region: 'Huila', active: false }),
    worker('idle'),
    worker('near', { region: ' HUÍLA ', openAssignments: 5 }),
  ];
  const ranked = rankFor({ trees: 5, region: 'huila' }, roster).map(({ id }) => id);
  expect(ranked).toEqual(['near', 'idle', 'busy', 'away', 'full']);
});

test('a worker’s load counts open and planted trees', () => {
  const load = {
    assigned: 1,
    planted: 2,
    completed: 4,
    assignedTrees: 10,
    plantedTrees: 20,
    completedTrees: 40,
  };
  const { openTrees, openAssignments, treesPlanted } = withLoad(worker('a'), load);
  expect({ openTrees, openAssignments, treesPlanted }).toEqual({
    openTrees: 30,
    openAssignments: 3,
    treesPlanted: 60,
  });
});

test('a worker who is gone or full is a fault of the field that named them', () => {
  expect(new WorkerUnavailable()).toMatchObject({
    type: 'validation-failed',
    fields: [{ path: 'workerId', type: 'worker-unavailable' }],
  });
});

test('a capacity lowered below the open trees leaves no room, not a negative one', () => {
  expect(freeTrees(worker('a', { capacityTrees: 10, openTrees: 25 }))).toBe(0);
});

describe('a change of an assignment', () => {
  const waiting = decideCreation(undefined, orderCreated().data, 1)!.record;
  const given = (to: string, before = waiting) =>
    ({
      ...before,
      progress: { status: 'assigned', worker: workerOf(worker(to)), assignedAt: minute(1) },
    }) as const;
  const changes = (before: Assignment | undefined, after: Assignment) =>
    [...loadChanges(before, after)].map(([id, load]) => {
      const counted = Object.entries(load).filter(([, change]) => change !== 0);
      return { id, ...Object.fromEntries(counted) };
    });

  test('changes no load without a worker', () => {
    expect([changes(undefined, waiting), changes(waiting, { ...waiting, trees: 9 })]).toEqual([[], []]);
  });

  test('moves from one worker to the other, with its trees', () => {
    expect(changes(waiting, given('a'))).toEqual([{ id: 'a', assigned: 1, assignedTrees: 5 }]);
    expect(changes(given('a'), given('b', { ...waiting, trees: 6 }))).toEqual([
      { id: 'a', assigned: -1, assignedTrees: -5 },
      { id: 'b', assigned: 1, assignedTrees: 6 },
    ]);
  });

  test('moves its worker’s load from one status to the next', () => {
    const planted = { ...given('a').progress, status: 'planted', plantedAt: minute(2) } as const;
    expect(changes(given('a'), { ...given('a'), progress: planted })).toEqual([
      { id: 'a', assigned: -1, planted: 1, assignedTrees: -5, plantedTrees: 5 },
    ]);
    expect(changes(given('a'), { ...given('a'), notes: 'Rainy day' })).toEqual([]);
  });
});

describe('a profile from auth', () => {
  const envelope = <Type extends 'worker.registered' | 'worker.updated'>(
    event: NewEvent<Type>,
    sequence: number,
    occurredAt = minute(sequence),
  ) =>
    ({
      ...event,
      id: `event-${sequence}`,
      version: 1,
      key: 'worker-ana',
      sequence,
      occurredAt,
      correlationId: 'c',
    }) as ArboledaEvent<Type>;

  const registered = envelope(workerRegistered(), 0);
  const moved = envelope(workerUpdated({ region: 'Huila', capacityTrees: 40 }), 1);
  const profile = decideProfile(undefined, registered)!.record;

  test('is stored, and waiting orders are retried', () => {
    const change = decideProfile(profile, moved)!;
    expect(change.record).toMatchObject({
      id: 'worker-ana',
      region: 'Huila',
      capacityTrees: 40,
      sequence: 1,
    });
    expect(change.jobs).toMatchObject([{ key: 'assign-waiting' }]);
  });

  test('of somebody who leaves or comes back has their orders looked at', () => {
    const left = envelope(workerUpdated({ active: false }), 1);
    const jobs = [
      [profile, left],
      [decideProfile(profile, left)!.record, envelope(workerUpdated(), 2)],
      [undefined, left],
      [undefined, registered],
    ].map(([current, event]) => decideProfile(current as never, event as never)!.jobs);
    const both = [{ key: 'assign-waiting' }, { payload: { workerId: 'worker-ana' } }];
    expect(jobs).toMatchObject([both, both, both, both.slice(0, 1)]);
  });

  test('is stored in its newest version, even when an older one arrives last', () => {
    const updated = decideProfile(undefined, moved)!.record;
    expect(decideProfile(updated, registered)).toBeUndefined();
  });

  test('without versions is stored by its newest instant', () => {
    const later = envelope(workerUpdated({ region: 'Huila' }), 0, minute(5));
    const updated = decideProfile(profile, later)!.record;
    expect(updated.region).toBe('Huila');
    expect(decideProfile(updated, registered)).toBeUndefined();
    expect(decideProfile(updated, later)!.record).toEqual(updated);
  });

  test('of a later version is stored, whatever the clock of the one who wrote it said', () => {
    const early = envelope(workerUpdated({ region: 'Huila' }), 1, minute(-60));
    expect(decideProfile(profile, early)!.record.region).toBe('Huila');
  });
});
