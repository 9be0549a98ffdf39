import { workerMayMove } from '@arboleda/contracts/order.ts';
import { expect, test } from '@jest/globals';
import { assignment, STATS, visit } from '../testing/assignments.ts';
import { statusItem } from '../testing/outbox.ts';
import { mayTakeBack } from './steps.ts';
import { arrange, nextStep, takesVisitPhotos, withSteps, withStepsInStats } from './tasks.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const first = assignment({ _id: 'first' });
const second = assignment({ _id: 'second', status: 'planted' });
const closed = assignment({ _id: 'closed', status: 'completed' });
const task = (one: typeof first) => ({ kind: 'assignment', assignment: one });

test('each step is one that a worker may take, and the last has none', () => {
  for (const status of ['assigned', 'planted'] as const)
    expect(workerMayMove(status, nextStep({ status })!)).toBe(true);
  expect(nextStep({ status: 'completed' })).toBeUndefined();
  expect(nextStep({ status: 'pending' })).toBeUndefined();
});

test('the first open one is for now, what is completed comes last', () => {
  expect(arrange([first, second, closed], [], { now: NOW })).toEqual({
    now: task(first),
    later: [task(second)],
    scheduled: [],
    done: [task(closed)],
  });
});

test('what the worker is at stays for now until it is completed', () => {
  expect(arrange([first, second, closed], [], { id: 'second', now: NOW }).now).toEqual(task(second));
  expect(arrange([first, second, closed], [], { id: 'closed', now: NOW }).now).toEqual(task(first));
});

test('growth visits that are due come after plantings, the others are told by their day', () => {
  const due = visit({ _id: 'due' });
  const far = visit({ _id: 'far', state: 'scheduled', dueAt: '2027-03-15T12:00:00Z' });
  const arranged = arrange([first], [due, far], { now: NOW });
  expect(arranged.now).toEqual(task(first));
  expect(arranged.later).toEqual([{ kind: 'visit', visit: due }]);
  expect(arranged.scheduled).toEqual([far]);
});

test('a visit takes photos from two weeks before its day on', () => {
  const on = (dueAt: string) => takesVisitPhotos(visit({ state: 'scheduled', dueAt }), NOW);
  expect(on('2026-12-15T12:00:00Z')).toBe(true);
  expect(on('2026-12-15T12:00:01Z')).toBe(false);
});

test('a step that waits on the phone shows as done, with its place, and counts in the tiles', () => {
  const place = { latitude: 4.6, longitude: -75.4 };
  const step = statusItem({
    at: NOW,
    body: { status: 'planted', coordinates: place, location: 'Behind the barn' },
  });
  expect(withSteps(assignment(), [step])).toMatchObject({
    status: 'planted',
    plantedAt: '2026-12-01T12:00:00.000Z',
    coordinates: place,
    location: 'Behind the barn',
  });
  expect(withStepsInStats({ assignments: [assignment()], stats: STATS }, [step])).toEqual({
    ...STATS,
    pendingAssignments: 1,
    treesPlanted: 417,
  });
});

test('a refused step, or one that the server knows already, changes nothing', () => {
  const refused = statusItem({ state: { step: 'refused', type: 'conflict', message: '' } });
  expect(withSteps(assignment(), [refused])).toEqual(assignment());
  const planted = assignment({ status: 'planted' });
  expect(withSteps(planted, [statusItem()])).toBe(planted);
});

test('a step may be taken back while it waits and nothing was built on it', () => {
  const step = statusItem({ at: 1 });
  const next = statusItem({ id: 'step-2', at: 2, body: { status: 'completed' } });
  expect(mayTakeBack(step, [step], undefined)).toBe(true);
  expect(mayTakeBack(step, [step], step.id)).toBe(false);
  expect(mayTakeBack(step, [step, next], undefined)).toBe(false);
  expect(mayTakeBack(next, [step, next], undefined)).toBe(true);
});
