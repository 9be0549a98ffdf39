import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminClient, GET, PUT, refusal } from './admin-client.ts';
import {
  BY_ADMIN,
  newOrderId,
  orderCreated,
  paymentSubmitted,
  statusChanged,
  workerUpdated,
} from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeAll(async () => {
  field = await openAssignments();
});
afterAll(() => field.close());

const { assign, shown, pair, waitingOrder } = adminClient(() => field);

describe('an admin', () => {
  const assignedEventOf = async (orderId: string, workerId: string): Promise<EventData<'order.assigned'>> =>
    (
      await field.probe.next(
        'order.assigned',
        ({ key, data }) => key === orderId && data.worker.workerId === workerId,
      )
    ).data;

  describe('PUT /api/admin/orders/{id}/assignment', () => {
    test('assigns a waiting order, even beyond the worker’s capacity, and reports it', async () => {
      const { ana } = await pair();
      const orderId = await waitingOrder(150);
      const { status, body, headers } = await assign(orderId, { workerId: ana });
      expect({ status, etag: headers.get('etag') }).toEqual({ status: 200, etag: '"1"' });
      expect(body).toMatchObject({
        changed: true,
        overCapacityTrees: 50,
        assignment: {
          orderId,
          status: 'assigned',
          trees: 150,
          revision: 1,
          isWaiting: false,
          isWithdrawn: false,
          worker: { workerId: ana, active: true },
          history: [{ worker: { workerId: ana }, by: { role: 'admin', id: 'admin-1', name: 'Luz' } }],
          visits: [],
        },
      });
      const published = await assignedEventOf(orderId, ana);
      expect(published).toMatchObject({
        statusRevision: 0,
        by: { role: 'admin', id: 'admin-1', name: 'Luz' },
      });
      expect(published).not.toHaveProperty('previousWorker');
      expect((await field.list(ana)).assignments.map((one) => one.orderId)).toEqual([orderId]);
      const token = await field.identity.serviceToken('auth', 'assignments');
      const log = await request(field.service.url, 'GET /internal/assignments/audit-log', {
        query: { object: orderId },
        token,
      });
      expect(log.body.rows).toMatchObject([{ by: { id: 'admin-1', name: 'Luz' }, orderId }]);
    });

    test('reassigns it with a reason, and moves it from one list to the other', async () => {
      const { region, ana, luis } = await pair();
      const { orderId } = await field.assignedOrder({ region });
      const { status, body } = await assign(orderId, { workerId: luis, reason: ' Holidays ' });
      expect({ status, ...body }).toMatchObject({ status: 200, changed: true, overCapacityTrees: 0 });
      expect(body.assignment.history).toMatchObject([
        { worker: { workerId: ana }, by: { role: 'system' } },
        { worker: { workerId: luis }, by: { role: 'admin' }, reason: 'Holidays' },
      ]);
      expect(await assignedEventOf(orderId, luis)).toMatchObject({
        statusRevision: 1,
        reason: 'Holidays',
        previousWorker: { workerId: ana },
      });
      expect((await field.list(ana)).assignments).toEqual([]);
      expect((await field.list(luis)).assignments).toMatchObject([{ orderId, status: 'assigned' }]);
    });

    test('reassigns planted trees, which stay planted', async () => {
      const { region, ana, luis } = await pair();
      const { orderId, assignmentId } = await field.assignedOrder({ region });
      const planted = await field.move(ana, assignmentId, { status: 'planted' });
      const { body } = await assign(orderId, { workerId: luis, reason: 'Moved away' });
      expect(body.assignment).toMatchObject({
        status: 'planted',
        plantedAt: planted.body.assignment.plantedAt,
        worker: { workerId: luis },
      });
      expect((await field.move(luis, assignmentId, { status: 'completed' })).status).toBe(200);
    });

    test('changes nothing for the current worker, without a reason', async () => {
      const { region, ana } = await pair();
      const { orderId } = await field.assignedOrder({ region });
      const { status, body } = await assign(orderId, { workerId: ana });
      expect({ status, changed: body.changed, over: body.overCapacityTrees }).toEqual({
        status: 200,
        changed: false,
        over: 0,
      });
      expect(body.assignment.revision).toBe(1);
      expect(field.probe.all('order.assigned').filter(({ key }) => key === orderId)).toHaveLength(1);
    });

    test('requires a reason when the order has a worker', async () => {
      const { region, luis } = await pair();
      const { orderId } = await field.assignedOrder({ region });
      for (const reason of [undefined, '', '  ']) {
        const { status, body } = await assign(orderId, { workerId: luis, reason });
        expect({ status, errors: body.errors }).toMatchObject({
          status: 422,
          errors: [{ path: 'reason', type: 'required' }],
        });
      }
      expect((await shown(orderId)).revision).toBe(1);
    });

    test.each([
      ['workerId', { workerId: undefined }, 'required'],
      ['workerId', { workerId: 'a b' }, 'invalid'],
      ['workerId', { workerId: 'nobody' }, 'worker-unavailable'],
      ['reason', { reason: 'x'.repeat(1001) }, 'too-long'],
      ['reason', { reason: 'NUL \0' }, 'invalid'],
    ])('refuses a wrong %s by name: %#', async (path, wrong, type) => {
      const { ana } = await pair();
      const orderId = await waitingOrder();
      const { status, body } = await assign(orderId, { workerId: ana, ...wrong });
      expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path, type }] });
      expect((await shown(orderId)).history).toEqual([]);
    });

    test('refuses an inactive worker', async () => {
      const { luis } = await pair();
      await field.publish(enveloped(workerUpdated({ workerId: luis, active: false }), 2));
      await waitFor(async () => (await field.store.workers.get(luis))?.active === false);
      const { status, body } = await assign(await waitingOrder(), { workerId: luis });
      expect({ status, errors: body.errors }).toMatchObject({
        status: 422,
        errors: [{ path: 'workerId', type: 'worker-unavailable' }],
      });
    });

    test('answers “not found” for an unknown order', async () => {
      const { ana } = await pair();
      expect((await assign(newOrderId(), { workerId: ana })).status).toBe(404);
      expect((await assign('no-order', { workerId: ana })).status).toBe(404);
    });

    test('refuses unpaid, withdrawn and completed orders', async () => {
      const { region, ana, luis } = await pair();
      const submitted = paymentSubmitted();
      const unpaid = submitted.data.orderId;
      await field.publish(submitted);
      await waitFor(() => field.store.assignments.get(`assignment-${unpaid}`));
      expect(refusal(await assign(unpaid, { workerId: ana }))).toEqual({ status: 409, type: 'order-unpaid' });
      expect((await field.asAdmin(GET, { params: { id: unpaid } })).status).toBe(404);

      const withdrawn = await waitingOrder();
      await field.publish(
        statusChanged(withdrawn, 1, 'pending', 'pending', { ...BY_ADMIN, withdrawn: true }),
      );
      await waitFor(async () => (await shown(withdrawn)).isWithdrawn);
      expect(refusal(await assign(withdrawn, { workerId: ana }))).toEqual({
        status: 409,
        type: 'order-withdrawn',
      });

      const { orderId, assignmentId } = await field.assignedOrder({ region });
      for (const status of ['planted', 'completed']) await field.move(ana, assignmentId, { status });
      expect(refusal(await assign(orderId, { workerId: luis, reason: 'Why not' }))).toEqual({
        status: 409,
        type: 'order-completed',
      });
    });

    test('checks the version that the admin read, when it is sent', async () => {
      const { region, ana, luis } = await pair();
      const { orderId } = await field.assignedOrder({ region });
      const wanted = { workerId: luis, reason: 'Holidays' };
      const late = await assign(orderId, wanted, { headers: { 'If-Match': '"0"' } });
      expect(refusal(late)).toEqual({ status: 412, type: 'precondition-failed' });
      expect((await shown(orderId)).worker?.workerId).toBe(ana);
      const { headers } = await field.asAdmin(GET, { params: { id: orderId } });
      const right = await assign(orderId, wanted, { headers: { 'If-Match': headers.get('etag')! } });
      expect(right.status).toBe(200);
    });

    test('is for admins', async () => {
      const { ana } = await pair();
      const params = { id: await waitingOrder() };
      for (const key of [PUT, GET] as const) {
        const parts = { params, ...(key === PUT && { body: { workerId: ana } }) };
        expect((await field.call(key, parts)).status).toBe(401);
        for (const role of ['customer', 'worker'] as const) {
          const token = await field.identity.token({ role });
          expect((await field.call(key, { ...parts, token })).status).toBe(403);
        }
      }
    });
  });

  describe('a former worker', () => {
    test('is told that it is somebody else’s, or nobody’s; others get “not found”', async () => {
      const { region, ana, luis } = await pair();
      const { orderId, assignmentId } = await field.assignedOrder({ region });
      await assign(orderId, { workerId: luis, reason: 'Holidays' });
      expect(refusal(await field.move(ana, assignmentId, { status: 'planted' }))).toEqual({
        status: 409,
        type: 'assigned-to-another',
      });
      expect((await field.move('another-worker', assignmentId, { status: 'planted' })).status).toBe(404);
    });

    test('a late report that the trees are planted is accepted and changes nothing', async () => {
      const { region, ana, luis } = await pair();
      const { orderId, assignmentId } = await field.assignedOrder({ region });
      await assign(orderId, { workerId: luis, reason: 'Holidays' });
      const coordinates = { latitude: 4.637, longitude: -75.57 };
      const step = { status: 'planted', notes: 'By the stream', coordinates };
      expect((await field.move(ana, assignmentId, step)).status).toBe(409);
      const { data } = await field.probe.next('order.late_step', ({ key }) => key === orderId);
      expect(data).toMatchObject({
        assignmentId,
        worker: { workerId: ana },
        step: 'planted',
        notes: 'By the stream',
        coordinates,
      });
      expect(await shown(orderId)).toMatchObject({ status: 'assigned', worker: { workerId: luis } });
      expect(field.probe.all('order.planted').filter(({ key }) => key === orderId)).toEqual([]);
    });
  });
});

