import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import type { Order, Progress } from '../order.ts';
import { ANA, assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { LUCIA, submitted } from '../test/news.ts';
import { decidePayment, decideSubmission } from './creation.ts';
import { decideStatus } from './status.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();
const pending = decidePayment(undefined, payment({ orderId }).data)!.document;
const after = (...steps: FieldStep[]): Order =>
  steps.reduce((order, step) => decideStep(order, step)!.document, pending);
const done = after(assigned(orderId), planted(orderId), completed(orderId));

const NOW = minute(500);
const set = (order: Order, status: OrderStatus, reason?: string) =>
  decideStatus(order, { status, reason }, LUCIA, NOW);
const progressOf = (order: Order, status: OrderStatus): Progress => set(order, status)!.document.progress;

describe('an admin’s status', () => {
  test.each(ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const)))(
    'from %s to %s is one revision and one line when it changes anything, else nothing',
    (from, to) => {
      const order = from === 'pending' ? pending : set(pending, from)!.document;
      const change = set(order, to, 'By hand');
      if (from === to) return expect(change).toBeUndefined();
      const step = { from, to, by: LUCIA, at: NOW, reason: 'By hand' };
      const statusRevision = order.statusRevision + 1;
      expect(change).toMatchObject({
        document: { statusRevision, progress: { status: to } },
        events: [{ type: 'order.status_changed', data: { orderId, statusRevision, ...step } }],
      });
      expect(change!.document.timeline).toEqual([...order.timeline, { type: 'status_changed', ...step }]);
    },
  );

  test('forward sets the days that are missing, but nobody was assigned who was not', () => {
    expect(progressOf(pending, 'assigned')).toMatchObject({ assignedAt: NOW });
    expect(progressOf(pending, 'planted')).toMatchObject({ plantedAt: NOW, assignedAt: undefined });
    expect(progressOf(pending, 'completed')).toMatchObject({ plantedAt: NOW, completedAt: NOW });
  });

  test('forward keeps the worker and the days that are known', () => {
    const order = after(assigned(orderId), planted(orderId));
    expect(progressOf(order, 'completed')).toMatchObject({
      ...{ worker: ANA, assignedAt: minute(1), plantedAt: minute(20), completedAt: NOW },
    });
  });

  test('back forgets the days of what is no longer so, and pending the worker too', () => {
    const planted = progressOf(done, 'planted');
    expect(planted).toMatchObject({ worker: ANA, assignedAt: minute(1), plantedAt: minute(20) });
    expect(planted).not.toHaveProperty('completedAt');
    const assigned = progressOf(done, 'assigned');
    expect(assigned).toMatchObject({ worker: ANA, assignedAt: minute(1) });
    expect(assigned).not.toHaveProperty('plantedAt');
    expect(progressOf(done, 'pending')).toEqual({ status: 'pending' });
  });

  test('leaves a worker’s step behind that was decided before it', () => {
    const set = decideStatus(after(assigned(orderId)), { status: 'completed' }, LUCIA, NOW)!.document;
    expect(decideStep(set, planted(orderId))).toBeUndefined();
  });

  test('is not for an order whose money nobody has seen', () => {
    const transfer = decideSubmission(undefined, submitted(newOrderId()).data)!.document;
    expect(() => set(transfer, 'assigned')).toThrow(Problem);
    expect(() => set(transfer, 'assigned')).toThrow('order-unpaid');
    expect(set(transfer, 'pending')).toBeUndefined();
  });

  test('back to pending withdraws what was refunded', () => {
    const { events } = set({ ...done, isFullyRefunded: true }, 'pending')!;
    expect(events).toMatchObject([{ data: { to: 'pending', withdrawn: true } }]);
    expect(set(done, 'pending')!.events![0]!.data).not.toHaveProperty('withdrawn');
  });
});
