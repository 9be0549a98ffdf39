import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  orderUpdated,
  paymentSubmitted,
  statusChanged,
} from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeAll(async () => {
  field = await openAssignments();
});
afterAll(() => field.close());

/** A worker of this test's own, who gets orders of this region. */
async function newWorker(): Promise<string> {
  const id = `worker-${newOrderId()}`;
  await field.known({ workerId: id, region: id, capacityTrees: 10_000 });
  return id;
}
const ask = async (workerId: string, query: Record<string, string | number>) =>
  field.call('GET /api/workers/assignments', { token: await field.tokenOf(workerId), query });
const trees = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.assignments.map((one: { trees: number }) => one.trees);

describe('GET /api/workers/assignments', () => {
  test('pages through one’s own assignments in order of urgency', async () => {
    const ana = await newWorker();
    const made: { assignmentId: string }[] = [];
    for (const count of [1, 2, 3, 4, 5, 6, 7]) {
      made.push(await field.assignedOrder({ region: ana, trees: count, createdAt: minute(count) }));
    }
    for (const at of [0, 1, 2]) await field.move(ana, made[at]!.assignmentId, { status: 'planted' });
    await field.move(ana, made[1]!.assignmentId, { status: 'completed' });
    for (const limit of [1, 2, 3, 7]) {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const answer = await ask(ana, { limit, ...(cursor && { cursor }) });
        seen.push(...trees(answer));
        expect(answer.body.stats).toMatchObject({ totalAssignments: 7, pendingAssignments: 4 });
        cursor = answer.body.nextCursor;
      } while (cursor);
      expect({ limit, seen }).toEqual({ limit, seen: [4, 5, 6, 7, 1, 3, 2] });
    }
    expect(trees(await ask(ana, { status: 'planted' }))).toEqual([1, 3]);
    expect(trees(await ask(ana, { status: 'assigned', limit: 2 }))).toEqual([4, 5]);
  });

  test('searches by name, address, place or id, ignoring accents', async () => {
    const ana = await newWorker();
    const pérez = await field.assignedOrder({ region: ana, trees: 1 });
    const customer = { name: 'Jörg Muñoz', email: 'jorg@mail.test' };
    const muñoz = await field.assignedOrder({ region: ana, trees: 2, customer });
    await field.move(ana, muñoz.assignmentId, { status: 'planted', location: 'Vereda Boquía, Salento' });
    for (const [q, found] of [
      ['munoz', [2]],
      ['uñoz', [2]],
      ['MARIA', [1]],
      ['jorg@', [2]],
      ['boquia', [2]],
      ['mail.test', [1, 2]],
      [pérez.orderId.slice(-6).toUpperCase(), [1]],
      ['nobody', []],
      ['%', []],
    ] as const) {
      expect({ q, found: trees(await ask(ana, { q })) }).toEqual({ q, found });
    }
    expect(trees(await ask(ana, { q: 'munoz', status: 'assigned' }))).toEqual([]);
    const first = await ask(ana, { q: 'mail.test', limit: 1 });
    const second = await ask(ana, { q: 'mail.test', limit: 1, cursor: first.body.nextCursor });
    expect([trees(first), trees(second), second.body.nextCursor]).toEqual([[1], [2], undefined]);
  });

  test.each([
    ['status', 'pending'],
    ['limit', 0],
    ['limit', 501],
    ['limit', 'many'],
    ['cursor', 'nonsense'],
    ['cursor', Buffer.from('["planted","yesterday","a"]').toString('base64url')],
    ['cursor', Buffer.from('["planted","0000-01-01T00:00:00Z","a"]').toString('base64url')],
    ['q', 'x'.repeat(101)],
    ['q', 'NUL \0'],
  ])('refuses a wrong %s by name: %#', async (path, value) => {
    const { status, body } = await ask('ana', { [path]: value });
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path }] });
  });
});

