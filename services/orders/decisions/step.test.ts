import { describe, expect, test } from '@jest/globals';
import { ANA, assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import type { Order } from '../order.ts';
import { decidePayment } from './creation.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();
const paid = payment({ orderId });

const fresh = (): Order => decidePayment(undefined, paid.data)!.document;
/** The order after these steps, each of which must move it. */
const after = (...steps: FieldStep[]): Order =>
  steps.reduce((order, step) => decideStep(order, step)!.document, fresh());

describe('the steps of the field', () => {
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

  test('are each told to the world with the new revision and who did it', () => {
    expect(decideStep(fresh(), assigned(orderId))!.events).toEqual([
      {
        type: 'order.status_changed',
        data: {
          ...{ orderId, statusRevision: 1, from: 'pending', to: 'assigned', at: minute(1) },
          by: { role: 'system' },
        },
      },
    ]);
    expect(decideStep(after(assigned(orderId)), planted(orderId))!.events).toEqual([
      {
        type: 'order.status_changed',
        data: {
          ...{ orderId, statusRevision: 2, from: 'assigned', to: 'planted', at: minute(20) },
          by: { role: 'worker', id: ANA.workerId, name: ANA.name },
        },
      },
    ]);
  });

  test('are added to the history, which keeps what was there', () => {
    const before = after(assigned(orderId));
    const order = decideStep(before, planted(orderId, { notes: 'Rainy day' }))!.document;
    expect(order.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(order.timeline.at(-1)).toEqual({
      ...{ at: minute(20), type: 'status_changed', from: 'assigned', to: 'planted', note: 'Rainy day' },
      by: { role: 'worker', id: ANA.workerId, name: ANA.name },
    });
    expect(order.notes).toBe('Rainy day');
  });

  test('say where the trees stand when they are planted', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const order = after(assigned(orderId), planted(orderId, { coordinates }));
    expect(order).toMatchObject({ location: 'Finca La Esperanza, Salento', coordinates });
  });

  test('that come before the order wait', () => {
    expect(() => decideStep(undefined, assigned(orderId))).toThrow(/not been created/);
  });

  test('that come before the step they stand on wait', () => {
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
    ['planted', { ...fresh(), isFullyRefunded: true }, planted(orderId, { statusRevision: 0 }), 'pending'],
  ] as const)(
    'to %s whose number fits but not its status change none; whoever is ahead in number hears what holds',
    (step, order, event, status) => {
      const { document, events } = decideStep(order, event)!;
      expect(document).toMatchObject({ progress: order.progress, statusRevision: order.statusRevision + 1 });
      expect(document.timeline.at(-1)).toMatchObject({ type: 'overtaken', to: step });
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
      expect('withdrawn' in events![0]!.data).toBe(order.isFullyRefunded);
    },
  );
});

describe('an admin who assigns', () => {
  const PABLO = { ...ANA, workerId: 'worker-pablo', code: 'QU-020', name: 'Pablo Mora' };
  const by = { role: 'admin' as const, id: 'admin-1', name: 'Lucía' };
  const given = (statusRevision: number, more: Partial<FieldStep['data']> = {}) =>
    assigned(orderId, { worker: PABLO, statusRevision, by, reason: 'Ana is ill', at: minute(5), ...more });

  test('moves a pending order on, in the own name', () => {
    const { document, events } = decideStep(fresh(), given(0))!;
    expect(document.progress).toMatchObject({ status: 'assigned', worker: PABLO, assignedAt: minute(5) });
    expect(document.timeline.at(-1)).toMatchObject({ type: 'status_changed', by, reason: 'Ana is ill' });
    expect(events).toMatchObject([{ data: { from: 'pending', to: 'assigned', by, statusRevision: 1 } }]);
  });

  test('takes an order over to another worker, and the status stays', () => {
    const { document, events } = decideStep(after(assigned(orderId)), given(1))!;
    expect(document.progress).toMatchObject({ status: 'assigned', worker: PABLO, assignedAt: minute(5) });
    expect(document.timeline.at(-1)).toEqual({
      ...{ at: minute(5), by, type: 'reassigned', fromWorker: ANA.name, toWorker: PABLO.name },
      reason: 'Ana is ill',
    });
    expect(events).toMatchObject([
      { data: { from: 'assigned', to: 'assigned', statusRevision: 2, by, reason: 'Ana is ill' } },
    ]);
  });

  test('may give planted trees to another worker; the days of what was done stay', () => {
    const { document } = decideStep(after(assigned(orderId), planted(orderId)), given(2))!;
    expect(document.progress).toMatchObject({
      ...{ status: 'planted', worker: PABLO, assignedAt: minute(1), plantedAt: minute(20) },
    });
  });

  test('gives a worker to an order that was set to assigned by hand', () => {
    const byHand: Order = { ...fresh(), progress: { status: 'assigned', assignedAt: minute(2) } };
    const line = decideStep(byHand, assigned(orderId))!.document.timeline.at(-1);
    expect(line).toEqual({
      ...{ at: minute(1), type: 'reassigned', by: { role: 'system' }, toWorker: ANA.name },
    });
  });

  test('changes nothing of what is completed, withdrawn, or decided anew meanwhile', () => {
    const done = after(assigned(orderId), planted(orderId), completed(orderId));
    for (const order of [done, { ...fresh(), isFullyRefunded: true }]) {
      const { document } = decideStep(order, given(order.statusRevision))!;
      expect(document.progress).toBe(order.progress);
    }
    expect(decideStep(after(assigned(orderId)), given(0))).toBeUndefined();
    expect(() => decideStep(fresh(), given(1))).toThrow(/not yet 1/);
  });
});
