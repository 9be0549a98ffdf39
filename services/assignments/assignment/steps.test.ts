import type { FieldFault, Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { BY_ADMIN, minute, newOrderId, orderCreated, paymentSubmitted, worker } from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';
import { type Assignment, assignmentIdOf } from './assignment.ts';
import { decideAnnouncement, decideCreation } from './order-events.ts';
import {
  decideAdminAssignment,
  decideAssignment,
  decideLateStep,
  decideRelease,
  decideWorkerStep,
  type WorkerStep,
} from './steps.ts';

const orderId = newOrderId();

const [ana, luis] = [workerOf(worker('ana')), workerOf(worker('luis'))];

const step = { orderId, assignmentId: assignmentIdOf(orderId), worker: ana };

const ASSIGN_WAITING = { name: 'assign-waiting', key: 'assign-waiting', payload: {} };

const waiting = (): Assignment => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;

const assigned = (): Assignment => decideAssignment(waiting(), ana, minute(1))!.record;

const released = (): Assignment => decideRelease(assigned(), 'ana', false)!.record;

/** Ana had it; Luis has it now. */
const passedOn = (): Assignment => decideAssignment(released(), luis, minute(5))!.record;

const move = (from: Assignment, status: WorkerStep['status'], at: string, said: Partial<WorkerStep> = {}) =>
  decideWorkerStep(from, 'ana', { status, ...said }, at)!;

const planted = (): Assignment => move(assigned(), 'planted', minute(20)).record;

const completed = (): Assignment => move(planted(), 'completed', minute(50)).record;

describe('assigning an order', () => {
  test('is published with the revision it was decided on', () => {
    const { record, events } = decideAssignment(waiting(), ana, minute(1))!;
    expect(events).toEqual([{ type: 'order.assigned', data: { ...step, statusRevision: 0, at: minute(1) } }]);
    expect(record).toMatchObject({
      statusRevision: 1,
      progress: { status: 'assigned', worker: ana, assignedAt: minute(1) },
    });
  });

  test('happens once: a second decision changes nothing', () => {
    expect(decideAssignment(assigned(), workerOf(worker('luis')), minute(2))).toBeUndefined();
    expect(decideAssignment(undefined, ana, minute(2))).toBeUndefined();
  });
});

describe('a worker’s step', () => {
  const refusal = (from: Assignment | undefined, workerId: string, status: WorkerStep['status']) => {
    try {
      decideWorkerStep(from, workerId, { status }, minute(60));
      return 'allowed';
    } catch (error) {
      return (error as Problem).type;
    }
  };

  test('plants at the place the worker names', () => {
    const coordinates = { latitude: 4.6, longitude: -75.5 };
    const { record, events } = move(assigned(), 'planted', minute(20), {
      location: 'Salento',
      coordinates,
      notes: 'Rainy day',
    });
    expect(events).toEqual([
      {
        type: 'order.planted',
        data: {
          ...step,
          statusRevision: 1,
          at: minute(20),
          location: 'Salento',
          coordinates,
          notes: 'Rainy day',
        },
      },
    ]);
    expect(record).toMatchObject({
      location: 'Salento',
      coordinates,
      notes: 'Rainy day',
      statusRevision: 2,
    });
    expect(record.progress).toMatchObject({
      status: 'planted',
      plantedAt: minute(20),
      assignedAt: minute(1),
    });
  });

  test('plants in the worker’s region when no place is named', () => {
    const { events } = move(assigned(), 'planted', minute(20), { location: '' });
    expect(events).toMatchObject([{ data: { location: 'Quindío, Colombia' } }]);
  });

  test('completes, keeps the dates and frees capacity for waiting orders', () => {
    const { record, events, jobs } = move(planted(), 'completed', minute(50));
    expect(events).toEqual([
      { type: 'order.completed', data: { ...step, statusRevision: 2, at: minute(50) } },
    ]);
    expect(record.progress).toEqual({
      status: 'completed',
      worker: ana,
      assignedAt: minute(1),
      plantedAt: minute(20),
      completedAt: minute(50),
    });
    expect(jobs).toMatchObject([{ key: 'assign-waiting' }]);
  });

  test('to the same status changes nothing', () => {
    expect(
      decideWorkerStep(planted(), 'ana', { status: 'planted', notes: 'again' }, minute(21)),
    ).toBeUndefined();
    expect(decideWorkerStep(completed(), 'ana', { status: 'completed' }, minute(51))).toBeUndefined();
  });

  test('moves forward one step at a time, never back', () => {
    expect(refusal(assigned(), 'ana', 'completed')).toBe('transition-not-allowed');
    expect(refusal(completed(), 'ana', 'planted')).toBe('transition-not-allowed');
  });

  test('is limited to one’s own orders: others are not found', () => {
    expect(refusal(assigned(), 'luis', 'planted')).toBe('not-found');
    expect(refusal(waiting(), 'ana', 'planted')).toBe('not-found');
    expect(refusal(undefined, 'ana', 'planted')).toBe('not-found');
  });
});

describe('an admin’s assignment', () => {
  interface Request {
    to?: typeof ana;
    reason?: string;
    seenRevision?: number;
  }
  const assign = (from: Assignment | undefined, { to = luis, reason, seenRevision }: Request = {}) =>
    decideAdminAssignment(
      from,
      { worker: to, reason, ...BY_ADMIN, seenRevision: seenRevision ?? from?.statusRevision ?? 0 },
      minute(7),
    );

  test('of a waiting order is published without a former worker', () => {
    const { record, events, jobs } = assign(waiting())!;
    const assignment = { worker: luis, at: minute(7), ...BY_ADMIN };
    expect(events).toEqual([{ type: 'order.assigned', data: { ...step, ...assignment, statusRevision: 0 } }]);
    expect(record).toEqual({
      ...waiting(),
      progress: { status: 'assigned', worker: luis, assignedAt: minute(7) },
      statusRevision: 1,
      steps: [{ ...assignment, kind: 'assigned', revision: 1, isLive: true }],
    });
    expect(jobs).toEqual([ASSIGN_WAITING]);
  });

  test('of a worker’s order names that worker and the reason, and keeps the planting', () => {
    const { record, events } = assign(planted(), { reason: 'Holidays' })!;
    const assignment = { worker: luis, at: minute(7), ...BY_ADMIN, reason: 'Holidays' };
    expect(events).toEqual([
      {
        type: 'order.assigned',
        data: { ...step, ...assignment, statusRevision: 2, previousWorker: ana },
      },
    ]);
    expect(record.progress).toEqual({
      status: 'planted',
      worker: luis,
      assignedAt: minute(7),
      plantedAt: minute(20),
    });
    expect(record.steps.at(-1)).toEqual({ ...assignment, kind: 'assigned', revision: 3, isLive: true });
  });

  test('to the worker who has it changes nothing, even if the admin saw an older revision', () => {
    expect(assign(assigned(), { to: ana, seenRevision: 0 })).toBeUndefined();
  });

  const unpaid = decideAnnouncement(undefined, paymentSubmitted({ orderId }).data)!.record;
  test.each<[string, Assignment | undefined, Request, string, FieldFault[]]>([
    ['an unknown order', undefined, {}, 'not-found', []],
    ['an unpaid order', unpaid, {}, 'order-unpaid', []],
    ['a withdrawn order', { ...waiting(), isWithdrawn: true }, {}, 'order-withdrawn', []],
    ['a completed order', completed(), { reason: 'Holidays' }, 'order-completed', []],
    ['an order that changed meanwhile', assigned(), { reason: 'Holidays', seenRevision: 0 }, 'conflict', []],
    [
      'a worker’s order without a reason',
      assigned(),
      {},
      'validation-failed',
      [{ path: 'reason', type: 'required' }],
    ],
  ])('of %s is refused', (_what, from, request, type, fields) => {
    expect(() => assign(from, request)).toThrow(expect.objectContaining({ type, fields }));
  });
});

describe('a step of a former worker', () => {
  const late = (from: Assignment | undefined, workerId: string, said: Partial<WorkerStep> = {}) =>
    decideLateStep(from, workerId, { status: 'planted', ...said }, minute(30));

  test('is reported with all they said, and changes nothing', () => {
    const place = { latitude: 4.6, longitude: -75.5 };
    const said = { notes: 'All done', location: 'Salento' };
    expect(late(passedOn(), 'ana', { ...said, coordinates: { ...place, accuracyMetres: 12 } })).toEqual({
      record: passedOn(),
      events: [
        {
          type: 'order.late_step',
          data: {
            ...step,
            worker: { workerId: 'ana', name: ana.name },
            step: 'planted',
            ...said,
            coordinates: place,
            at: minute(30),
          },
        },
      ],
    });
  });

  test('is reported without notes and place when they gave none', () => {
    const [event] = late(passedOn(), 'ana', { notes: '', location: '' })!.events!;
    expect(Object.keys(event!.data)).toEqual(['orderId', 'assignmentId', 'worker', 'step', 'at']);
  });

  test('is refused because the order is another’s now', () => {
    expect(() => move(passedOn(), 'planted', minute(30))).toThrow('assigned-to-another');
  });

  test('is reported of nobody else: neither of its worker nor of a stranger', () => {
    expect(late(passedOn(), 'luis')).toBeUndefined();
    expect(late(passedOn(), 'rosa')).toBeUndefined();
    expect(late(undefined, 'ana')).toBeUndefined();
  });
});

describe('an inactive worker’s order', () => {
  test('waits for another worker and is not given to the same one', () => {
    expect(decideRelease(assigned(), 'ana', false)).toEqual({
      record: { ...assigned(), isReleased: true },
      jobs: [ASSIGN_WAITING],
    });
    expect(decideAssignment(released(), ana, minute(5))).toBeUndefined();
  });

  test('is taken from them in the name of the system when another worker gets it', () => {
    const { record, events } = decideAssignment(released(), luis, minute(5))!;
    const assignment = { worker: luis, at: minute(5), by: { role: 'system' } };
    expect(events).toEqual([
      {
        type: 'order.assigned',
        data: { ...step, ...assignment, statusRevision: 1, previousWorker: ana },
      },
    ]);
    expect(record).toEqual({
      ...assigned(),
      progress: { status: 'assigned', worker: luis, assignedAt: minute(5) },
      statusRevision: 2,
      steps: [...assigned().steps, { ...assignment, kind: 'assigned', revision: 2, isLive: true }],
    });
  });

  test('stays theirs when they are back first', () => {
    expect(decideRelease(released(), 'ana', true)).toEqual({ record: assigned() });
  });

  test('is released and restored once', () => {
    expect(decideRelease(released(), 'ana', false)).toBeUndefined();
    expect(decideRelease(assigned(), 'ana', true)).toBeUndefined();
  });

  test('stays as it is when it is planted, another’s or unknown', () => {
    expect(decideRelease(planted(), 'ana', false)).toBeUndefined();
    expect(decideRelease(passedOn(), 'ana', false)).toBeUndefined();
    expect(decideRelease(waiting(), 'ana', false)).toBeUndefined();
    expect(decideRelease(undefined, 'ana', false)).toBeUndefined();
  });
});
