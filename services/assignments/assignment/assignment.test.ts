import type { Change } from '@arboleda/chassis/records.ts';
import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { decidePurchase } from '../growth/purchase.ts';
import { inStep, shownVisits } from '../growth/visits.ts';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  orderUpdated,
  packagePurchased,
  paymentSubmitted,
  photo,
  photoHidden,
  photoRestored,
  statusChanged,
  worker,
} from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';
import {
  type Assignment,
  assignmentIdOf,
  everHad,
  formerWorkerIds,
  holderOf,
  placeOf,
  plotOf,
  shownPhotos,
} from './assignment.ts';
import { decideConvergence } from './convergence.ts';
import {
  decideAnnouncement,
  decideCreation,
  decidePhoto,
  decideUpdate,
  decideVisibility,
} from './order-events.ts';
import { decideAdminAssignment, decideAssignment, decideWorkerStep, type WorkerStep } from './steps.ts';

const orderId = newOrderId();

const ana = workerOf(worker('ana'));

const BY_ANA = { by: { role: 'worker', id: 'ana', name: ana.name } } as const;

const waiting = (): Assignment => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;

const assigned = (): Assignment => decideAssignment(waiting(), ana, minute(1))!.record;

const move = (from: Assignment, status: WorkerStep['status'], at: string, said: Partial<WorkerStep> = {}) =>
  decideWorkerStep(from, 'ana', { status, ...said }, at)!;

const planted = (): Assignment => move(assigned(), 'planted', minute(20)).record;

const completed = (): Assignment => move(planted(), 'completed', minute(50)).record;

const applied = (current: Assignment | undefined, ...args: Parameters<typeof statusChanged>) =>
  decideConvergence(current, statusChanged(...args).data);

describe('a new order', () => {
  test('waits for a worker', () => {
    const { record, jobs, events } = decideCreation(undefined, orderCreated({ orderId }).data, 1)!;
    expect(record).toMatchObject({
      progress: { status: 'pending' },
      statusRevision: 0,
      trees: 5,
      photos: [],
    });
    expect(jobs).toBeUndefined();
    expect(events).toBeUndefined();
  });

  test('has one assignment, whose id is derived from the order’s', () => {
    expect(waiting().id).toBe(assignmentIdOf(orderId));
    expect(assignmentIdOf(orderId)).toMatch(/^[\w-]{1,64}$/);
    expect(decideCreation(waiting(), orderCreated({ orderId, trees: 20 }).data, 2)).toBeUndefined();
  });

  test('keeps only the customer data a worker needs: no phone', () => {
    expect(waiting().customer).toEqual({ name: 'María Pérez', email: 'maria@mail.test' });
  });
});

