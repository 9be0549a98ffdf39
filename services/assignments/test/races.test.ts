import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminKit } from './admin-kit.ts';
import { newOrderId, orderCreated } from './builders.ts';
import { type AssignmentsFixture, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeAll(async () => {
  field = await openAssignments();
});
afterAll(() => field.close());

const { assign, shown, pair, waitingOrder } = adminKit(() => field);

describe('at the same moment', () => {
  test('ten admins who take an order from its worker: each change is one, and whoever lost is told', async () => {
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

  test('two admins with two workers: one has it, the other is told or took it over knowingly', async () => {
    const { ana, luis } = await pair();
    const orderId = await waitingOrder();
    const answers = await Promise.all([
      assign(orderId, { workerId: ana }, { adminId: 'admin-1' }),
      assign(orderId, { workerId: luis }, { adminId: 'admin-2' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const lost = answers.find(({ status }) => status !== 200)!;
    // Whoever came while the other wrote is told so; whoever came after it is asked why.
    expect(['conflict', 'validation-failed']).toContain(lost.body.type);
    const winner = answers.find(({ status }) => status === 200)!.body.assignment.worker.workerId;
    expect((await shown(orderId)).worker?.workerId).toBe(winner);
  });

  test('an admin and the product: one of them has given it', async () => {
    const { luis } = await pair();
    const region = newOrderId();
    const rosa = `rosa-${region}`;
    const orders = Array.from({ length: 8 }, () => orderCreated({ region, trees: 60 }));
    const ids = orders.map(({ data }) => data.orderId);
    await field.publish(...orders);
    for (const id of ids) await waitFor(() => field.store.assignments.get(`assignment-${id}`));
    // Whatever was given meanwhile is known; the rest is given by both sides at once.
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
      expect(field.probe.all('order.assigned').filter(({ key }) => key === id).length).toBeLessThanOrEqual(1);
    }
  });

  test('an admin gives it to another while the worker plants: one wins, the other is told', async () => {
    const { region, ana, luis } = await pair();
    const outcomes = new Set<string>();
    for (let n = 0; n < 6; n++) {
      const { orderId, assignmentId } = await field.assignedOrder({ region, trees: 1 });
      const [admin, planting] = await Promise.all([
        assign(orderId, { workerId: luis, reason: 'Holidays' }),
        field.move(ana, assignmentId, { status: 'planted' }),
      ]);
      const { status, worker, revision } = await shown(orderId);
      const told = [admin, planting].map((answer) => (answer.status === 200 ? 'won' : answer.body.type));
      outcomes.add(told.join(' '));
      expect([
        ...['won assigned-to-another assigned luis 2', 'conflict won planted ana 2'],
        // One after the other: the admin read that it was planted.
        'won won planted luis 3',
      ]).toContain(`${told.join(' ')} ${status} ${worker!.workerId.split('-')[0]} ${revision}`);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});
