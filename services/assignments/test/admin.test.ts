import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminKit, GET, PUT, refusal } from './admin-kit.ts';
import { BY_ADMIN, newOrderId, paymentSubmitted, statusChanged, workerUpdated } from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeAll(async () => {
  field = await openAssignments();
});
afterAll(() => field.close());

const { assign, shown, pair, waitingOrder } = adminKit(() => field);
const toldOf = async (orderId: string, workerId: string): Promise<EventData<'order.assigned'>> =>
  (
    await field.probe.next(
      'order.assigned',
      ({ key, data }) => key === orderId && data.worker.workerId === workerId,
    )
  ).data;

describe('PUT /api/admin/orders/{id}/assignment', () => {
  test('gives an order that waits to a worker, beyond their capacity, and says so', async () => {
    const { ana } = await pair();
    const orderId = await waitingOrder(150);
    const { status, body, headers } = await assign(orderId, { workerId: ana });
    expect({ status, etag: headers.get('etag') }).toEqual({ status: 200, etag: '"1"' });
    expect(body).toMatchObject({
      changed: true,
      overCapacityTrees: 50,
      assignment: {
        ...{ orderId, status: 'assigned', trees: 150, revision: 1, isWaiting: false, isWithdrawn: false },
        worker: { workerId: ana, active: true },
        history: [{ worker: { workerId: ana }, by: { role: 'admin', id: 'admin-1', name: 'Luz' } }],
        visits: [],
      },
    });
    const told = await toldOf(orderId, ana);
    expect(told).toMatchObject({ statusRevision: 0, by: { role: 'admin', id: 'admin-1', name: 'Luz' } });
    expect(told).not.toHaveProperty('previousWorker');
    expect((await field.list(ana)).assignments.map((one) => one.orderId)).toEqual([orderId]);
  });

  test('gives it to another worker with a reason, and moves it from one list to the other', async () => {
    const { region, ana, luis } = await pair();
    const { orderId } = await field.assignedOrder({ region });
    const { status, body } = await assign(orderId, { workerId: luis, reason: ' Holidays ' });
    expect({ status, ...body }).toMatchObject({ status: 200, changed: true, overCapacityTrees: 0 });
    expect(body.assignment.history).toMatchObject([
      { worker: { workerId: ana }, by: { role: 'system' } },
      { worker: { workerId: luis }, by: { role: 'admin' }, reason: 'Holidays' },
    ]);
    expect(await toldOf(orderId, luis)).toMatchObject({
      ...{ statusRevision: 1, reason: 'Holidays', previousWorker: { workerId: ana } },
    });
    expect((await field.list(ana)).assignments).toEqual([]);
    expect((await field.list(luis)).assignments).toMatchObject([{ orderId, status: 'assigned' }]);
  });

  test('gives what is planted, which stays planted', async () => {
    const { region, ana, luis } = await pair();
    const { orderId, assignmentId } = await field.assignedOrder({ region });
    const planted = await field.move(ana, assignmentId, { status: 'planted' });
    const { body } = await assign(orderId, { workerId: luis, reason: 'Moved away' });
    expect(body.assignment).toMatchObject({
      ...{ status: 'planted', plantedAt: planted.body.assignment.plantedAt, worker: { workerId: luis } },
    });
    expect((await field.move(luis, assignmentId, { status: 'completed' })).status).toBe(200);
  });

  test('changes nothing for the worker who has it, without a reason', async () => {
    const { region, ana } = await pair();
    const { orderId } = await field.assignedOrder({ region });
    const { status, body } = await assign(orderId, { workerId: ana });
    expect({ status, changed: body.changed, over: body.overCapacityTrees }).toEqual({
      ...{ status: 200, changed: false, over: 0 },
    });
    expect(body.assignment.revision).toBe(1);
    expect(field.probe.all('order.assigned').filter(({ key }) => key === orderId)).toHaveLength(1);
  });

  test('asks for a reason when somebody has it', async () => {
    const { region, luis } = await pair();
    const { orderId } = await field.assignedOrder({ region });
    for (const reason of [undefined, '', '  ']) {
      const { status, body } = await assign(orderId, { workerId: luis, reason });
      expect({ status, errors: body.errors }).toMatchObject({
        ...{ status: 422, errors: [{ path: 'reason', type: 'required' }] },
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

  test('refuses a worker who does not work any more', async () => {
    const { luis } = await pair();
    await field.publish(enveloped(workerUpdated({ workerId: luis, active: false }), 2));
    await waitFor(async () => (await field.store.workers.get(luis))?.active === false);
    const { status, body } = await assign(await waitingOrder(), { workerId: luis });
    expect({ status, errors: body.errors }).toMatchObject({
      ...{ status: 422, errors: [{ path: 'workerId', type: 'worker-unavailable' }] },
    });
  });

  test('knows nothing of orders that are not there', async () => {
    const { ana } = await pair();
    expect((await assign(newOrderId(), { workerId: ana })).status).toBe(404);
    expect((await assign('no-order', { workerId: ana })).status).toBe(404);
  });

  test('refuses what is not paid, withdrawn or completed', async () => {
    const { region, ana, luis } = await pair();
    const submitted = paymentSubmitted();
    const unpaid = submitted.data.orderId;
    await field.publish(submitted);
    await waitFor(() => field.store.assignments.get(`assignment-${unpaid}`));
    expect(refusal(await assign(unpaid, { workerId: ana }))).toEqual({ status: 409, type: 'order-unpaid' });
    expect((await field.asAdmin(GET, { params: { id: unpaid } })).status).toBe(404);

    const withdrawn = await waitingOrder();
    await field.publish(statusChanged(withdrawn, 1, 'pending', 'pending', { ...BY_ADMIN, withdrawn: true }));
    await waitFor(async () => (await shown(withdrawn)).isWithdrawn);
    expect(refusal(await assign(withdrawn, { workerId: ana }))).toEqual({
      status: 409,
      type: 'order-withdrawn',
    });

    const { orderId, assignmentId } = await field.assignedOrder({ region });
    for (const status of ['planted', 'completed']) await field.move(ana, assignmentId, { status });
    expect(refusal(await assign(orderId, { workerId: luis, reason: 'Why not' }))).toEqual({
      ...{ status: 409, type: 'order-completed' },
    });
  });

  test('holds to the version that the admin read, when it is said', async () => {
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

describe('whoever had it', () => {
  test('is told that it is somebody else’s, or nobody’s; whoever never had it finds nothing', async () => {
    const { region, ana, luis } = await pair();
    const { orderId, assignmentId } = await field.assignedOrder({ region });
    await assign(orderId, { workerId: luis, reason: 'Holidays' });
    expect(refusal(await field.move(ana, assignmentId, { status: 'planted' }))).toEqual({
      ...{ status: 409, type: 'assigned-to-another' },
    });
    expect((await field.move('stranger', assignmentId, { status: 'planted' })).status).toBe(404);
  });
});