describe('decisions of orders', () => {
  test('confirm own steps without changing the current status', () => {
    const own = planted();
    const confirmed = applied(own, orderId, 1, 'pending', 'assigned')!.record;
    expect(confirmed).toMatchObject({ progress: own.progress, statusRevision: 2, confirmedRevision: 1 });
    expect(confirmed.confirmed).toMatchObject({ status: 'assigned', worker: ana });
    expect(confirmed.steps).toMatchObject([{ revision: 2, kind: 'planted' }]);
    const settled = applied(confirmed, orderId, 2, 'assigned', 'planted', BY_ANA)!.record;
    expect(settled).toMatchObject({ progress: own.progress, confirmed: own.progress, steps: [] });
  });

  test('are applied once', () => {
    const confirmed = applied(assigned(), orderId, 1, 'pending', 'assigned')!.record;
    expect(applied(confirmed, orderId, 1, 'pending', 'assigned')).toBeUndefined();
  });

  test('may skip a late one', () => {
    const confirmed = applied(planted(), orderId, 2, 'assigned', 'planted', BY_ANA)!.record;
    expect(applied(confirmed, orderId, 1, 'pending', 'assigned')).toBeUndefined();
  });

  test('wait for the order', () => {
    expect(() => applied(undefined, orderId, 1, 'pending', 'assigned')).toThrow(/no assignment/);
  });

  test('release the worker when an admin takes the order back, and do not assign the same worker again', () => {
    const spoken = move(assigned(), 'planted', minute(20), {
      location: 'Salento',
      notes: 'Wrong farm',
    }).record;
    const { record, jobs, events } = applied(spoken, orderId, 3, 'planted', 'pending', BY_ADMIN)!;
    expect(record.progress).toEqual({ status: 'pending' });
    expect(record).toMatchObject({ takenFromWorkerId: 'ana', statusRevision: 3, steps: [] });
    expect([record.location, record.notes]).toEqual([undefined, undefined]);
    expect(jobs).toMatchObject([{ key: 'assign-waiting' }]);
    expect(events).toBeUndefined();
  });

  test('bring back the place and notes that an admin set when they take the order back', () => {
    const set = { location: 'Salento', coordinates, notes: 'By the river' };
    const said = { location: 'Filandia', coordinates: { latitude: 4.7, longitude: -75.6 }, notes: 'Rainy' };
    const edit = (from: Assignment, sequence: number, place: Partial<typeof set>) =>
      decideUpdate(from, orderUpdated(orderId, { ...place, changed: Object.keys(set) }).data, sequence)!
        .record;
    const takenBack = (from: Assignment) =>
      applied(move(from, 'planted', minute(20), said).record, orderId, 3, 'planted', 'pending', BY_ADMIN)!
        .record;
    const instructed = edit(assigned(), 2, set);
    expect(takenBack(instructed)).toMatchObject(set);
    const { location, coordinates: point, notes } = takenBack(edit(instructed, 3, {}));
    expect([location, point, notes]).toEqual([undefined, undefined, undefined]);
  });

  test('keep the worker and free capacity when an admin completes a planted order', () => {
    const { record, jobs } = applied(planted(), orderId, 3, 'planted', 'completed', BY_ADMIN)!;
    expect(record.progress).toMatchObject({
      status: 'completed',
      worker: ana,
      plantedAt: minute(20),
      completedAt: minute(30),
    });
    expect(jobs).toHaveLength(1);
  });

  test('clear later dates when an admin moves a step back', () => {
    const { record } = applied(completed(), orderId, 4, 'completed', 'assigned', BY_ADMIN)!;
    expect(record.progress).toEqual({ status: 'assigned', worker: ana, assignedAt: minute(1) });
  });

  test('win when an admin was faster than the worker, though the worker’s revision is higher', () => {
    const { record } = applied(completed(), orderId, 2, 'assigned', 'pending', BY_ADMIN)!;
    expect(record).toMatchObject({
      progress: { status: 'pending' },
      statusRevision: 2,
      confirmedRevision: 2,
    });
  });

  test('leave an order unassigned that an admin moves on before it has a worker', () => {
    const { record } = applied(waiting(), orderId, 1, 'pending', 'planted', BY_ADMIN)!;
    expect(record.progress).toEqual({ status: 'planted', plantedAt: minute(10) });
    expect(decideAssignment(record, ana, minute(20))).toBeUndefined();
  });
});

describe('the place of an order', () => {
  test('is Colombia, then the donor’s region, then the worker’s, until somebody enters one', () => {
    const anywhere = waiting();
    const somewhere = { ...anywhere, region: 'Huila' };
    const given = decideAssignment(somewhere, ana, minute(1))!.record;
    expect([anywhere, somewhere, given].map(placeOf)).toEqual([
      'Colombia',
      'Huila, Colombia',
      'Quindío, Colombia',
    ]);
    expect([anywhere, somewhere, given].map(plotOf)).toEqual([undefined, undefined, undefined]);
  });

  test('is a plot only when it says more than the region', () => {
    const unnamed = planted();
    expect([placeOf(unnamed), plotOf(unnamed)]).toEqual(['Quindío, Colombia', undefined]);
    const named = move(assigned(), 'planted', minute(20), { location: 'Salento' }).record;
    expect([placeOf(named), plotOf(named)]).toEqual(['Salento', 'Salento']);
  });
});

