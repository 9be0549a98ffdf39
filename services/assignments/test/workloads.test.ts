import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminKit } from './admin-kit.ts';
import { newOrderId } from './builders.ts';
import { type AssignmentsFixture, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeAll(async () => {
  field = await openAssignments();
});
afterAll(() => field.close());

const { pair } = adminKit(() => field);

describe('GET /api/admin/workers/workloads', () => {
  const workloads = (query: Record<string, string | number> = {}) =>
    field.asAdmin('GET /api/admin/workers/workloads', { query });

  test('says what each worker has to do, by code, page by page', async () => {
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
      ...{ workerId: ana, code: 'A', name: 'Ana Ruiz', region, active: true, capacityTrees: 100 },
      ...{ openTrees: 10, openAssignments: 2, freeTrees: 90, visitsDue: 0, treesPlanted: 4 },
    });
  });

  test('for an order shows who could plant it, best first', async () => {
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

  test('refuses what is no cursor, no limit and no order', async () => {
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
