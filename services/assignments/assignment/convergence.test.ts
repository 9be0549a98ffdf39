import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Worker } from '@arboleda/contracts/fields.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { BY_ADMIN, minute, newOrderId, orderCreated, statusChanged, worker } from '../test/builders.ts';
import { workerOf } from '../workers/worker.ts';
import type { Assignment } from './assignment.ts';
import { decideConvergence } from './convergence.ts';
import { decideCreation } from './order-events.ts';
import { holdingsOf } from './progress.ts';
import {
  decideAdminAssignment,
  decideAssignment,
  decideLateStep,
  decideRelease,
  decideWorkerStep,
} from './steps.ts';

type Step = NewEvent<'order.assigned' | 'order.planted' | 'order.completed'>;
const PEOPLE = ['ana', 'luis', 'rosa'].map((id) => workerOf(worker(id)));

/**
 * A model of orders: a step counts when its revision and previous status match; whoever plants or completes
 * becomes the worker; admins set any status at any time. Early steps are retried.
 */
function authority(orderId: string) {
  let status: OrderStatus = 'pending';
  let holder: Worker | undefined;
  let revision = 0;
  let isRefunded = false;
  const said: NewEvent<'order.status_changed'>[] = [];
  const move = (to: OrderStatus, by: Actor, at: string) => {
    revision += 1;
    const withdrawn = isRefunded && to === 'pending' ? { withdrawn: true } : {};
    said.push(statusChanged(orderId, revision, status, to, { by, at, ...withdrawn }));
    status = to;
    if (to === 'pending') holder = undefined;
  };
  const accepts = ({ type, data }: Step): OrderStatus | undefined => {
    if (type === 'order.planted') return status === 'assigned' ? 'planted' : undefined;
    if (type === 'order.completed') return status === 'planted' ? 'completed' : undefined;
    if (isRefunded && status === 'pending') return undefined;
    if (status === 'pending') return 'assigned';
    return status === 'completed' || (holder && !data.by) ? undefined : status;
  };
  return {
    said,
    status: () => status,
    holder: () => holder?.workerId,
    admin: (to: OrderStatus, at: string) => void (to !== status && move(to, BY_ADMIN.by, at)),
    refund(at: string) {
      if (isRefunded) return;
      isRefunded = true;
      if (status === 'pending' || status === 'assigned') move('pending', BY_ADMIN.by, at);
    },
    hear(step: Step): 'received' | 'too early' {
      const { statusRevision, by, at } = step.data;
      if (statusRevision > revision) return 'too early';
      const to = statusRevision === revision ? accepts(step) : undefined;
      if (!to) return 'received';
      const { workerId: id, name } = step.data.worker;
      const isAssigned = step.type === 'order.assigned';
      move(to, by ?? (isAssigned ? { role: 'system' } : { role: 'worker', id, name }), at);
      holder = step.data.worker;
      return 'received';
    },
  };
}