test('the workers who had an order are known, each once, even after it was taken from all of them', () => {
  const luis = workerOf(worker('luis'));
  const confirmed = applied(assigned(), orderId, 1, 'pending', 'assigned')!.record;
  const passedOn = decideAdminAssignment(
    confirmed,
    { worker: luis, reason: 'Holidays', ...BY_ADMIN, seenRevision: 1 },
    minute(5),
  )!.record;
  expect(formerWorkerIds(passedOn, 'luis')).toEqual(['ana']);
  expect(holderOf(passedOn, 'ana')).toEqual(ana);
  const taken = applied(passedOn, orderId, 3, 'assigned', 'pending', BY_ADMIN)!.record;
  expect(formerWorkerIds(taken, undefined)).toEqual(['ana', 'luis']);
  const again = decideAssignment(taken, workerOf(worker('rosa')), minute(40))!.record;
  expect(formerWorkerIds(again, 'rosa')).toStrictEqual(['ana', 'luis']);
  expect(holderOf(taken, 'luis')).toEqual(luis);
  expect([holderOf(taken, 'rosa'), everHad(taken, 'rosa')]).toEqual([undefined, false]);
});

const coordinates = { latitude: 4.6, longitude: -75.5 };

type News = (current: Assignment | undefined) => Change<Assignment> | undefined;

/** Events of a transfer's order that admins handle manually. */
const news: News[] = [
  (current) => decideAnnouncement(current, paymentSubmitted({ orderId, trees: 5 }).data),
  (current) => decideUpdate(current, orderUpdated(orderId, { trees: 7, changed: ['trees'] }).data, 2),
  (current) => decideCreation(current, orderCreated({ orderId, trees: 7 }).data, 3),
  (current) =>
    decideUpdate(
      current,
      orderUpdated(orderId, {
        trees: 7,
        location: 'Salento',
        coordinates,
        changed: ['location', 'coordinates'],
      }).data,
      4,
    ),
  (current) => decideConvergence(current, statusChanged(orderId, 1, 'pending', 'assigned', BY_ADMIN).data),
  (current) => decideConvergence(current, statusChanged(orderId, 2, 'assigned', 'planted', BY_ADMIN).data),
  (current) =>
    decideUpdate(
      current,
      orderUpdated(orderId, {
        trees: 7,
        location: 'Salento',
        coordinates,
        customer: { ...ERASED_CUSTOMER },
        changed: ['customer.name', 'customer.email'],
      }).data,
      7,
    ),
  (current) => decidePurchase(current, packagePurchased(orderId).data),
  (current) => decidePhoto(current, photo(orderId).data),
  (current) => decidePhoto(current, photo(orderId, { photoId: 'photo-2', filename: 'second.jpg' }).data),
  (current) => decideVisibility(current, { ...photoHidden(orderId).data, isHidden: true, sequence: 3 }),
  (current) =>
    decideVisibility(current, { ...photoHidden(orderId, 'photo-2').data, isHidden: true, sequence: 3 }),
  (current) =>
    decideVisibility(current, { ...photoRestored(orderId, 'photo-2').data, isHidden: false, sequence: 4 }),
];

/** Delivers all events, some twice; early ones are retried. */
function hear(order: readonly News[], chance: Chance): Assignment {
  let current: Assignment | undefined;
  const waiting = order.flatMap((one) => (chance.below(4) === 0 ? [one, one] : [one]));
  for (let turns = 0; waiting.length > 0; turns++) {
    if (turns > 5_000) throw new Error('something never arrives');
    const one = waiting.shift()!;
    try {
      const change = one(current);
      if (change) current = inStep(current, change, minute(90)).record;
    } catch {
      waiting.push(one);
    }
  }
  return current!;
}

test('an assignment converges whatever the order of events, even when repeated', () => {
  const facts = (assignment: Assignment) => ({
    ...assignment,
    visits: shownVisits(assignment),
    photos: shownPhotos(assignment),
    updatedAt: undefined,
    growth: undefined,
    // Depends on whether the planting arrives before the earlier steps.
    isReleased: undefined,
    progress: assignment.progress.status,
  });
  const usual = hear(news, seeded(0));
  expect(facts(usual)).toMatchObject({
    progress: 'planted',
    trees: 7,
    customer: ERASED_CUSTOMER,
    location: 'Salento',
    coordinates,
    photos: ['second.jpg'],
    visits: [{ dueAt: '2027-02-21T15:25:00.000Z' }, {}, {}],
  });
  for (let seed = 1; seed <= 400; seed++) {
    const chance = seeded(seed);
    expect({ seed, ...facts(hear(chance.shuffle(news), chance)) }).toEqual({ seed, ...facts(usual) });
  }
});
