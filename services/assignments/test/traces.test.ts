import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AssignmentsFixture } from './fixture.ts';
import { type GrowthHarness, openGrowthHarness, visited } from './growth-harness.ts';

let collector: TestCollector;
let telemetry: Telemetry | undefined;
let growth: GrowthHarness;
let field: AssignmentsFixture;
beforeAll(async () => {
  collector = await startCollector();
  telemetry = await startTelemetry({ service: 'assignments', endpoint: collector.endpoint });
  growth = await openGrowthHarness();
  ({ field } = growth);
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

test('lookup, photo and notice of a growth visit are linked to the trace in which the order came', async () => {
  const { orderId, ids, visits } = await growth.bought();
  const ofOrder = await waitFor(
    () =>
      collector.spans.find(
        ({ name, attributes }) =>
          name === 'process order.created' && attributes['arboleda.order.id'] === orderId,
      ),
    15_000,
  );
  growth.setNow(visits[0]!.dueAt);
  const due = await growth.dueOf(ids[0]!, 'ana');
  const notice = await collector.span('notice growth visit');
  expect(notice.attributes).toMatchObject({ 'arboleda.order.id': orderId });
  expect(due.traceparent).toBe(`00-${notice.traceId}-${notice.spanId}-01`);
  await growth.internal(ids[0]!);
  await field.publish(visited(orderId, ids[0]!));
  const steps = [
    notice,
    await collector.span('GET /internal/growth-visits/{id}'),
    await collector.span('process photo.uploaded'),
  ];
  for (const { traceId, links } of steps) {
    expect(links).toEqual([ofOrder.traceId]);
    expect(traceId).not.toBe(ofOrder.traceId);
  }
}, 60_000);
