import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestTransfers } from '../transfers/test/transfers.ts';
import { aPaidPayment, payOnPage, refund, refundPackage } from './actions.ts';
import { type Harness, openHarness } from './harness.ts';
import { packageHarness } from './package-harness.ts';

let collector: TestCollector;
let telemetry: Telemetry | undefined;
let harness: Harness;
beforeAll(async () => {
  collector = await startCollector();
  telemetry = await startTelemetry({ service: 'payments', endpoint: collector.endpoint });
  harness = await openHarness();
}, 60_000);
afterAll(async () => {
  await harness?.close();
  await telemetry?.stop();
  await collector?.close();
});

/** The first span of this name that is linked to another trace. */
const linked = (name: string) =>
  waitFor(() => collector.spans.find((span) => span.name === name && span.links.length > 0), 15_000);

test('webhooks and refunds are linked to the trace in which the buyer began to pay', async () => {
  const { paymentId } = await aPaidPayment(harness);
  const { traceId } = await collector.span('POST /api/pricing/create-payment-intent');
  const webhook = await linked('POST /api/payments/stripe-webhook');
  expect(webhook.links).toEqual([traceId]);
  expect(webhook.traceId).not.toBe(traceId);
  await refund(harness, paymentId);
  expect((await linked('POST /api/admin/payments/{id}/refunds')).links).toEqual([traceId]);
}, 60_000);

test('the decision on a transfer is linked to the trace in which it was submitted', async () => {
  const transfers = await startTestTransfers();
  try {
    const { body } = await transfers.send();
    const { traceId } = await collector.span('POST /api/manual-payments/create-order');
    await transfers.verify(body.orderId);
    expect((await linked('POST /api/admin/manual-payments/verify/{id}')).links).toEqual([traceId]);
  } finally {
    await transfers.close();
  }
}, 60_000);

test('payment and refund of a photo package are linked to the trace in which the customer began to buy it', async () => {
  const packages = packageHarness(harness);
  const { orderId } = await aPaidPayment(harness);
  const { body } = await packages.buy(orderId);
  const { traceId } = await collector.span('POST /api/payments/create-photo-package-checkout');
  await payOnPage(harness, body.checkoutUrl);
  const { data } = await packages.received(orderId);
  await waitFor(
    () =>
      collector.spans.find(
        ({ name, links }) => name === 'POST /api/payments/stripe-webhook' && links.includes(traceId),
      ),
    15_000,
  );
  await refundPackage(harness, data.purchaseId);
  const refunding = await collector.span('POST /api/admin/photo-packages/{id}/refunds');
  expect(refunding.links).toContain(traceId);
}, 60_000);
