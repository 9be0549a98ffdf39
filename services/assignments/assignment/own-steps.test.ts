import type { EventData } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { BY_ADMIN, minute, newOrderId, orderCreated, statusChanged, worker } from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';
import type { Assignment } from './assignment.ts';
import { decideConvergence } from './convergence.ts';
import { decideCreation } from './order-events.ts';
import { holdingsOf } from './progress.ts';
import { decideAdminAssignment, decideAssignment, decideRelease, decideWorkerStep } from './steps.ts';

const orderId = newOrderId();

const [ana, luis, rosa] = [workerOf(worker('ana')), workerOf(worker('luis')), workerOf(worker('rosa'))];

const BY_SYSTEM = { by: { role: 'system' } } as const;
const BY_ANA = { by: { role: 'worker', id: 'ana', name: ana.name } } as const;

const ASSIGN_WAITING = { name: 'assign-waiting', key: 'assign-waiting', payload: {} };
const REVIEW_ANA = { name: 'review-worker', key: 'ana', payload: { workerId: 'ana' } };

const ANA_AT_1 = { at: minute(1), worker: ana, ...BY_SYSTEM };

const waiting = (): Assignment => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;

const assigned = (): Assignment => decideAssignment(waiting(), ana, minute(1))!.record;

const planted = (from = assigned()): Assignment =>
  decideWorkerStep(from, 'ana', { status: 'planted' }, minute(20))!.record;

const completed = (): Assignment =>
  decideWorkerStep(planted(), 'ana', { status: 'completed' }, minute(50))!.record;

const passedOn = (from: Assignment, to: typeof ana, at: string): Assignment => {
  const released = decideRelease(from, from.progress.worker!.workerId, false)!.record;
  return decideAssignment(released, to, at)!.record;
};

const heard = (current: Assignment, ...args: Parameters<typeof statusChanged>) =>
  decideConvergence(current, statusChanged(...args).data)!;

/** Orders has confirmed that Ana has it. */
const anas = (): Assignment => heard(assigned(), orderId, 1, 'pending', 'assigned', { at: minute(1) }).record;

describe('an own step that orders confirms', () => {
  test('changes only what is confirmed', () => {
    const own = completed();
    const [, planting, completion] = own.steps;
    const first = heard(own, orderId, 1, 'pending', 'assigned', { at: minute(1) });
    expect(first).toEqual({
      record: {
        ...own,
        confirmed: { status: 'assigned', worker: ana, assignedAt: minute(1) },
        confirmedRevision: 1,
        steps: [planting, completion],
        history: [ANA_AT_1],
      },
    });
  });

  test('confirms the steps before it, whose events arrive later', () => {
    const own = completed();
    const second = heard(own, orderId, 2, 'assigned', 'planted', { ...BY_ANA, at: minute(20) });
    expect(second).toEqual({
      record: {
        ...own,
        confirmed: planted().progress,
        confirmedRevision: 2,
        steps: [own.steps[2]],
        history: [ANA_AT_1],
      },
    });
  });

  test('keeps its own date, whatever the event’s', () => {
    const own = completed();
    const { record } = heard(own, orderId, 3, 'planted', 'completed', {
      ...BY_ANA,
      at: minute(70),
    });
    expect(record).toEqual({
      ...own,
      confirmed: own.progress,
      confirmedRevision: 3,
      steps: [],
      history: [ANA_AT_1],
    });
  });
});

describe('an admin’s own assignment', () => {
  const own = () =>
    decideAdminAssignment(
      anas(),
      { worker: luis, reason: 'Holidays', ...BY_ADMIN, seenRevision: 1 },
      minute(20),
    )!.record;
  const decision = (change: Partial<EventData<'order.status_changed'>>) =>
    decideConvergence(own(), {
      ...statusChanged(orderId, 2, 'assigned', 'assigned', {
        ...BY_ADMIN,
        reason: 'Holidays',
        at: minute(20),
      }).data,
      ...change,
    })!.record;

  test('is confirmed by a decision of the same revision, kind, admin and instant', () => {
    const { progress, steps, history } = decision({});
    expect(progress).toEqual({ status: 'assigned', worker: luis, assignedAt: minute(20) });
    expect(steps).toEqual([]);
    expect(history).toEqual([ANA_AT_1, { at: minute(20), worker: luis, ...BY_ADMIN, reason: 'Holidays' }]);
  });

  test.each<[string, Partial<EventData<'order.status_changed'>>, Assignment['progress']]>([
    ['another admin', { by: { role: 'admin', id: 'admin-2' } }, anas().progress],
    ['another role', { by: { role: 'system' } }, anas().progress],
    ['another instant', { at: minute(21) }, anas().progress],
    ['a later revision', { statusRevision: 4 }, anas().progress],
    [
      'another kind of step',
      { to: 'planted' },
      { status: 'planted', worker: ana, assignedAt: minute(1), plantedAt: minute(20) },
    ],
  ])('loses against a decision of %s: the order stays with its worker', (_what, change, progress) => {
    const after = decision(change);
    expect(after).toMatchObject({ progress, confirmed: progress, steps: [] });
    expect(holdingsOf(after)).toEqual([ANA_AT_1]);
  });
});

