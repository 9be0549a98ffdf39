import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { assignmentIdOf } from '../assignment/assignment.ts';
import { decideAssignment } from '../assignment/steps.ts';
import { adminClient } from './admin-client.ts';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  statusChanged,
  workerRegistered,
  workerUpdated,
} from './builders.ts';
import { workerOf, WorkerUnavailable } from '../workers/worker.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

describe('assigning orders to workers', () => {
  let field: AssignmentsFixture;

  beforeAll(async () => {
    field = await openAssignments();
  });

  afterEach(() => field.clear());

  afterAll(() => field.close());

  const ana = (capacityTrees = 100) =>
    workerRegistered({ workerId: 'ana', region: 'Quindío', capacityTrees });

  const luis = (capacityTrees = 100) =>
    workerRegistered({ workerId: 'luis', region: 'Huila', capacityTrees });

  /** Workers by order, according to published events. */
  const given = () =>
    new Map(field.probe.all('order.assigned').map(({ key, data }) => [key, data.worker.workerId]));

  /** Registers workers and waits until the service has them. */
  async function known(...registered: ReturnType<typeof ana>[]): Promise<void> {
    await field.publish(...registered);
    for (const { data } of registered) await waitFor(() => field.store.workers.get(data.workerId));
  }

  describe('an order', () => {
    test('is assigned to a worker of its region and published with its revision', async () => {
      await known(ana(), luis());
      const published = await field.assignedOrder({ region: 'huila', trees: 5 });
      expect(published).toMatchObject({ statusRevision: 0, worker: { workerId: 'luis', region: 'Huila' } });
      const { assignments, stats } = await field.list('luis');
      expect(assignments).toMatchObject([
        {
          _id: published.assignmentId,
          orderId: published.orderId,
          status: 'assigned',
          trees: 5,
          photos: [],
          customerEmail: 'maria@mail.test',
          location: 'Huila, Colombia',
          assignedAt: published.at,
        },
      ]);
      expect(stats).toEqual({
        totalAssignments: 1,
        pendingAssignments: 1,
        treesPlanted: 0,
        completedOrders: 0,
      });
      expect((await field.list('ana')).assignments).toEqual([]);
    });

    test('is assigned once when its event is repeated', async () => {
      await known(ana());
      const created = enveloped(orderCreated());
      await field.publish(created);
      await field.probe.next('order.assigned');
      await field.publish(created, orderCreated({ orderId: created.key, trees: 20 }));
      await field.assignedOrder();
      const { assignments } = await field.list('ana');
      expect(assignments.map((one) => one.trees)).toEqual([5, 5]);
      expect(field.probe.all('order.assigned')).toHaveLength(2);
    });

    test('is spread evenly with many others, and nobody exceeds their capacity', async () => {
      await known(ana(30), luis(30));
      await field.publish(...Array.from({ length: 12 }, () => orderCreated({ trees: 6 })));
      await waitFor(() => given().size === 10);
      const lists = [await field.list('ana'), await field.list('luis')];
      expect(lists.map(({ assignments }) => assignments.length)).toEqual([5, 5]);
    });
  });

  describe('an order that exceeds everybody’s capacity', () => {
    test('is assigned as soon as somebody registers', async () => {
      const waiting = orderCreated();
      await field.publish(waiting);
      await known(ana());
      expect((await field.probe.next('order.assigned')).key).toBe(waiting.data.orderId);
    });

    test('is assigned as soon as a worker’s capacity grows or they are active again', async () => {
      await known(ana(4));
      const waiting = orderCreated({ trees: 5 });
      await field.publish(waiting);
      const away = { workerId: 'ana', active: false, capacityTrees: 50 };
      await field.publish(enveloped(workerUpdated(away), 2));
      await field.publish(enveloped(workerUpdated({ ...away, active: true }), 3));
      const { data } = await field.probe.next('order.assigned');
      expect(data).toMatchObject({ orderId: waiting.data.orderId, worker: { workerId: 'ana' } });
    });

    test('is assigned as soon as an assignment is completed', async () => {
      await known(ana(5));
      const { assignmentId } = await field.assignedOrder({ trees: 5 });
      const waiting = orderCreated({ trees: 5 });
      await field.publish(waiting);
      await field.move('ana', assignmentId, { status: 'planted' });
      expect(given().size).toBe(1);
      await field.move('ana', assignmentId, { status: 'completed' });
      const { key } = await field.probe.next('order.assigned', (event) => event.key === waiting.data.orderId);
      expect(given().get(key)).toBe('ana');
    });

    test('does not block a smaller one', async () => {
      await known(ana(10));
      const large = orderCreated({ trees: 11 });
      await field.publish(large);
      const { orderId } = await field.assignedOrder({ trees: 10 });
      expect([...given().keys()]).toEqual([orderId]);
    });
  });

  describe('an order taken back by an admin', () => {
    test('frees its worker and goes to somebody else', async () => {
      await known(ana(5));
      const { orderId } = await field.assignedOrder({ trees: 5 });
      await field.publish(
        statusChanged(orderId, 1, 'pending', 'assigned'),
        statusChanged(orderId, 2, 'assigned', 'pending', BY_ADMIN),
      );
      await field.list('ana', ({ assignments }) => assignments.length === 0);
      const next = await field.assignedOrder({ trees: 5 });
      expect(next.worker.workerId).toBe('ana');

      await field.publish(luis());
      const again = await field.probe.next('order.assigned', ({ key }) => key === orderId);
      expect(again.data).toMatchObject({ statusRevision: 2, worker: { workerId: 'luis' } });
    });
  });

  test('a worker’s update that arrives before the registration wins', async () => {
    await field.publish(
      enveloped(workerUpdated({ workerId: 'ana', region: 'Caldas' }), 2),
      enveloped(ana(), 1),
    );
    await known(luis());
    await waitFor(async () => (await field.platform.bus.waiting('assignments')) === 0);
    const published = await field.assignedOrder({ region: 'Caldas' });
    expect(published.worker).toMatchObject({ workerId: 'ana', region: 'Caldas' });
  });

  test('waiting orders are retried regularly, even when a trigger was lost', async () => {
    const order = orderCreated();
    await field.publish(order);
    const { workerId: id, ...profile } = ana().data;
    await field.store.workers.change(id, () => ({
      record: { id, ...profile, sequence: 1, occurredAt: minute(0) },
    }));

    const replica = await openAssignments({ retryWaitingMs: 100, databaseUrl: field.platform.databaseUrl });
    try {
      expect((await field.probe.next('order.assigned')).key).toBe(order.data.orderId);
    } finally {
      await replica.close();
    }
  });

  describe('two replicas', () => {
    let replica: AssignmentsFixture;
    beforeAll(async () => {
      replica = await openAssignments({ databaseUrl: field.platform.databaseUrl });
    });
    afterAll(() => replica.close());

    const loadsOf = (workerId: string) => field.store.loadOf(workerId);
    /** A worker's open trees, by list and by counter. */
    const openOf = async (workerId: string) => {
      const { assignments } = await field.list(workerId);
      const { assignedTrees, plantedTrees } = await loadsOf(workerId);
      return [assignments.reduce((sum, one) => sum + one.trees, 0), assignedTrees + plantedTrees];
    };

    test('never assign one order twice, and never exceed a capacity', async () => {
      await known(ana(50), luis(50));
      const orders = Array.from({ length: 40 }, () => orderCreated({ orderId: newOrderId(), trees: 5 }));
      await Promise.all(orders.map((order) => field.publish(order)));
      await waitFor(() => given().size >= 20);
      // An event may be delivered twice.
      const published = [
        ...new Map(field.probe.all('order.assigned').map(({ id, key }) => [id, key])).values(),
      ];
      expect(new Set(published).size).toBe(published.length);
      expect(given().size).toBe(20);
      for (const worker of ['ana', 'luis']) expect(await openOf(worker)).toEqual([50, 50]);
    });

    test('of thirty orders at once, assign a worker as many as fit', async () => {
      const orders = Array.from({ length: 30 }, () => orderCreated({ trees: 2 }));
      await field.publish(...orders);
      const ids = orders.map(({ data }) => assignmentIdOf(data.orderId));
      for (const id of ids) await waitFor(() => field.store.assignments.get(id));
      const { workerId, ...profile } = ana(21).data;
      const record = { id: workerId, ...profile, sequence: 1, occurredAt: minute(0) };
      await field.store.workers.change(workerId, () => ({ record }));
      const given = await Promise.allSettled(
        ids.map((id, n) =>
          (n % 2 ? field : replica).store.change(
            id,
            (current) => decideAssignment(current, workerOf(record), minute(1)),
            { needs: 'room' },
          ),
        ),
      );
      expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      for (const one of given)
        if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(WorkerUnavailable);
      expect(await openOf('ana')).toEqual([20, 20]);
    });

    test('count each order once while orders move between workers', async () => {
      await known(ana(1_000), luis(1_000));
      const orders = await Promise.all(Array.from({ length: 12 }, () => field.assignedOrder({ trees: 3 })));
      const workerOfRound = (order: number, round: number) => ((order + round) % 2 ? 'ana' : 'luis');
      await Promise.all(
        orders.map(async ({ orderId }, order) => {
          for (let round = 0; round < 5; round++) {
            const { status } = await (round % 2 ? field : replica).asAdmin(
              'PUT /api/admin/orders/{id}/assignment',
              {
                params: { id: orderId },
                body: { workerId: workerOfRound(order, round), reason: 'Holidays' },
              },
            );
            expect(status).toBe(200);
          }
        }),
      );
      expect([await openOf('ana'), await openOf('luis')]).toEqual([
        [18, 18],
        [18, 18],
      ]);
    });

    test('complete work while the worker’s profile changes', async () => {
      await known(ana(1_000));
      const orders = await Promise.all(Array.from({ length: 20 }, () => field.assignedOrder({ trees: 3 })));
      const profiles = Array.from({ length: 20 }, (_, n) =>
        field.publish(enveloped(workerUpdated({ workerId: 'ana', capacityTrees: 1_000 + n }), n + 2)),
      );
      const steps = orders.map(async ({ assignmentId }) => {
        for (const status of ['planted', 'completed'])
          expect((await replica.move('ana', assignmentId, { status })).status).toBe(200);
      });
      await Promise.all([...profiles, ...steps]);
      expect(await loadsOf('ana')).toMatchObject({ completed: 20, completedTrees: 60, plantedTrees: 0 });
    });

    test('leave an inactive worker nothing that was not planted', async () => {
      await known(ana(1_000));
      await field.publish(...Array.from({ length: 30 }, () => orderCreated({ trees: 2 })));
      await field.publish(enveloped(workerUpdated({ workerId: 'ana', active: false }), 2));
      await known(luis(1_000));
      await waitFor(async () => (await openOf('luis'))[0] === 60);
      expect([await openOf('ana'), await openOf('luis')]).toEqual([
        [0, 0],
        [60, 60],
      ]);
    });
  });

  test('an invited worker gets orders only after accepting', async () => {
    const ana = { workerId: 'ana', region: 'Quindío', capacityTrees: 100 };
    await field.publish(enveloped(workerRegistered({ ...ana, active: false }), 0));
    await waitFor(() => field.store.workers.get('ana'));
    const created = orderCreated();
    const { orderId } = created.data;
    await field.publish(created);
    await waitFor(() => field.store.assignments.get(assignmentIdOf(orderId)));
    expect(field.probe.all('order.assigned')).toEqual([]);
    await field.publish(enveloped(workerUpdated({ ...ana, active: true }), 1));
    const { data } = await field.probe.next('order.assigned', ({ key }) => key === orderId);
    expect(data.worker.workerId).toBe('ana');
  });
});

