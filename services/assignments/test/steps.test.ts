import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  photo,
  statusChanged,
  workerRegistered,
} from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

describe('steps of a worker', () => {
  let field: AssignmentsFixture;

  beforeAll(async () => {
    field = await openAssignments();
  });

  afterAll(() => field.close());

  /** A worker of this test's own, who gets orders of this region. */
  async function newWorker(): Promise<{ id: string; order: ReturnType<typeof orderFor> }> {
    const id = `worker-${newOrderId()}`;
    await field.publish(workerRegistered({ workerId: id, region: id, capacityTrees: 1000 }));
    await waitFor(() => field.store.workers.get(id));
    return { id, order: orderFor(id) };
  }

  const orderFor = (region: string) => (trees: number, createdAt: string) =>
    field.assignedOrder({ region, trees, createdAt });

  const eventsOf = (type: 'order.planted' | 'order.completed', orderId: string) =>
    field.probe.all(type).filter(({ key }) => key === orderId);

  describe('PUT /api/workers/assignments/{id}/status', () => {
    test('plants and completes, and publishes each once with the worker’s notes', async () => {
      const ana = await newWorker();
      const { assignmentId, orderId, worker } = await ana.order(5, minute(0));
      const coordinates = { latitude: 4.637, longitude: -75.57 };
      const said = { location: ' Finca La Esperanza ', coordinates, notes: ' Rainy day ' };
      const planted = await field.move(ana.id, assignmentId, { status: 'planted', ...said });
      expect(planted.status).toBe(200);
      expect(planted.body.assignment).toMatchObject({
        _id: assignmentId,
        status: 'planted',
        location: 'Finca La Esperanza',
        coordinates,
        notes: 'Rainy day',
        plantedAt: expect.stringMatching(/Z$/),
      });
      const published = await field.probe.next('order.planted', ({ key }) => key === orderId);
      expect(published.data).toEqual({
        orderId,
        assignmentId,
        statusRevision: 1,
        worker,
        at: planted.body.assignment.plantedAt,
        location: 'Finca La Esperanza',
        coordinates,
        notes: 'Rainy day',
      });

      const completed = await field.move(ana.id, assignmentId, { status: 'completed' });
      expect(completed.body.assignment).toMatchObject({ status: 'completed', notes: 'Rainy day' });
      const end = await field.probe.next('order.completed', ({ key }) => key === orderId);
      expect(end.data).toMatchObject({ statusRevision: 2, assignmentId });
    });

    test('plants once when pressed twenty times at once', async () => {
      const ana = await newWorker();
      const { assignmentId, orderId } = await ana.order(5, minute(0));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => field.move(ana.id, assignmentId, { status: 'planted' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(new Set(answers.map(({ body }) => body.assignment.plantedAt)).size).toBe(1);
      await field.move(ana.id, assignmentId, { status: 'completed' });
      await field.probe.next('order.completed', ({ key }) => key === orderId);
      await waitFor(() => eventsOf('order.planted', orderId).length > 0);
      expect(eventsOf('order.planted', orderId)).toHaveLength(1);
    });

    test('neither skips a step nor goes back', async () => {
      const ana = await newWorker();
      const { assignmentId } = await ana.order(5, minute(0));
      const early = await field.move(ana.id, assignmentId, { status: 'completed' });
      expect({ status: early.status, type: early.body.type }).toEqual({
        status: 409,
        type: 'transition-not-allowed',
      });
      await field.move(ana.id, assignmentId, { status: 'planted' });
      await field.move(ana.id, assignmentId, { status: 'completed' });
      expect((await field.move(ana.id, assignmentId, { status: 'planted' })).status).toBe(409);
    });

    test('is limited to one’s own: another’s is not found', async () => {
      const [ana, luis] = [await newWorker(), await newWorker()];
      const { assignmentId, orderId } = await ana.order(5, minute(0));
      expect((await field.move(luis.id, assignmentId, { status: 'planted' })).status).toBe(404);
      expect((await field.move(luis.id, 'assignment-of-nothing', { status: 'planted' })).status).toBe(404);
      expect((await field.list(ana.id)).assignments[0]!.status).toBe('assigned');
      expect(eventsOf('order.planted', orderId)).toEqual([]);
    });

    test.each([
      ['status', { status: undefined }, 'required'],
      ['status', { status: 'pending' }, 'unknown-value'],
      ['status', { status: 'assigned' }, 'unknown-value'],
      ['notes', { notes: 'x'.repeat(2001) }, 'too-long'],
      ['location', { location: 'x'.repeat(201) }, 'too-long'],
      ['location', { location: 7 }, 'invalid'],
      ['coordinates.latitude', { coordinates: { latitude: 91, longitude: 0 } }, 'too-big'],
      ['coordinates.longitude', { coordinates: { latitude: 0, longitude: -181 } }, 'too-small'],
      ['coordinates.longitude', { coordinates: { latitude: 0 } }, 'required'],
      ['coordinates.latitude', { coordinates: { latitude: 0, longitude: 0 } }, 'place-zero'],
      ['coordinates.latitude', { coordinates: { latitude: -75.48, longitude: 4.63 } }, 'place-swapped'],
      ['coordinates.longitude', { coordinates: { latitude: 4.63, longitude: 75.48 } }, 'place-minus'],
      ['coordinates.latitude', { coordinates: { latitude: 40.4, longitude: -3.7 } }, 'place-outside'],
    ])('refuses a wrong %s by name and changes nothing: %#', async (path, wrong, type) => {
      const ana = await newWorker();
      const { assignmentId } = await ana.order(5, minute(0));
      const { status, body } = await field.move(ana.id, assignmentId, { status: 'planted', ...wrong });
      expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path, type }] });
      expect((await field.list(ana.id)).assignments[0]!.status).toBe('assigned');
    });
  });

  describe('GET /api/workers/assignments', () => {
    test('sorts by urgency, and counts', async () => {
      const ana = await newWorker();
      const made: { assignmentId: string }[] = [];
      for (const trees of [1, 2, 3, 4, 5, 6]) made.push(await ana.order(trees, minute(trees)));
      const move = (at: number, status: string) => field.move(ana.id, made[at]!.assignmentId, { status });
      for (const at of [1, 0, 3, 2]) await move(at, 'planted');
      for (const at of [0, 1]) await move(at, 'completed');

      const { assignments, stats } = await field.list(ana.id);
      expect(assignments.map(({ status, trees }) => `${status} ${trees}`)).toEqual([
        'assigned 5',
        'assigned 6',
        'planted 3',
        'planted 4',
        'completed 2',
        'completed 1',
      ]);
      expect(stats).toEqual({
        totalAssignments: 6,
        pendingAssignments: 2,
        treesPlanted: 10,
        completedOrders: 2,
      });
    });
  });

  describe('decisions of orders', () => {
    test('win when an admin was faster than the worker', async () => {
      const ana = await newWorker();
      const { assignmentId, orderId } = await ana.order(5, minute(0));
      await field.publish(statusChanged(orderId, 1, 'pending', 'assigned'));
      await field.move(ana.id, assignmentId, { status: 'planted' });
      await field.move(ana.id, assignmentId, { status: 'completed' });
      // In orders, the admin's decision arrived before the worker's steps.
      await field.publish(statusChanged(orderId, 2, 'assigned', 'planted', BY_ADMIN));
      await field.publish(statusChanged(orderId, 3, 'planted', 'assigned', BY_ADMIN));
      await field.list(ana.id, ({ assignments }) => assignments[0]?.status === 'assigned');

      await field.move(ana.id, assignmentId, { status: 'planted' });
      const published = await field.probe.next(
        'order.planted',
        ({ key, data }) => key === orderId && data.statusRevision > 1,
      );
      expect(published.data.statusRevision).toBe(3);
    });

    test('lead to the newest status when they arrive late, twice or before the order', async () => {
      const ana = await newWorker();
      const created = orderCreated({ region: ana.id });
      const { orderId } = created.data;
      const newest = enveloped(statusChanged(orderId, 4, 'planted', 'completed', BY_ADMIN));
      const older = enveloped(statusChanged(orderId, 3, 'assigned', 'planted', BY_ADMIN));
      await field.publish(newest, newest, older, older, created);
      await waitFor(async () => {
        const found = await field.store.assignments.get(`assignment-${orderId}`);
        expect(found).toMatchObject({
          progress: { status: 'completed' },
          confirmedRevision: 4,
          statusRevision: 4,
        });
        return true;
      });
    });
  });

  describe('photo.uploaded', () => {
    test('adds the photo to its assignment, once', async () => {
      const ana = await newWorker();
      const { orderId } = await ana.order(5, minute(0));
      const first = enveloped(
        photo(orderId, { photoId: 'a', filename: 'first.jpg', uploadedAt: minute(30) }),
      );
      const second = photo(orderId, { photoId: 'b', filename: 'second.jpg', uploadedAt: minute(31) });
      await field.publish(first, first, second);
      const { assignments } = await field.list(ana.id, (list) => list.assignments[0]?.photos.length === 2);
      expect(assignments[0]!.photos).toEqual(['first.jpg', 'second.jpg']);
    });
  });

  describe('GET /internal/assignments/{id}', () => {
    const ask = async (id: string, token: string) =>
      field.call('GET /internal/assignments/{id}', { params: { id }, token });

    test('returns the worker and the status to another service', async () => {
      const ana = await newWorker();
      const { assignmentId, orderId } = await ana.order(5, minute(0));
      const { status, body } = await ask(
        assignmentId,
        await field.identity.serviceToken('media', 'assignments'),
      );
      expect(status).toBe(200);
      expect(body).toEqual({
        assignmentId,
        orderId,
        workerId: ana.id,
        status: 'assigned',
        orderedAt: minute(0),
        formerWorkerIds: [],
      });
    });

    test('returns former workers', async () => {
      const [ana, luis] = [await newWorker(), await newWorker()];
      const { assignmentId, orderId } = await ana.order(5, minute(0));
      const token = await field.identity.serviceToken('media', 'assignments');
      await field.publish(statusChanged(orderId, 1, 'pending', 'assigned'));
      const given = await field.asAdmin('PUT /api/admin/orders/{id}/assignment', {
        params: { id: orderId },
        body: { workerId: luis.id, reason: 'Ana is ill' },
        headers: { 'if-match': '"1"' },
      });
      expect(given.status).toBe(200);
      expect((await ask(assignmentId, token)).body).toMatchObject({
        workerId: luis.id,
        formerWorkerIds: [ana.id],
      });
    });

    test('answers “not found” for assignments without a worker', async () => {
      expect(
        (await ask('assignment-x', await field.identity.serviceToken('media', 'assignments'))).status,
      ).toBe(404);
    });

    test('answers only services whose token is for this one', async () => {
      const tokens = [
        await field.identity.token({ role: 'admin' }),
        await field.identity.serviceToken('media', 'orders'),
      ];
      for (const token of tokens) expect((await ask('assignment-x', token)).status).toBe(401);
      const unnamed = await field.identity.serviceToken('orders', 'assignments');
      expect((await ask('assignment-x', unnamed)).status).toBe(403);
    });
  });

  describe('access', () => {
    const closed = ['GET /api/workers/assignments', 'PUT /api/workers/assignments/{id}/status'] as const;
    const parts = (key: (typeof closed)[number]) => ({
      params: { id: 'assignment-x' },
      ...(key.startsWith('PUT') && { body: { status: 'planted' } }),
    });

    test.each(closed)('%s: nobody without a token', async (key) => {
      expect((await field.call(key, parts(key))).status).toBe(401);
    });

    test.each(closed)('%s: neither customers nor admins', async (key) => {
      for (const role of ['customer', 'admin'] as const) {
        const token = await field.identity.token({ role });
        const { status } = await field.call(key, { ...parts(key), token });
        expect({ role, status }).toEqual({ role, status: 403 });
      }
    });
  });

  test('the service is ready while its engines answer', async () => {
    expect((await fetch(`${field.service.url}/readyz`)).status).toBe(200);
  });
});

