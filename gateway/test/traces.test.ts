import { openRecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './harness.ts';

const ORDER = 'e6811def4d51ed8f2d5b28b7';
/** The trace in which the buyer began to pay. */
const BEGAN = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

let gateway: TestGateway;
beforeAll(async () => {
  const recentTraces = openRecentTraces();
  const webhook = recentTraces.open({ name: 'POST', kind: 'server', service: 'payments' });
  const handling = recentTraces.open({
    name: 'process payment.succeeded',
    kind: 'consumer',
    service: 'orders',
    parent: webhook.traceparent,
    attributes: { 'arboleda.order.id': ORDER },
  });
  recentTraces.link(handling.traceparent, BEGAN);
  handling.end({ fault: 'Error' });
  webhook.end({ name: 'POST /api/payments/stripe-webhook' });
  recentTraces.open({ name: '<script>', kind: 'server', service: 'auth' }).end();
  gateway = await startTestGateway({ recentTraces });
});
afterAll(() => gateway.close());

const page = async (query = '') => (await fetch(`${gateway.url}/dev/traces${query}`)).text();

test('shows each trace with its spans below their cause, the newest first', async () => {
  const html = await page();
  expect(html.indexOf('auth: ')).toBeLessThan(
    html.indexOf('payments: POST /api/payments/stripe-webhook, 2 spans'),
  );
  expect(html).toMatch(
    /<td>payments<\/td>[^]*<td>orders<\/td><td title="arboleda\.order\.id=e68[^]*· process payment\.succeeded \(Error\)/,
  );
  expect(html).toContain(`<a href="#${'a'.repeat(32)}">began in aaaaaaaa</a>`);
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toContain('<script>');
});

test('finds the traces of an order by the end of its id', async () => {
  expect(await page('?order=5B28B7')).not.toContain('auth: ');
  expect(await page('?order=5B28B7')).toContain(`order ${ORDER}`);
  expect(await page('?order=AAAAAA')).toContain('None.');
});

test('its style is allowed by the content security policy', async () => {
  const { headers } = await fetch(`${gateway.url}/dev/traces/style.css`);
  expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
});

test('does not exist without tracing', async () => {
  const production = await startTestGateway();
  const answer = await (await fetch(`${production.url}/dev/traces`)).text();
  expect(answer).not.toContain('Traces');
  await production.close();
});