describe('workloads', () => {
  let field: AssignmentsFixture;

  beforeAll(async () => {
    field = await openAssignments();
  });

  afterAll(() => field.close());

  const { pair } = adminClient(() => field);

  describe('GET /api/admin/workers/workloads', () => {
    const workloads = (query: Record<string, string | number> = {}) =>
      field.asAdmin('GET /api/admin/workers/workloads', { query });

    test('lists each worker’s work by code, page by page', async () => {
      const { region, ana } = await pair();
      const { assignmentId } = await field.assignedOrder({ region, trees: 4 });
      await field.assignedOrder({ region, trees: 6 });
      await field.move(ana, assignmentId, { status: 'planted' });
      const all: { workerId: string; code: string }[] = [];
      let cursor: string | undefined;
      do {
        const { status, body } = await workloads({ limit: 2, ...(cursor && { cursor }) });
        expect({ status, size: body.workers.length }).toEqual({ status: 200, size: expect.any(Number) });
        expect(body.workers.length).toBeLessThanOrEqual(2);
        all.push(...body.workers);
        cursor = body.nextCursor;
      } while (cursor);
      expect(new Set(all.map(({ workerId }) => workerId)).size).toBe(all.length);
      expect(all.map(({ code }) => code)).toEqual(all.map(({ code }) => code).sort());
      expect(all.find(({ workerId }) => workerId === ana)).toEqual({
        workerId: ana,
        code: 'A',
        name: 'Ana Ruiz',
        region,
        active: true,
        capacityTrees: 100,
        openTrees: 10,
        openAssignments: 2,
        freeTrees: 90,
        visitsDue: 0,
        treesPlanted: 4,
      });
    });

    test('ranks for an order who could plant it', async () => {
      const { region, ana, luis } = await pair();
      const full = `full-${region}`;
      await field.known({ workerId: full, region, capacityTrees: 1 });
      const { orderId } = await field.assignedOrder({ region, trees: 3 });
      const { body } = await workloads({ orderId, limit: 100 });
      const of = (id: string) => body.workers.findIndex((one: { workerId: string }) => one.workerId === id);
      expect(of(ana)).toBe(0);
      expect(of(full)).toBeGreaterThan(of(luis));
      expect(body.workers[0].candidate).toEqual({ inRegion: true, hasRoom: true, hasIt: true });
      expect(body.workers[of(full)].candidate).toEqual({ inRegion: true, hasRoom: false, hasIt: false });
      expect(body.workers[of(luis)].candidate).toEqual({ inRegion: false, hasRoom: true, hasIt: false });
      const second = await workloads({ orderId, limit: 1 });
      const next = await workloads({ orderId, limit: 1, cursor: second.body.nextCursor });
      expect(next.body.workers[0].workerId).toBe(body.workers[1].workerId);
    });

    test('refuses invalid cursors, limits and orders', async () => {
      expect((await workloads({ cursor: 'nonsense' })).body.errors).toMatchObject([{ path: 'cursor' }]);
      expect((await workloads({ limit: 101 })).body.errors).toMatchObject([{ path: 'limit' }]);
      expect((await workloads({ orderId: 'x' })).body.errors).toMatchObject([{ path: 'orderId' }]);
      expect((await workloads({ orderId: newOrderId() })).status).toBe(404);
    });

    test('is for admins', async () => {
      const key = 'GET /api/admin/workers/workloads';
      expect((await field.call(key)).status).toBe(401);
      const token = await field.identity.token({ role: 'worker' });
      expect((await field.call(key, { token })).status).toBe(403);
    });
  });
});
