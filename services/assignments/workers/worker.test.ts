import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { minute, worker, workerRegistered, workerUpdated } from '../test/builders.ts';
import { chooseWorker, decideProfile, freeTrees } from './worker.ts';

describe('choosing who plants', () => {
  const chosen = (...[order, roster]: Parameters<typeof chooseWorker>) => chooseWorker(order, roster)?._id;

  test('nobody, when there is nobody', () => {
    expect(chosen({ trees: 1 }, [])).toBeUndefined();
  });

  test('somebody of the order’s region comes before somebody with less to do', () => {
    const near = worker('near', { region: 'Huila', openAssignments: 7 });
    const idle = worker('idle', { region: 'Quindío' });
    expect(chosen({ trees: 5, region: 'Huila' }, [idle, near])).toBe('near');
    expect(chosen({ trees: 5, region: ' quindio ' }, [near, idle])).toBe('idle');
  });

  test('elsewhere is better than nowhere', () => {
    expect(chosen({ trees: 5, region: 'Amazonas' }, [worker('far')])).toBe('far');
    const full = worker('near', { region: 'Huila', openTrees: 98 });
    expect(chosen({ trees: 5, region: 'Huila' }, [full, worker('far')])).toBe('far');
  });

  test('without a region the one with the fewest open assignments', () => {
    const roster = [
      worker('a', { openAssignments: 2 }),
      worker('b', { openAssignments: 1 }),
      worker('c', { openAssignments: 3 }),
    ];
    expect(chosen({ trees: 5 }, roster)).toBe('b');
  });

  test('among equals always the same, whatever the order they come in', () => {
    const [a, b, c] = [worker('a'), worker('b'), worker('c')];
    expect([chosen({ trees: 5 }, [c, a, b]), chosen({ trees: 5 }, [b, c, a])]).toEqual(['a', 'a']);
  });

  test('never somebody without room for all the trees', () => {
    const roster = [worker('a', { capacityTrees: 10, openTrees: 6 })];
    expect(chosen({ trees: 4 }, roster)).toBe('a');
    expect(chosen({ trees: 5 }, roster)).toBeUndefined();
  });

  test('never somebody who is not active', () => {
    const away = worker('away', { active: false });
    expect(freeTrees(away)).toBe(0);
    expect(chosen({ trees: 1 }, [away])).toBeUndefined();
  });

  test('never the one it was taken from', () => {
    const order = { trees: 5, takenFromWorkerId: 'a' };
    expect(chosen(order, [worker('a'), worker('b', { openAssignments: 9 })])).toBe('b');
    expect(chosen(order, [worker('a')])).toBeUndefined();
  });

  test('leaves the roster as it was', () => {
    const roster = [worker('b'), worker('a')];
    chooseWorker({ trees: 1 }, roster);
    expect(roster.map((one) => one._id)).toEqual(['b', 'a']);
  });
});

test('a capacity that was lowered below what is open leaves no room, not less than none', () => {
  expect(freeTrees(worker('a', { capacityTrees: 10, openTrees: 25 }))).toBe(0);
});

describe('what auth tells of a worker', () => {
  const told = <Type extends 'worker.registered' | 'worker.updated'>(
    event: NewEvent<Type>,
    sequence: number,
    occurredAt = minute(sequence),
  ) =>
    ({
      ...event,
      ...{ id: `event-${sequence}`, version: 1, key: 'worker-ana', sequence, occurredAt, correlationId: 'c' },
    }) as ArboledaEvent<Type>;

  const registered = told(workerRegistered(), 0);
  const moved = told(workerUpdated({ region: 'Huila', capacityTrees: 40 }), 1);
  const profile = decideProfile(undefined, registered)!.document;

  test('is kept, and waiting orders are tried again', () => {
    const change = decideProfile(profile, moved)!;
    expect(change.document).toMatchObject({
      _id: 'worker-ana',
      region: 'Huila',
      capacityTrees: 40,
      sequence: 1,
    });
    expect(change.jobs).toMatchObject([{ key: 'assign-waiting' }]);
  });

  test('is kept by its newest version, also when the older one comes last', () => {
    const updated = decideProfile(undefined, moved)!.document;
    expect(decideProfile(updated, registered)).toBeUndefined();
  });

  test('without versions is kept by its newest instant', () => {
    const later = told(workerUpdated({ region: 'Huila' }), 0, minute(5));
    const updated = decideProfile(profile, later)!.document;
    expect(updated.region).toBe('Huila');
    expect(decideProfile(updated, registered)).toBeUndefined();
  });
});
