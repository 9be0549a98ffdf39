import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './kit.ts';

const STRANGE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const PATH = '/api/stats';

let gateway: TestGateway;
afterEach(() => gateway.close());

/** What the service was told of the trace. */
async function passedOn(): Promise<string | undefined> {
  await fetch(gateway.url + PATH, { headers: { traceparent: STRANGE } });
  return (await waitFor(() => gateway.stub.requests[0])).headers.traceparent as string | undefined;
}

test('without a collector a service hears of no trace, even if a caller speaks of one', async () => {
  gateway = await startTestGateway({ trustedProxies: '127.0.0.1' });
  expect(await passedOn()).toBeUndefined();
});

describe('with a collector', () => {
  let collector: TestCollector;
  let telemetry: Telemetry | undefined;
  beforeAll(async () => {
    collector = await startCollector();
    telemetry = await startTelemetry({ service: 'gateway', endpoint: collector.endpoint });
  });
  afterAll(async () => {
    await telemetry?.stop();
    await collector.close();
  });
  beforeEach(() => void collector.spans.splice(0));

  test('a service continues the trace that the gateway began, whatever a stranger says', async () => {
    gateway = await startTestGateway();
    const traceparent = await passedOn();
    const span = await collector.span(`GET ${PATH}`);
    expect(traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`);
    expect(span).toMatchObject({ service: 'gateway', parentId: '', failed: false });
    expect(span.traceId).not.toBe('a'.repeat(32));
  });

  test('the trace of a trusted proxy goes on through the gateway', async () => {
    gateway = await startTestGateway({ trustedProxies: '127.0.0.1' });
    await passedOn();
    const span = await collector.span(`GET ${PATH}`);
    expect([span.traceId, span.parentId]).toEqual(['a'.repeat(32), 'b'.repeat(16)]);
  });

  test('a service that fails shows', async () => {
    gateway = await startTestGateway();
    gateway.stub.answerWith((_request, response) => response.writeHead(500).end());
    await fetch(gateway.url + PATH);
    const span = await collector.span(`GET ${PATH}`);
    expect(span).toMatchObject({ failed: true, attributes: { 'http.response.status_code': '500' } });
  });
});
