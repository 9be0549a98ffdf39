import { describe, expect, test } from '@jest/globals';
import { BY_ADMIN, minute, worker } from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';
import {
  advance,
  follow,
  heldFrom,
  holdingsAfter,
  holdingsOf,
  type OwnStep,
  plantedSince,
  type Progress,
} from './progress.ts';

const [ana, luis] = [workerOf(worker('ana')), workerOf(worker('luis'))];

const BY_SYSTEM = { by: { role: 'system' } } as const;
const BY_LUIS = { by: { role: 'worker', id: 'luis', name: luis.name } } as const;

const pending: Progress = { status: 'pending' };
const assigned: Progress = { status: 'assigned', worker: ana, assignedAt: minute(1) };
const planted: Progress = { ...assigned, status: 'planted', plantedAt: minute(20) };
const completed: Progress = { ...planted, status: 'completed', completedAt: minute(50) };

describe('an admin’s new status', () => {
  test('of an order without a worker keeps the dates of planting and completion', () => {
    expect(advance(pending, 'completed', minute(60))).toEqual({
      status: 'completed',
      completedAt: minute(60),
    });
    const alone = advance(pending, 'planted', minute(60));
    expect(alone).toEqual({ status: 'planted', plantedAt: minute(60) });
    expect(advance(alone, 'completed', minute(70))).toEqual({
      status: 'completed',
      plantedAt: minute(60),
      completedAt: minute(70),
    });
    expect(advance(alone, 'assigned', minute(70))).toEqual({ status: 'assigned' });
  });

  test('back to planted keeps the first planting and forgets the completion', () => {
    expect(advance(completed, 'planted', minute(60))).toEqual(planted);
  });

  test('back to pending forgets the worker and all dates', () => {
    expect(advance(completed, 'pending', minute(60))).toEqual({ status: 'pending' });
  });
});

describe('another worker', () => {
  const stepOf = (kind: OwnStep['kind']): OwnStep => ({
    revision: 1,
    kind,
    worker: luis,
    at: minute(60),
    ...BY_SYSTEM,
    isLive: true,
  });
  const theirs = { worker: luis, assignedAt: minute(60) };

  test('who is assigned takes over the date of planting', () => {
    expect(follow(planted, stepOf('assigned'))).toEqual({ ...planted, ...theirs });
    expect(follow(assigned, stepOf('assigned'))).toEqual({ status: 'assigned', ...theirs });
    expect(follow({ status: 'planted' }, stepOf('assigned'))).toEqual({
      status: 'planted',
      ...theirs,
      plantedAt: minute(60),
    });
  });

  test('who plants or completes an order has it from then on', () => {
    expect(follow(assigned, stepOf('planted'))).toEqual({
      status: 'planted',
      ...theirs,
      plantedAt: minute(60),
    });
    expect(follow(planted, stepOf('completed'))).toEqual({
      status: 'completed',
      ...theirs,
      plantedAt: minute(20),
      completedAt: minute(60),
    });
  });
});

test('trees count as planted from the planting, or the completion when nobody entered a planting', () => {
  const direct: Progress = { status: 'completed', completedAt: minute(50) };
  expect([pending, assigned, planted, completed, direct].map(plantedSince)).toEqual([
    undefined,
    undefined,
    minute(20),
    minute(20),
    minute(50),
  ]);
});

describe('the history of workers', () => {
  const first = { at: minute(1), worker: ana, ...BY_SYSTEM };
  const toLuis: OwnStep = {
    revision: 2,
    kind: 'assigned',
    worker: luis,
    at: minute(5),
    ...BY_ADMIN,
    reason: 'Holidays',
    isLive: true,
  };
  const lost: OwnStep = { ...toLuis, revision: 3, worker: ana, at: minute(6), isLive: false };
  const planting: OwnStep = {
    revision: 3,
    kind: 'planted',
    worker: luis,
    at: minute(7),
    ...BY_LUIS,
    isLive: true,
  };
  const second = { at: minute(5), worker: luis, ...BY_ADMIN, reason: 'Holidays' };

  test('names who decided and why; lost steps and steps of the same worker add nothing', () => {
    const confirmed = { confirmed: assigned, history: [first] };
    expect(holdingsOf({ ...confirmed, steps: [toLuis, lost, planting] })).toEqual([first, second]);
    expect(holdingsAfter(confirmed, [])).toEqual([first]);
  });

  test('shows from when on nobody had it', () => {
    const taken = { at: minute(8), ...BY_ADMIN };
    expect(heldFrom(assigned, pending, { ...taken, reason: '' })).toEqual([taken]);
    expect(heldFrom(pending, { status: 'planted' }, taken)).toEqual([]);
  });
});
