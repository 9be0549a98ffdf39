import type { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { type Assignment, assignmentIdOf, decideCreation } from './assignment.ts';
import { decideConvergence } from './convergence.ts';
import { decidePhoto } from './photos.ts';
import { decideAssignment, decideWorkerStep, type WorkerStep } from './steps.ts';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  photo,
  statusChanged,
  worker,
} from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';

const orderId = newOrderId();
const ana = workerOf(worker('ana'));
const BY_ANA = { by: { role: 'worker', id: 'ana', name: ana.name } } as const;
const step = { orderId, assignmentId: assignmentIdOf(orderId), worker: ana };

const waiting = (): Assignment => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.document;
const assigned = (): Assignment => decideAssignment(waiting(), ana, minute(1))!.document;
const move = (from: Assignment, status: WorkerStep['status'], at: string, said: Partial<WorkerStep> = {}) =>
  decideWorkerStep(from, 'ana', { status, ...said }, at)!;
const planted = (): Assignment => move(assigned(), 'planted', minute(20)).document;
const completed = (): Assignment => move(planted(), 'completed', minute(50)).document;
const told = (current: Assignment | undefined, ...args: Parameters<typeof statusChanged>) =>
  decideConvergence(current, statusChanged(...args).data);

describe('a new order', () => {
  test('waits for a worker and asks for one', () => {
    const { document, jobs, events } = decideCreation(undefined, orderCreated({ orderId }).data, 1)!;
    expect(document).toMatchObject({
      progress: { status: 'pending' },
      statusRevision: 0,
      trees: 5,
      photos: [],
    });
    expect(jobs).toMatchObject([{ key: 'assign-waiting' }]);
    expect(events).toBeUndefined();
  });

  test('has one assignment, whoever makes it: its id is made of the order’s', () => {
    expect(waiting()._id).toBe(assignmentIdOf(orderId));
    expect(assignmentIdOf(orderId)).toMatch(/^[\w-]{1,64}$/);
    expect(decideCreation(waiting(), orderCreated({ orderId, trees: 20 }).data, 2)).toBeUndefined();
  });

  test('keeps of its customer what the worker needs: no phone', () => {
    expect(waiting().customer).toEqual({ name: 'María Pérez', email: 'maria@mail.test' });
  });
});

describe('giving an order to a worker', () => {
  test('is told with the revision it was decided on', () => {
    const { document, events } = decideAssignment(waiting(), ana, minute(1))!;
    expect(events).toEqual([{ type: 'order.assigned', data: { ...step, statusRevision: 0, at: minute(1) } }]);
    expect(document).toMatchObject({
      statusRevision: 1,
      progress: { status: 'assigned', worker: ana, assignedAt: minute(1) },
    });
  });

  test('happens once: who comes second changes nothing', () => {
    expect(decideAssignment(assigned(), workerOf(worker('luis')), minute(2))).toBeUndefined();
    expect(decideAssignment(undefined, ana, minute(2))).toBeUndefined();
  });
});