/** Simulates one order: people act and messages arrive in any order between topics, some twice. */
function live(chance: Chance) {
  const orderId = newOrderId();
  const orders = authority(orderId);
  let assignment: Assignment = decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;
  const toOrders: Step[] = [];
  const toAssignments: NewEvent<'order.status_changed'>[] = [];
  let acts = 0;

  const act = (change: { record: Assignment; events?: readonly NewEvent[] } | undefined) => {
    if (!change) return;
    assignment = change.record;
    toOrders.push(...((change.events ?? []) as Step[]));
  };
  const takeOne = <T>(from: T[], isInOrder: boolean): T | undefined => {
    const at = isInOrder ? 0 : chance.below(from.length);
    return chance.below(5) === 0 ? from[at] : from.splice(at, 1)[0];
  };
  const deliver = () => {
    const step = takeOne(toOrders, false);
    if (step && orders.hear(step) === 'too early') toOrders.push(step);
    toAssignments.push(...orders.said.splice(0));
    // Events of one order on one topic stay in order.
    const news = chance.below(2) === 0 ? takeOne(toAssignments, true) : undefined;
    if (news) act(decideConvergence(assignment, news.data));
  };
  const tried = (decide: () => Parameters<typeof act>[0]) => {
    try {
      act(decide());
    } catch {
      // A refused action changes nothing.
    }
  };
  const people: (() => void)[] = [
    () => act(decideAssignment(assignment, chance.pick(PEOPLE), minute(acts))),
    () => tried(() => workerStep('planted')),
    () => tried(() => workerStep('completed')),
    () =>
      tried(() => {
        const admin = { worker: chance.pick(PEOPLE), reason: 'Holidays', ...BY_ADMIN };
        return decideAdminAssignment(
          assignment,
          { ...admin, seenRevision: assignment.statusRevision },
          minute(acts),
        );
      }),
    () => act(decideRelease(assignment, assignment.progress.worker?.workerId ?? '', false)),
    () => chance.below(3) === 0 && orders.admin(chance.pick(ORDER_STATUSES), minute(acts)),
    () => chance.below(20) === 0 && orders.refund(minute(acts)),
  ];
  const workerStep = (status: 'planted' | 'completed') =>
    decideWorkerStep(assignment, assignment.progress.worker?.workerId ?? '', { status }, minute(acts));

  for (let turn = 0; turn < 60; turn++) {
    acts++;
    if (chance.below(2) === 0) deliver();
    else chance.pick(people)();
  }
  // Drains: nobody acts any more, pending messages arrive. Steps that stay too early become dead letters.
  for (let turn = 0; turn < 400; turn++) deliver();
  const { status, worker: holder } = assignment.progress;
  const known = status === 'withdrawn' ? 'pending' : status;
  return {
    assignment: { status: known, holder: holder?.workerId },
    order: { status: orders.status(), holder: orders.holder() },
    isSettled: !assignment.steps.some((step) => step.isLive),
    lastHeld: holdingsOf(assignment).at(-1)?.worker?.workerId,
  };
}