describe('two own steps of one revision', () => {
  /** An admin took the order back just before it was passed on to Rosa; then it was given to Luis. */
  const twice = (): Assignment => {
    const lost = passedOn(passedOn(anas(), luis, minute(5)), rosa, minute(7));
    return decideAssignment(
      heard(lost, orderId, 2, 'assigned', 'pending', BY_ADMIN).record,
      luis,
      minute(30),
    )!.record;
  };
  const accepted = (at: string) => heard(twice(), orderId, 3, 'pending', 'assigned', { at });

  test('are both kept when the first has lost', () => {
    expect(twice().steps).toEqual([
      { revision: 3, kind: 'assigned', worker: rosa, at: minute(7), ...BY_SYSTEM, isLive: false },
      { revision: 3, kind: 'assigned', worker: luis, at: minute(30), ...BY_SYSTEM, isLive: true },
    ]);
  });

  test('are distinguished by instant, so the lost one counts if orders accepts it', () => {
    const { record, jobs } = accepted(minute(7));
    const progress = { status: 'assigned', worker: rosa, assignedAt: minute(7) };
    expect(record).toMatchObject({ progress, confirmed: progress, statusRevision: 3, steps: [] });
    expect(record.history.map((one) => one.worker?.workerId)).toEqual(['ana', undefined, 'rosa']);
    const review = { name: 'review-worker', key: 'rosa', payload: { workerId: 'rosa' } };
    expect(jobs).toEqual([ASSIGN_WAITING, review]);
  });

  test.each([30, 33])('otherwise mean the one that has not lost: accepted in minute %i', (at) => {
    const { record, jobs } = accepted(minute(at));
    expect(record.progress).toEqual({ status: 'assigned', worker: luis, assignedAt: minute(30) });
    expect(jobs).toBeUndefined();
  });
});

describe('an own step that lost', () => {
  test('still counts when orders accepts it, even at another instant', () => {
    const passed = passedOn(passedOn(anas(), luis, minute(5)), rosa, minute(7));
    const lost = heard(passed, orderId, 2, 'assigned', 'planted', { ...BY_ADMIN, at: minute(6) }).record;
    expect(lost.progress).toMatchObject({ status: 'planted', worker: ana });
    const { record } = heard(lost, orderId, 3, 'planted', 'planted', { at: minute(9) });
    expect(record.progress).toEqual({
      status: 'planted',
      worker: rosa,
      assignedAt: minute(7),
      plantedAt: minute(6),
    });
  });

  test('leaves no trace when orders reinstates the order instead', () => {
    const own = passedOn(assigned(), luis, minute(5));
    const { record, jobs } = heard(own, orderId, 2, 'pending', 'pending', { at: minute(6) });
    expect(record).toMatchObject({ progress: { status: 'pending' }, steps: [], history: [] });
    expect([record.isReleased, record.takenFromWorkerId]).toEqual([undefined, undefined]);
    expect(jobs).toEqual([ASSIGN_WAITING]);
  });

  test('gives no date of planting when the worker completes the order directly', () => {
    const { record } = heard(planted(anas()), orderId, 2, 'assigned', 'completed', {
      ...BY_ANA,
      at: minute(50),
    });
    expect(record.progress).toEqual({
      status: 'completed',
      worker: ana,
      assignedAt: minute(1),
      completedAt: minute(50),
    });
    expect(record.isReleased).toBeUndefined();
  });

  test('gives the order back to its worker, who may have left: that is reviewed', () => {
    const passed = passedOn(anas(), luis, minute(5));
    const waits = decideRelease(passed, 'luis', false)!.record;
    // Revision 2, by which the admin set it to planted, arrives later.
    const { record, jobs } = heard(waits, orderId, 3, 'planted', 'assigned', BY_ADMIN);
    expect(record).toMatchObject({ progress: anas().progress, statusRevision: 3, steps: [] });
    expect(record.isReleased).toBeUndefined();
    expect(jobs).toEqual([ASSIGN_WAITING, REVIEW_ANA]);
  });
});

test('an admin’s step back to assigned leaves the order released if its worker is known to be inactive', () => {
  const released = decideRelease(anas(), 'ana', false)!.record;
  const { record, jobs } = heard(released, orderId, 3, 'planted', 'assigned', BY_ADMIN);
  expect(record).toEqual({
    ...released,
    confirmedRevision: 3,
    statusRevision: 3,
  });
  expect(jobs).toEqual([ASSIGN_WAITING]);
});
