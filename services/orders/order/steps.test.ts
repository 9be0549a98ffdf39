import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import type { Order, Progress } from './order.ts';
import { ANA, assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { LUCIA, submitted } from '../test/event-builders.ts';
import { decidePayment, decideSubmission } from './creation.ts';
import { decideEdit } from './edit.ts';
import { decideStatus } from './status.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();

const fresh = (): Order => decidePayment(undefined, payment({ orderId }).data)!.record;

describe('step', () => {
  /** Applies these steps, each of which must change the order. */
  const after = (...steps: FieldStep[]): Order =>
    steps.reduce((order, step) => decideStep(order, step)!.record, fresh());

  describe('the steps of a worker', () => {
    test('lead from pending to completed and keep each date', () => {
      const order = after(assigned(orderId), planted(orderId), completed(orderId));
      expect(order.progress).toEqual({
        status: 'completed',
        assignmentId: `assignment-${orderId}`,
        worker: ANA,
        assignedAt: minute(1),
        plantedAt: minute(20),
        completedAt: minute(50),
      });
      expect(order.statusRevision).toBe(3);
    });

    test('are each published with the new revision and the actor', () => {
      expect(decideStep(fresh(), assigned(orderId))!.events).toEqual([
        {
          type: 'order.status_changed',
          data: {
            orderId,
            statusRevision: 1,
            from: 'pending',
            to: 'assigned',
            at: minute(1),
            by: { role: 'system' },
          },
        },
      ]);
      expect(decideStep(after(assigned(orderId)), planted(orderId))!.events).toEqual([
        {
          type: 'order.status_changed',
          data: {
            orderId,
            statusRevision: 2,
            from: 'assigned',
            to: 'planted',
            at: minute(20),
            by: { role: 'worker', id: ANA.workerId, name: ANA.name },
          },
        },
      ]);
    });

    test('are added to the history', () => {
      const before = after(assigned(orderId));
      const order = decideStep(before, planted(orderId, { notes: 'Rainy day' }))!.record;
      expect(order.timeline.slice(0, -1)).toEqual(before.timeline);
      expect(order.timeline.at(-1)).toEqual({
        at: minute(20),
        type: 'status_changed',
        from: 'assigned',
        to: 'planted',
        note: 'Rainy day',
        by: { role: 'worker', id: ANA.workerId, name: ANA.name },
      });
      expect(order.notes).toBe('Rainy day');
    });

    test('locate the trees when they are planted', () => {
      const coordinates = { latitude: 4.637, longitude: -75.57 };
      const order = after(assigned(orderId), planted(orderId, { coordinates }));
      expect(order).toMatchObject({ location: 'Finca La Esperanza, Salento', coordinates });
    });

    test('that come before the order wait', () => {
      expect(() => decideStep(undefined, assigned(orderId))).toThrow(/not been created/);
    });

    test('of an unpaid order wait', () => {
      const announced = decideSubmission(undefined, submitted(orderId).data)!.record;
      expect(() => decideStep(announced, assigned(orderId))).toThrow(/money .* is not there yet/);
    });

    test('assign an order to the worker who took it', () => {
      const PABLO = { ...ANA, workerId: 'worker-pablo', name: 'Pablo Mora' };
      const order = after(assigned(orderId), planted(orderId, { worker: PABLO }));
      expect(order.progress).toMatchObject({ status: 'planted', worker: PABLO });
    });

    test('that an admin decided too late are recorded in the admin’s name', () => {
      const by = { role: 'admin', id: 'admin-1', name: 'Lucía' } as const;
      const done = after(assigned(orderId), planted(orderId), completed(orderId));
      const { record } = decideStep(done, assigned(orderId, { statusRevision: 3, by }))!;
      expect(record.timeline.at(-1)).toMatchObject({ type: 'overtaken', by });
    });

    test('that come before an earlier step wait', () => {
      expect(() => decideStep(fresh(), planted(orderId))).toThrow(/not yet 1/);
      expect(() => decideStep(after(assigned(orderId)), completed(orderId))).toThrow(/not yet 2/);
    });

    test('decided on an older status are refused', () => {
      const order = after(assigned(orderId), planted(orderId));
      expect(decideStep(order, assigned(orderId))).toBeUndefined();
      expect(decideStep(order, planted(orderId))).toBeUndefined();
    });

    test.each([
      ['planted', fresh(), planted(orderId, { statusRevision: 0 }), 'pending'],
      ['completed', fresh(), completed(orderId, { statusRevision: 0 }), 'pending'],
      ['assigned', after(assigned(orderId)), assigned(orderId, { statusRevision: 1 }), 'assigned'],
      ['planted', { ...fresh(), isGivenBack: true }, planted(orderId, { statusRevision: 0 }), 'pending'],
    ] as const)(
      'to %s with the right revision but the wrong status change nothing; a new revision resynchronizes assignments',
      (step, order, event, status) => {
        const { record, events } = decideStep(order, event)!;
        expect(record).toMatchObject({
          progress: order.progress,
          statusRevision: order.statusRevision + 1,
        });
        expect(record.timeline.at(-1)).toMatchObject({ type: 'overtaken', to: step });
        expect(events).toMatchObject([
          {
            data: {
              from: status,
              to: status,
              by: { role: 'system' },
              statusRevision: order.statusRevision + 1,
            },
          },
        ]);
        expect('withdrawn' in events![0]!.data).toBe(order.isGivenBack);
      },
    );
  });

  describe('an admin who assigns', () => {
    const PABLO = { ...ANA, workerId: 'worker-pablo', code: 'QU-020', name: 'Pablo Mora' };
    const by = { role: 'admin' as const, id: 'admin-1', name: 'Lucía' };
    const given = (statusRevision: number, more: Partial<FieldStep['data']> = {}) =>
      assigned(orderId, { worker: PABLO, statusRevision, by, reason: 'Ana is ill', at: minute(5), ...more });

    test('assigns a pending order in the admin’s own name', () => {
      const { record, events } = decideStep(fresh(), given(0))!;
      expect(record.progress).toMatchObject({ status: 'assigned', worker: PABLO, assignedAt: minute(5) });
      expect(record.timeline.at(-1)).toMatchObject({ type: 'status_changed', by, reason: 'Ana is ill' });
      expect(events).toMatchObject([{ data: { from: 'pending', to: 'assigned', by, statusRevision: 1 } }]);
    });

    test('reassigns an order without changing its status', () => {
      const { record, events } = decideStep(after(assigned(orderId)), given(1))!;
      expect(record.progress).toMatchObject({ status: 'assigned', worker: PABLO, assignedAt: minute(5) });
      expect(record.timeline.at(-1)).toEqual({
        at: minute(5),
        by,
        type: 'reassigned',
        fromWorker: ANA.name,
        toWorker: PABLO.name,
        reason: 'Ana is ill',
      });
      expect(events).toMatchObject([
        { data: { from: 'assigned', to: 'assigned', statusRevision: 2, by, reason: 'Ana is ill' } },
      ]);
    });

    test('may reassign planted trees; the dates stay', () => {
      const { record } = decideStep(after(assigned(orderId), planted(orderId)), given(2))!;
      expect(record.progress).toMatchObject({
        status: 'planted',
        worker: PABLO,
        assignedAt: minute(1),
        plantedAt: minute(20),
      });
    });

    test('gives a worker to an order that was set to assigned by hand', () => {
      const byHand: Order = { ...fresh(), progress: { status: 'assigned', assignedAt: minute(2) } };
      const line = decideStep(byHand, assigned(orderId))!.record.timeline.at(-1);
      expect(line).toEqual({
        at: minute(1),
        type: 'reassigned',
        by: { role: 'system' },
        toWorker: ANA.name,
      });
    });

    test('changes nothing of a completed, withdrawn or meanwhile changed order', () => {
      const done = after(assigned(orderId), planted(orderId), completed(orderId));
      for (const order of [done, { ...fresh(), isGivenBack: true }]) {
        const { record } = decideStep(order, given(order.statusRevision))!;
        expect(record.progress).toBe(order.progress);
      }
      expect(decideStep(after(assigned(orderId)), given(0))).toBeUndefined();
      expect(() => decideStep(fresh(), given(1))).toThrow(/not yet 1/);
    });
  });
});

describe('status', () => {
  const pending = decidePayment(undefined, payment({ orderId }).data)!.record;

  const after = (...steps: FieldStep[]): Order =>
    steps.reduce((order, step) => decideStep(order, step)!.record, pending);

  const done = after(assigned(orderId), planted(orderId), completed(orderId));

  const NOW = minute(500);

  const set = (order: Order, status: OrderStatus, reason?: string) =>
    decideStatus(order, { status, reason }, LUCIA, NOW);

  const progressOf = (order: Order, status: OrderStatus): Progress => set(order, status)!.record.progress;

  describe('an admin’s status', () => {
    test.each(ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const)))(
      'from %s to %s is one revision and one line when it changes anything, else nothing',
      (from, to) => {
        const order = from === 'pending' ? pending : set(pending, from)!.record;
        const change = set(order, to, 'By hand');
        if (from === to) return expect(change).toBeUndefined();
        const step = { from, to, by: LUCIA, at: NOW, reason: 'By hand' };
        const statusRevision = order.statusRevision + 1;
        expect(change).toMatchObject({
          record: { statusRevision, progress: { status: to } },
          events: [{ type: 'order.status_changed', data: { orderId, statusRevision, ...step } }],
        });
        expect(change!.record.timeline).toEqual([...order.timeline, { type: 'status_changed', ...step }]);
      },
    );

    test('forward sets missing dates, except the date of assignment', () => {
      expect(progressOf(pending, 'assigned')).toMatchObject({ assignedAt: NOW });
      expect(progressOf(pending, 'planted')).toMatchObject({ plantedAt: NOW, assignedAt: undefined });
      expect(progressOf(pending, 'completed')).toMatchObject({ plantedAt: NOW, completedAt: NOW });
    });

    test('forward keeps the worker and known dates', () => {
      const order = after(assigned(orderId), planted(orderId));
      expect(progressOf(order, 'completed')).toMatchObject({
        worker: ANA,
        assignedAt: minute(1),
        plantedAt: minute(20),
        completedAt: NOW,
      });
    });

    test('back clears later dates, and pending the worker too', () => {
      const planted = progressOf(done, 'planted');
      expect(planted).toMatchObject({ worker: ANA, assignedAt: minute(1), plantedAt: minute(20) });
      expect(planted).not.toHaveProperty('completedAt');
      const assigned = progressOf(done, 'assigned');
      expect(assigned).toMatchObject({ worker: ANA, assignedAt: minute(1) });
      expect(assigned).not.toHaveProperty('plantedAt');
      expect(progressOf(done, 'pending')).toEqual({ status: 'pending' });
    });

    test('pending removes the worker’s place and notes; what an admin set is back', () => {
      const instructed = {
        location: 'Salento',
        coordinates: { latitude: 4.6, longitude: -75.5 },
        notes: 'By the river',
      };
      const said = { location: 'Filandia', coordinates: { latitude: 4.7, longitude: -75.6 }, notes: 'Rainy' };
      const placeOf = ({ location, coordinates, notes }: Order) => ({ location, coordinates, notes });
      const byHand = { by: LUCIA, at: minute(2) };
      const edited = decideEdit(after(assigned(orderId)), instructed, byHand)!.record;
      const replanted = (order: Order) => decideStep(order, planted(orderId, said))!.record;
      expect(placeOf(replanted(edited))).toEqual(said);
      expect(placeOf(set(replanted(edited), 'pending')!.record)).toEqual(instructed);

      const cleared = decideEdit(edited, { location: null, coordinates: null, notes: '' }, byHand)!.record;
      expect(placeOf(set(replanted(cleared), 'pending')!.record)).toEqual({});
    });

    test('makes a worker’s earlier step stale', () => {
      const set = decideStatus(after(assigned(orderId)), { status: 'completed' }, LUCIA, NOW)!.record;
      expect(decideStep(set, planted(orderId))).toBeUndefined();
    });

    test('is refused for an unpaid order', () => {
      const transfer = decideSubmission(undefined, submitted(newOrderId()).data)!.record;
      expect(() => set(transfer, 'assigned')).toThrow(Problem);
      expect(() => set(transfer, 'assigned')).toThrow('order-unpaid');
      expect(set(transfer, 'pending')).toBeUndefined();
    });

    test('back to pending withdraws a refunded order', () => {
      const { events } = set({ ...done, isGivenBack: true }, 'pending')!;
      expect(events).toMatchObject([{ data: { to: 'pending', withdrawn: true } }]);
      expect(set(done, 'pending')!.events![0]!.data).not.toHaveProperty('withdrawn');
    });
  });
});
