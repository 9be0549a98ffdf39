import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { workerRegistered } from './builders.ts';
import { type AssignmentsFixture, openAssignments } from './fixture.ts';

const PATH = '/api/workers/assignments/events';
let here: AssignmentsFixture;
beforeAll(async () => {
  here = await openAssignments();
  await here.publish(workerRegistered());
});
afterAll(() => here.close());

const listen = async (workerId: string, fixture = here) =>
  listenTo(fixture.service.url, PATH, { token: await fixture.tokenOf(workerId) });

test('a worker hears of what is given to them and of their steps, and nobody else does', async () => {
  const [ana, bruno] = await Promise.all([listen('worker-ana'), listen('worker-bruno')]);
  const { orderId, assignmentId } = await here.assignedOrder();
  const given = await waitFor(() => ana.heard.find((one) => one.orderId === orderId));
  expect(given).toEqual({
    ...{ assignmentId, orderId, own: true, status: 'assigned', updatedAt: expect.any(String) },
  });
  expect((await here.move('worker-ana', assignmentId, { status: 'planted' })).status).toBe(200);
  await waitFor(() => ana.heard.find((one) => one.orderId === orderId && one.status === 'planted'));
  expect(ana.text()).not.toMatch(/@|María|Pérez/);
  expect(bruno.heard).toEqual([]);
  await Promise.all([ana.leave(), bruno.leave()]);
});

test('a step taken at one replica is heard at another', async () => {
  const there = await openAssignments({ databaseUrl: here.platform.databaseUrl });
  const ana = await listen('worker-ana', there);
  const { assignmentId } = await here.assignedOrder();
  await here.move('worker-ana', assignmentId, { status: 'planted' });
  await waitFor(() => ana.heard.find((one) => one.assignmentId === assignmentId && one.status === 'planted'));
  await ana.leave();
  await there.close();
});

test('listening is for workers alone', async () => {
  expect((await listenTo(here.service.url, PATH)).status).toBe(401);
  for (const role of ['customer', 'admin'] as const) {
    const token = await here.identity.token({ role });
    expect((await listenTo(here.service.url, PATH, { token })).status).toBe(403);
  }
});
