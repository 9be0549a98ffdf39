import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { assignmentIdOf } from '../assignment/assignment.ts';
import { orderCreated, workerRegistered, workerUpdated } from './builders.ts';
import { type AssignmentsFixture, enveloped, openAssignments } from './fixture.ts';

let field: AssignmentsFixture;
beforeEach(async () => {
  field = await openAssignments();
});
afterEach(() => field.close());

test('who was invited is given nothing before they accept; then what waits is theirs', async () => {
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