describe('an edited order', () => {
  test('shows its worker the new trees, customer and place', async () => {
    const ana = await newWorker();
    const { orderId } = await field.assignedOrder({ region: ana });
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const customer = { name: 'Marta', email: 'marta@mail.test' };
    const edited = orderUpdated(orderId, {
      trees: 8,
      customer,
      location: 'Salento',
      coordinates,
      notes: 'Gate code 7',
      changed: ['trees', 'customer.name', 'customer.email', 'location', 'coordinates', 'notes'],
    });
    await field.publish(enveloped(edited, 5));
    const { assignments } = await field.list(ana, (list) => list.assignments[0]!.trees === 8);
    expect(assignments[0]).toMatchObject({
      customerName: 'Marta',
      customerEmail: 'marta@mail.test',
      location: 'Salento',
      coordinates,
      notes: 'Gate code 7',
    });
    const token = await field.identity.serviceToken('media', 'assignments');
    const { body } = await field.call('GET /internal/assignments/{id}', {
      params: { id: `assignment-${orderId}` },
      token,
    });
    expect(body).toMatchObject({ coordinates, orderedAt: minute(0) });
  });

  test('of an erased customer keeps no personal data, even when older events arrive later', async () => {
    const ana = await newWorker();
    const { orderId } = await field.assignedOrder({ region: ana });
    const erased = orderUpdated(orderId, { customer: { ...ERASED_CUSTOMER }, changed: ['customer.email'] });
    const older = orderUpdated(orderId, { trees: 6, changed: ['trees'] });
    await field.publish(enveloped(erased, 9), enveloped(older, 4), enveloped(erased, 9));
    const shown = await field.list(
      ana,
      (list) => list.assignments[0]!.customerEmail === ERASED_CUSTOMER.email,
    );
    expect(shown.assignments[0]!.customerName).toBe(ERASED_CUSTOMER.name);
    const next = await field.assignedOrder({ region: ana });
    expect(next.orderId).not.toBe(orderId);
    const stored = JSON.stringify(await field.store.assignments.get(`assignment-${orderId}`));
    expect(stored).not.toMatch(/María|maria@/);
  });

  test('keeps a place that the worker entered meanwhile', async () => {
    const ana = await newWorker();
    const { orderId, assignmentId } = await field.assignedOrder({ region: ana });
    await field.move(ana, assignmentId, { status: 'planted', location: 'Finca La Esperanza' });
    await field.publish(enveloped(orderUpdated(orderId, { trees: 6, changed: ['trees'] }), 5));
    const { assignments } = await field.list(ana, (list) => list.assignments[0]!.trees === 6);
    expect(assignments[0]).toMatchObject({ location: 'Finca La Esperanza', plot: 'Finca La Esperanza' });
  });
});

describe('an unpaid order', () => {
  const statusOf = async (orderId: string) =>
    (await field.store.assignments.get(`assignment-${orderId}`))?.progress.status;

  test('is not assigned before it is paid', async () => {
    const ana = await newWorker();
    const submitted = paymentSubmitted({ region: ana });
    const { orderId } = submitted.data;
    await field.publish(submitted);
    await waitFor(async () => (await statusOf(orderId)) === 'unpaid');
    await field.assignedOrder({ region: ana });
    expect(await statusOf(orderId)).toBe('unpaid');
    await field.publish(enveloped(orderCreated({ orderId, region: ana, trees: 5 }), 2));
    const { data } = await field.probe.next('order.assigned', ({ key }) => key === orderId);
    expect(data.worker.workerId).toBe(ana);
  });

  test('whose submission arrives after its approval is assigned once', async () => {
    const ana = await newWorker();
    const { orderId } = await field.assignedOrder({ region: ana });
    await field.publish(paymentSubmitted({ orderId, region: ana }));
    await field.assignedOrder({ region: ana });
    expect(await statusOf(orderId)).toBe('assigned');
  });

  test('that was refunded leaves its worker’s list, and is nobody’s', async () => {
    const ana = await newWorker();
    const { orderId } = await field.assignedOrder({ region: ana });
    await field.publish(
      statusChanged(orderId, 1, 'pending', 'assigned'),
      statusChanged(orderId, 2, 'assigned', 'pending', { ...BY_ADMIN, withdrawn: true }),
    );
    await field.list(ana, ({ assignments }) => assignments.length === 0);
    const luis = await newWorker();
    await field.assignedOrder({ region: luis });
    expect(await statusOf(orderId)).toBe('withdrawn');
    expect(field.probe.all('order.assigned').filter(({ key }) => key === orderId)).toHaveLength(1);
  });
});

describe('the place of planting', () => {
  test('comes with its accuracy, which admins see', async () => {
    const ana = await newWorker();
    const { orderId, assignmentId } = await field.assignedOrder({ region: ana });
    const coordinates = { latitude: 4.6, longitude: -75.5 };
    const exact = { ...coordinates, accuracyMetres: 12.5 };
    const planted = await field.move(ana, assignmentId, { status: 'planted', coordinates: exact });
    expect(planted.body.assignment.coordinates).toEqual(coordinates);
    const published = await field.probe.next('order.planted', ({ key }) => key === orderId);
    expect(published.data.coordinates).toEqual(coordinates);
    const { body } = await field.asAdmin('GET /api/admin/orders/{id}/assignment', {
      params: { id: orderId },
    });
    expect(body.assignment.coordinates).toEqual(exact);
  });

  test.each([[-1], [2_000_000], ['near']])('with the accuracy %s is refused', async (accuracyMetres) => {
    const ana = await newWorker();
    const { assignmentId } = await field.assignedOrder({ region: ana });
    const coordinates = { latitude: 4.6, longitude: -75.5, accuracyMetres };
    const { status, body } = await field.move(ana, assignmentId, { status: 'planted', coordinates });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 422,
      errors: [{ path: 'coordinates.accuracyMetres' }],
    });
  });
});