describe('a worker’s step', () => {
  /** The problem's slug. */
  const refusal = (from: Assignment | undefined, workerId: string, status: WorkerStep['status']) => {
    try {
      decideWorkerStep(from, workerId, { status }, minute(60));
      return 'allowed';
    } catch (error) {
      return (error as Problem).type;
    }
  };

  test('plants with the place the worker names', () => {
    const coordinates = { latitude: 4.6, longitude: -75.5 };
    const { document, events } = move(assigned(), 'planted', minute(20), {
      ...{ location: 'Salento', coordinates, notes: 'Rainy day' },
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
    expect(document).toMatchObject({
      location: 'Salento',
      coordinates,
      notes: 'Rainy day',
      statusRevision: 2,
    });
    expect(document.progress).toMatchObject({
      status: 'planted',
      plantedAt: minute(20),
      assignedAt: minute(1),
    });
  });

  test('plants in the worker’s region when no place is named', () => {
    const { events } = move(assigned(), 'planted', minute(20), { location: '' });
    expect(events).toMatchObject([{ data: { location: 'Quindío, Colombia' } }]);
  });

  test('completes, keeps the dates and gives room to waiting orders', () => {
    const { document, events, jobs } = move(planted(), 'completed', minute(50));
    expect(events).toEqual([
      { type: 'order.completed', data: { ...step, statusRevision: 2, at: minute(50) } },
    ]);
    expect(document.progress).toEqual({
      ...{ status: 'completed', worker: ana, assignedAt: minute(1), plantedAt: minute(20) },
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

  test('goes forward one by one, never back', () => {
    expect(refusal(assigned(), 'ana', 'completed')).toBe('transition-not-allowed');
    expect(refusal(completed(), 'ana', 'planted')).toBe('transition-not-allowed');
  });

  test('is for one’s own: others’, nobody’s and unknown ones are not found', () => {
    expect(refusal(assigned(), 'luis', 'planted')).toBe('not-found');
    expect(refusal(waiting(), 'ana', 'planted')).toBe('not-found');
    expect(refusal(undefined, 'ana', 'planted')).toBe('not-found');
  });
});

describe('what orders decided', () => {
  test('confirms own steps without changing what is worked on', () => {
    const own = planted();
    const confirmed = told(own, orderId, 1, 'pending', 'assigned')!.document;
    expect(confirmed).toMatchObject({ progress: own.progress, statusRevision: 2, confirmedRevision: 1 });
    expect(confirmed.confirmed).toMatchObject({ status: 'assigned', worker: ana });
    expect(confirmed.steps).toMatchObject([{ revision: 2, kind: 'planted' }]);
    const settled = told(confirmed, orderId, 2, 'assigned', 'planted', BY_ANA)!.document;
    expect(settled).toMatchObject({ progress: own.progress, confirmed: own.progress, steps: [] });
  });

  test('is heard once', () => {
    const confirmed = told(assigned(), orderId, 1, 'pending', 'assigned')!.document;
    expect(told(confirmed, orderId, 1, 'pending', 'assigned')).toBeUndefined();
  });

  test('may skip what comes late', () => {
    const confirmed = told(planted(), orderId, 2, 'assigned', 'planted', BY_ANA)!.document;
    expect(told(confirmed, orderId, 1, 'pending', 'assigned')).toBeUndefined();
  });

  test('before the order is known waits', () => {
    expect(() => told(undefined, orderId, 1, 'pending', 'assigned')).toThrow(/no assignment/);
  });

  test('an admin takes the order back: the worker is free and is not asked again', () => {
    const spoken = move(assigned(), 'planted', minute(20), {
      location: 'Salento',
      notes: 'Wrong farm',
    }).document;
    const { document, jobs, events } = told(spoken, orderId, 3, 'planted', 'pending', BY_ADMIN)!;
    expect(document.progress).toEqual({ status: 'pending' });
    expect(document).toMatchObject({ takenFromWorkerId: 'ana', statusRevision: 3, steps: [] });
    expect([document.location, document.notes]).toEqual([undefined, undefined]);
    expect(jobs).toMatchObject([{ key: 'assign-waiting' }]);
    expect(events).toBeUndefined();
  });

  test('an admin’s completion while the worker only planted keeps the worker and gives room', () => {
    const { document, jobs } = told(planted(), orderId, 3, 'planted', 'completed', BY_ADMIN)!;
    expect(document.progress).toMatchObject({
      status: 'completed',
      worker: ana,
      plantedAt: minute(20),
      completedAt: minute(30),
    });
    expect(jobs).toHaveLength(1);
  });

  test('an admin’s step back takes the later dates away', () => {
    const { document } = told(completed(), orderId, 4, 'completed', 'assigned', BY_ADMIN)!;
    expect(document.progress).toEqual({ status: 'assigned', worker: ana, assignedAt: minute(1) });
  });

  test('an admin who was faster than the worker wins, though the worker’s number is higher', () => {
    const { document } = told(completed(), orderId, 2, 'assigned', 'pending', BY_ADMIN)!;
    expect(document).toMatchObject({
      progress: { status: 'pending' },
      statusRevision: 2,
      confirmedRevision: 2,
    });
  });

  test('an order that an admin moves on before anybody has it stays nobody’s and is not given away', () => {
    const { document } = told(waiting(), orderId, 1, 'pending', 'planted', BY_ADMIN)!;
    expect(document.progress).toEqual({ status: 'planted', plantedAt: minute(10) });
    expect(decideAssignment(document, ana, minute(20))).toBeUndefined();
  });
});

describe('photos', () => {
  test('are listed in the order they were sent, each once', () => {
    const late = photo(orderId, { photoId: 'late', filename: 'late.jpg', uploadedAt: minute(31) }).data;
    const early = photo(orderId, { photoId: 'early', filename: 'early.jpg', uploadedAt: minute(30) }).data;
    const both = decidePhoto(decidePhoto(planted(), late)!.document, early)!.document;
    expect(both.photos.map((one) => one.filename)).toEqual(['early.jpg', 'late.jpg']);
    expect(decidePhoto(both, early)).toBeUndefined();
  });

  test('of an order that is not known yet wait', () => {
    expect(() => decidePhoto(undefined, photo(orderId).data)).toThrow(/no assignment/);
  });
});
