import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { expect, test } from '@jest/globals';
import {
  type Assignment,
  decideAssignment,
  decideConvergence,
  decideCreation,
  decideWorkerStep,
} from './assignment.ts';
import { BY_ADMIN, minute, newOrderId, orderCreated, statusChanged, worker } from './test/builders.ts';
import { workerOf } from './worker.ts';

/**
 * The authority, as assignments has to expect it: a step counts when both its revision and the status it stands on
 * are the order's; an admin sets any status at any time. Who comes too early is given back.
 */
function authority(orderId: string) {
  const steps = {
    'order.assigned': 'pending',
    'order.planted': 'assigned',
    'order.completed': 'planted',
  } as const;
  let status: OrderStatus = 'pending';
  let revision = 0;
  const said: NewEvent<'order.status_changed'>[] = [];
  const move = (to: OrderStatus, by: Pick<EventData<'order.status_changed'>, 'by'> | object) => {
    revision += 1;
    said.push(statusChanged(orderId, revision, status, to, by));
    status = to;
  };
  return {
    said,
    status: () => status,
    admin: (to: OrderStatus) => void (to !== status && move(to, BY_ADMIN)),
    hear({ type, data }: Step): 'heard' | 'too early' {
      if (data.statusRevision > revision) return 'too early';
      if (data.statusRevision === revision && steps[type] === status) move(type.slice(6) as OrderStatus, {});
      return 'heard';
    },
  };
}
type Step = NewEvent<'order.assigned' | 'order.planted' | 'order.completed'>;

/** One order's life: people act and messages arrive in any order, some twice. */
function live(chance: Chance): { order: OrderStatus; assignment: OrderStatus; acts: number } {
  const orderId = newOrderId();
  const orders = authority(orderId);
  let assignment: Assignment = decideCreation(undefined, orderCreated({ orderId }).data)!.document;
  const toOrders: Step[] = [];
  const toAssignments: NewEvent<'order.status_changed'>[] = [];
  let acts = 0;

  const act = (change: { document: Assignment; events?: readonly NewEvent[] } | undefined) => {
    if (!change) return;
    acts++;
    assignment = change.document;
    toOrders.push(...((change.events ?? []) as Step[]));
  };
  const takeOne = <T>(from: T[]): T | undefined => {
    const at = chance.below(from.length);
    return chance.below(5) === 0 ? from[at] : from.splice(at, 1)[0];
  };
  const deliver = () => {
    const step = takeOne(toOrders);
    if (step && orders.hear(step) === 'too early') toOrders.push(step);
    toAssignments.push(...orders.said.splice(0));
    const news = takeOne(toAssignments);
    if (news) act(decideConvergence(assignment, news.data));
  };
  const step = (status: 'planted' | 'completed') => {
    try {
      const id = assignment.progress.worker?.workerId ?? '';
      act(decideWorkerStep(assignment, id, { status }, minute(acts)));
    } catch {
      // Not possible now, and the worker is told so.
    }
  };

  for (let turn = 0; turn < 40; turn++) {
    const what = chance.below(8);
    if (what === 0)
      act(decideAssignment(assignment, workerOf(worker(chance.pick(['ana', 'luis']))), minute(acts)));
    else if (what === 1) step('planted');
    else if (what === 2) step('completed');
    else if (what === 3 && chance.below(3) === 0) orders.admin(chance.pick(ORDER_STATUSES));
    else deliver();
  }
  // The end: nobody acts any more; what is still on its way arrives. What stays too early becomes a dead letter.
  for (let turn = 0; turn < 300; turn++) deliver();
  return { order: orders.status(), assignment: assignment.progress.status, acts };
}

test('whatever people do and however messages come, assignment and order end in the same status', () => {
  const ends = new Map<string, number>();
  for (let seed = 0; seed < 1000; seed++) {
    const { order, assignment } = live(seeded(seed));
    expect({ seed, assignment }).toEqual({ seed, assignment: order });
    ends.set(order, (ends.get(order) ?? 0) + 1);
  }
  // The lives are not all the same one.
  expect([...ends.keys()].sort()).toEqual(['assigned', 'completed', 'pending', 'planted']);
});
