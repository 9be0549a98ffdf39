import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAdminClient } from './admin-client.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let collector: TestCollector;
let telemetry: Telemetry | undefined;
let orders: OrdersFixture;
beforeAll(async () => {
  collector = await startCollector();
  telemetry = await startTelemetry({ service: 'orders', endpoint: collector.endpoint });
  orders = await openOrders();
}, 60_000);
afterAll(async () => {
  await orders?.close();
  await telemetry?.stop();
  await collector?.close();
});

test('what an admin changes of an order is linked to the trace in which the order was paid', async () => {
  const admin = openAdminClient(orders);
  const id = await admin.paidOrder();
  const { traceId } = await collector.span('process payment.succeeded');
  await admin.edit(id, { notes: 'Steep' });
  const edit = await collector.span('PUT /api/admin/orders/{id}');
  expect(edit.links).toEqual([traceId]);
  expect(edit.traceId).not.toBe(traceId);
}, 60_000);