describe('concurrent decisions', () => {
  describe('at the same moment', () => {
    test('by ten admins who reassign an order: each change counts once, and the losers are told', async () => {
      const { region, ana, luis } = await pair();
      const { orderId } = await field.assignedOrder({ region });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          assign(orderId, { workerId: luis, reason: `Reason ${n}` }, { adminId: `admin-${n}` }),
        ),
      );
      expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      const { history, revision } = await shown(orderId);
      expect(history.map((one) => one.worker?.workerId)).toEqual([ana, luis]);
      expect(revision).toBe(2);
    });

    test('by two admins with two workers: one wins, the other is told or reassigns knowingly', async () => {
      const { ana, luis } = await pair();
      const orderId = await waitingOrder();
      const answers = await Promise.all([
        assign(orderId, { workerId: ana }, { adminId: 'admin-1' }),
        assign(orderId, { workerId: luis }, { adminId: 'admin-2' }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      const lost = answers.find(({ status }) => status !== 200)!;
      // A concurrent loser gets a conflict; a later one is asked for a reason.
      expect(['conflict', 'validation-failed']).toContain(lost.body.type);
      const winner = answers.find(({ status }) => status === 200)!.body.assignment.worker.workerId;
      expect((await shown(orderId)).worker?.workerId).toBe(winner);
    });

    test('by an admin and the product: one of them assigns it', async () => {
      const { luis } = await pair();
      const region = newOrderId();
      const rosa = `rosa-${region}`;
      const orders = Array.from({ length: 8 }, () => orderCreated({ region, trees: 60 }));
      const ids = orders.map(({ data }) => data.orderId);
      await field.publish(...orders);
      for (const id of ids) await waitFor(() => field.store.assignments.get(`assignment-${id}`));
      // Records what is assigned already; the rest is assigned by both sides at once.
      const [answers] = await Promise.all([
        Promise.all(ids.map((id) => assign(id, { workerId: luis }))),
        field.known({ workerId: rosa, region, capacityTrees: 1000 }),
      ]);
      for (const [at, id] of ids.entries()) {
        const { history, revision, worker } = await waitFor(async () => {
          const found = await shown(id);
          return found.worker && found;
        });
        expect({ id, revision, holders: history.length }).toEqual({ id, revision: 1, holders: 1 });
        const { status, body } = answers[at]!;
        if (status === 200) expect(worker?.workerId).toBe(luis);
        else expect(['conflict', 'validation-failed']).toContain(body.type);
        expect(field.probe.all('order.assigned').filter(({ key }) => key === id).length).toBeLessThanOrEqual(
          1,
        );
      }
    });

    test('by an admin who reassigns while the worker plants: one wins, the other is told', async () => {
      const { region, ana, luis } = await pair();
      const outcomes = new Set<string>();
      for (let n = 0; n < 6; n++) {
        const { orderId, assignmentId } = await field.assignedOrder({ region, trees: 1 });
        const [admin, planting] = await Promise.all([
          assign(orderId, { workerId: luis, reason: 'Holidays' }),
          field.move(ana, assignmentId, { status: 'planted' }),
        ]);
        const { status, worker, revision } = await shown(orderId);
        const results = [admin, planting].map((answer) => (answer.status === 200 ? 'won' : answer.body.type));
        outcomes.add(results.join(' '));
        expect([
          'won assigned-to-another assigned luis 2',
          'conflict won planted ana 2',
          // In sequence: the admin read that it was planted.
          'won won planted luis 3',
        ]).toContain(`${results.join(' ')} ${status} ${worker!.workerId.split('-')[0]} ${revision}`);
      }
      expect(outcomes.size).toBeGreaterThan(0);
    });
  });
});
