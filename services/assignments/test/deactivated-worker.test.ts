import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BY_ADMIN, orderCreated, statusChanged, workerUpdated } from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

describe('a worker who is deactivated', () => {
  let field: AssignmentsFixture;

  let version: number;

  beforeAll(async () => {
    field = await openAssignments();
  });

  beforeEach(() => void (version = 1));

  afterEach(() => field.clear());

  afterAll(() => field.close());

  const profile = (workerId: string) => ({ workerId, region: 'Quindío', capacityTrees: 100 });

  const changes = (workerId: string, active: boolean) =>
    field.publish(enveloped(workerUpdated({ ...profile(workerId), active }), ++version));

  const shown = async (id: string) =>
    (await field.asAdmin('GET /api/admin/orders/{id}/assignment', { params: { id } })).body.assignment;

  describe('an inactive worker', () => {
    test('loses unplanted orders to others, and orders learns of each change', async () => {
      await field.known(profile('ana'));
      const { orderId, assignmentId } = await field.assignedOrder();
      await changes('ana', false);
      await waitFor(async () => (await shown(orderId)).isWaiting);
      expect(await shown(orderId)).toMatchObject({
        status: 'assigned',
        revision: 1,
        worker: { workerId: 'ana', active: false },
      });

      await field.known(profile('luis'));
      const next = await field.probe.next('order.assigned', ({ key }) => key === orderId);
      expect(next.data).toMatchObject({
        statusRevision: 1,
        worker: { workerId: 'luis' },
        previousWorker: { workerId: 'ana' },
        by: { role: 'system' },
      });
      expect(await shown(orderId)).toMatchObject({
        status: 'assigned',
        isWaiting: false,
        worker: { workerId: 'luis', active: true },
        history: [{ worker: { workerId: 'ana' } }, { worker: { workerId: 'luis' }, by: { role: 'system' } }],
      });
      // A confirmation by orders changes nothing.
      await field.publish(
        statusChanged(orderId, 1, 'pending', 'assigned'),
        statusChanged(orderId, 2, 'assigned', 'assigned'),
      );
      await waitFor(async () => (await field.store.assignments.get(assignmentId))?.confirmedRevision === 2);
      expect((await field.list('luis')).assignments).toMatchObject([{ orderId, status: 'assigned' }]);
    });

    test('keeps them when active again before another worker was found', async () => {
      await field.known(profile('ana'));
      const { orderId } = await field.assignedOrder();
      await changes('ana', false);
      await waitFor(async () => (await shown(orderId)).isWaiting);
      await changes('ana', true);
      await waitFor(async () => !(await shown(orderId)).isWaiting);
      expect(await shown(orderId)).toMatchObject({ revision: 1, worker: { workerId: 'ana', active: true } });
      expect(field.probe.all('order.assigned')).toHaveLength(1);
    });

    test('keeps planted orders until an admin reassigns them', async () => {
      await field.known(profile('ana'));
      const { orderId, assignmentId } = await field.assignedOrder();
      await field.move('ana', assignmentId, { status: 'planted' });
      await field.known(profile('luis'));
      const other = await field.assignedOrder();
      await changes('ana', false);
      await waitFor(async () => (await shown(orderId)).worker.active === false);
      const body = { workerId: 'luis', reason: 'Ana left' };
      expect(other.worker.workerId).toBe('luis');
      expect(await shown(orderId)).toMatchObject({ status: 'planted', isWaiting: false });
      const { status } = await field.asAdmin('PUT /api/admin/orders/{id}/assignment', {
        params: { id: orderId },
        body,
      });
      expect(status).toBe(200);
    });

    test('gets no more orders', async () => {
      await field.known(profile('ana'));
      await changes('ana', false);
      await waitFor(async () => (await field.store.workers.get('ana'))?.active === false);
      const waiting = orderCreated();
      await field.publish(waiting);
      await field.known(profile('luis'));
      const { data } = await field.probe.next('order.assigned');
      expect(data.worker.workerId).toBe('luis');
    });

    test('gets an order back when an admin undoes its planting, only to pass it on', async () => {
      await field.known(profile('ana'));
      const { orderId, assignmentId } = await field.assignedOrder();
      await field.move('ana', assignmentId, { status: 'planted' });
      await changes('ana', false);
      await field.publish(statusChanged(orderId, 3, 'planted', 'assigned', BY_ADMIN));
      await waitFor(async () => (await shown(orderId)).isWaiting);
      await field.known(profile('luis'));
      await waitFor(async () => (await shown(orderId)).worker.workerId === 'luis');
    });

    test('with many orders loses all of them', async () => {
      await field.known({ ...profile('ana'), capacityTrees: 10_000 });
      const orders = Array.from({ length: 30 }, () => orderCreated({ trees: 1 }));
      await field.publish(...orders);
      await field.list('ana', ({ assignments }) => assignments.length === 30);
      await field.known({ ...profile('luis'), capacityTrees: 10_000 });
      await changes('ana', false);
      await field.list('luis', ({ assignments }) => assignments.length === 30);
      expect((await field.list('ana')).assignments).toEqual([]);
    });

    test('loses orders even when they are assigned at that very moment', async () => {
      await field.known({ ...profile('ana'), capacityTrees: 10_000 });
      const orders = Array.from({ length: 20 }, () => orderCreated({ trees: 1 }));
      await Promise.all([
        ...orders.slice(0, 10).map((order) => field.publish(order)),
        changes('ana', false),
        ...orders.slice(10).map((order) => field.publish(order)),
      ]);
      await field.known({ ...profile('luis'), capacityTrees: 10_000 });
      await field.list('luis', ({ assignments }) => assignments.length === 20);
      expect((await field.list('ana')).assignments).toEqual([]);
    });
  });
});