test('assignment and order end with the same status and worker, whatever people do and however messages arrive', () => {
  const ends = new Map<string, number>();
  for (let seed = 0; seed < 600; seed++) {
    const { order, assignment, isSettled, lastHeld } = live(seeded(seed));
    expect({ seed, ...assignment, isSettled }).toEqual({ seed, ...order, isSettled: true });
    expect({ seed, lastHeld }).toEqual({ seed, lastHeld: order.holder });
    const end = `${order.status} ${order.holder ? 'by somebody' : 'by nobody'}`;
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  // Checks that the simulations vary.
  const somebody = ['assigned', 'completed', 'planted'].map((status) => `${status} by somebody`);
  expect([...ends.keys()]).toEqual(expect.arrayContaining([...somebody, 'pending by nobody']));
});

describe('an admin’s decision in orders', () => {
  const orderId = newOrderId();
  const fresh = () => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;
  const [ana, luis] = PEOPLE as [Worker, Worker];
  const given = () => decideAssignment(fresh(), ana, minute(1))!.record;
  const applied = (current: Assignment, data: EventData<'order.status_changed'>) =>
    decideConvergence(current, data)!.record;

  test('before an automatic assignment takes it back: orders never had that worker', () => {
    const after = applied(given(), statusChanged(orderId, 1, 'pending', 'planted', BY_ADMIN).data);
    expect(after.progress).toEqual({ status: 'planted', plantedAt: minute(10) });
    expect(after.steps).toEqual([]);
    expect(holdingsOf(after)).toEqual([]);
  });

  test('to set assigned without a worker starts the search for one', () => {
    const after = applied(fresh(), statusChanged(orderId, 1, 'pending', 'assigned', BY_ADMIN).data);
    expect(after).toMatchObject({ progress: { status: 'assigned' }, isReleased: true });
    const { events } = decideAssignment(after, luis, minute(12))!;
    expect(events).toMatchObject([{ data: { statusRevision: 1, worker: luis } }]);
    expect(events![0]!.data).not.toHaveProperty('previousWorker');
  });

  test('to refund leaves it unassigned until it is no longer pending', () => {
    const refunded = { ...BY_ADMIN, withdrawn: true };
    const after = applied(given(), statusChanged(orderId, 2, 'assigned', 'pending', refunded).data);
    expect(after).toMatchObject({ progress: { status: 'withdrawn' }, isWithdrawn: true });
    expect(decideAssignment(after, luis, minute(30))).toBeUndefined();
    const again = applied(after, statusChanged(orderId, 3, 'pending', 'planted', BY_ADMIN).data);
    expect([again.progress.status, again.isWithdrawn]).toEqual(['planted', undefined]);
  });

  test.each([
    ['in turn', [2, 3]],
    ['the other way round', [3, 2]],
  ])('to reinstate it, arriving %s, lets any worker have it, the former one too', (_how, order) => {
    const bySystem = { by: { role: 'system' } } as const;
    const news: Record<number, ReturnType<typeof statusChanged>['data']> = {
      2: statusChanged(orderId, 2, 'assigned', 'pending', { ...BY_ADMIN, withdrawn: true }).data,
      3: statusChanged(orderId, 3, 'pending', 'pending', bySystem).data,
    };
    const [first, second] = order.map((revision) => news[revision]!);
    const known = applied(applied(given(), statusChanged(orderId, 1, 'pending', 'assigned').data), first!);
    const after = decideConvergence(known, second!)?.record ?? known;
    expect(after).toMatchObject({ progress: { status: 'pending' }, confirmedRevision: 3 });
    expect([after.isWithdrawn, after.takenFromWorkerId]).toEqual([undefined, undefined]);
    expect(decideAssignment(after, ana, minute(90))).toBeDefined();
  });

  test.each([
    ['in turn', [2, 3]],
    ['the other way round', [3, 2]],
  ])('of its donor to withdraw and to keep it, arriving %s, stops the work until then', (_how, order) => {
    const by = { role: 'customer' } as const;
    const news: Record<number, ReturnType<typeof statusChanged>['data']> = {
      2: statusChanged(orderId, 2, 'assigned', 'pending', { by, held: true }).data,
      3: statusChanged(orderId, 3, 'pending', 'pending', { by }).data,
    };
    const assignedAt1 = applied(given(), statusChanged(orderId, 1, 'pending', 'assigned').data);
    const held = applied(assignedAt1, news[2]!);
    expect(held).toMatchObject({ progress: { status: 'withdrawn' }, isWithdrawn: true });
    expect(decideAssignment(held, luis, minute(30))).toBeUndefined();
    expect(() => decideWorkerStep(held, ana.workerId, { status: 'planted' }, minute(31))).toThrow('conflict');
    expect(decideLateStep(held, ana.workerId, { status: 'planted' }, minute(31))!.events).toMatchObject([
      { type: 'order.late_step', data: { step: 'planted' } },
    ]);
    const [first, second] = order.map((revision) => news[revision]!);
    const known = applied(assignedAt1, first!);
    const after = decideConvergence(known, second!)?.record ?? known;
    expect(after).toMatchObject({ progress: { status: 'pending' }, confirmedRevision: 3 });
    expect([after.isWithdrawn, after.takenFromWorkerId]).toEqual([undefined, undefined]);
    expect(decideAssignment(after, ana, minute(90))).toBeDefined();
  });

  test('to refund does not count as an own step of the same revision', () => {
    const data = { withdrawn: true, by: { role: 'system' } } as const;
    const after = applied(given(), statusChanged(orderId, 1, 'pending', 'pending', data).data);
    expect(after).toMatchObject({ progress: { status: 'withdrawn' }, isWithdrawn: true, steps: [] });
  });

  test('to assign it again, arriving before the withdrawal, leaves it unassigned', () => {
    const known = applied(given(), statusChanged(orderId, 1, 'pending', 'assigned').data);
    const after = applied(known, statusChanged(orderId, 3, 'pending', 'assigned', BY_ADMIN).data);
    expect(after.progress).toEqual({ status: 'assigned' });
    expect(after).toMatchObject({ isReleased: true, takenFromWorkerId: ana.workerId });
    expect(holdingsOf(after).map(({ worker }) => worker?.workerId)).toEqual([ana.workerId, undefined]);
  });

  test('to plant it wins, even when orders accepts an earlier own step', () => {
    const released = decideRelease(given(), ana.workerId, false)!.record;
    const { record, events } = decideAssignment(released, luis, minute(5))!;
    expect(events).toMatchObject([{ data: { statusRevision: 1, worker: luis } }]);
    const taken = statusChanged(orderId, 2, 'planted', 'planted', { at: minute(5) });
    const after = applied(record, taken.data);
    expect(after).toMatchObject({ progress: { status: 'planted', worker: luis }, statusRevision: 2 });
  });
});