describe('live changes', () => {
  const PATH = '/api/workers/assignments/events';

  let here: AssignmentsFixture;

  beforeAll(async () => {
    here = await openAssignments();
    await here.publish(workerRegistered());
  });

  afterAll(() => here.close());

  const listen = async (workerId: string, fixture = here) =>
    listenTo(fixture.service.url, PATH, { token: await fixture.tokenOf(workerId) });

  test('are sent to a worker about assignments and own steps, and to nobody else', async () => {
    const [ana, bruno] = await Promise.all([listen('worker-ana'), listen('worker-bruno')]);
    const { orderId, assignmentId } = await here.assignedOrder();
    const given = await waitFor(() => ana.received.find((one) => one.orderId === orderId));
    expect(given).toEqual({
      assignmentId,
      orderId,
      own: true,
      status: 'assigned',
      updatedAt: expect.any(String),
    });
    expect((await here.move('worker-ana', assignmentId, { status: 'planted' })).status).toBe(200);
    await waitFor(() => ana.received.find((one) => one.orderId === orderId && one.status === 'planted'));
    expect(ana.text()).not.toMatch(/@|María|Pérez/);
    expect(bruno.received).toEqual([]);
    await Promise.all([ana.leave(), bruno.leave()]);
  });

  test('of one replica are sent by another', async () => {
    const there = await openAssignments({ databaseUrl: here.platform.databaseUrl });
    const ana = await listen('worker-ana', there);
    const { assignmentId } = await here.assignedOrder();
    await here.move('worker-ana', assignmentId, { status: 'planted' });
    await waitFor(() =>
      ana.received.find((one) => one.assignmentId === assignmentId && one.status === 'planted'),
    );
    await ana.leave();
    await there.close();
  });

  test('are for workers only', async () => {
    expect((await listenTo(here.service.url, PATH)).status).toBe(401);
    for (const role of ['customer', 'admin'] as const) {
      const token = await here.identity.token({ role });
      expect((await listenTo(here.service.url, PATH, { token })).status).toBe(403);
    }
  });
});
