import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AssignmentsFixture, openAssignments } from './fixture.ts';

let collector: TestCollector;
let telemetry: Telemetry | undefined;
let field: AssignmentsFixture;
beforeAll(async () => {
  collector = await startCollector();
  telemetry = await startTelemetry({ service: 'assignments', endpoint: collector.endpoint });
  field = await openAssignments();
}, 60_000);
afterAll(async () => {
  await field?.close();
  await telemetry?.stop();
  await collector?.close();
});

test('steps of a worker and of an admin are linked to the trace in which the order came', async () => {
  await field.known({ workerId: 'ana', region: 'Quindío' });
  const { assignmentId, orderId } = await field.assignedOrder({ region: 'Quindío' });
  const { traceId } = await collector.span('process order.created');
  await field.move('ana', assignmentId, { status: 'planted' });
  const step = await collector.span('PUT /api/workers/assignments/{id}/status');
  expect(step.links).toEqual([traceId]);
  expect(step.traceId).not.toBe(traceId);
  await field.asAdmin('GET /api/admin/orders/{id}/assignment', { params: { id: orderId } });
  expect((await collector.span('GET /api/admin/orders/{id}/assignment')).links).toEqual([traceId]);
}, 60_000);
