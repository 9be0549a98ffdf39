import { afterEach, expect, test } from '@jest/globals';
import { gatewayConfig } from '../config.ts';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

test('the gateway lives whatever its services do, and is ready when all of them are', async () => {
  gateway = await startTestGateway();
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  expect(gateway.stub.requests.filter(({ url }) => url === '/readyz')).toHaveLength(7);
  gateway.stub.answerWith((_request, response) => void response.writeHead(503).end());
  const response = await fetch(`${gateway.url}/readyz`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
});

test('figures are on a port of their own, and name routes, never paths', async () => {
  gateway = await startTestGateway({ metrics: { host: '127.0.0.1', port: 0 } });
  await fetch(`${gateway.url}/api/track/ab12CD34ef56GH78ij90KL`);
  const text = await (await fetch(gateway.metricsUrl!)).text();
  expect(text).toContain('route="GET /api/track/{token}",status="200"');
  expect(text).not.toContain('ab12CD34ef56GH78ij90KL');
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).not.toContain('http_request_duration');
});

test('a client that sends its headers too slowly is let go, and others are served meanwhile', async () => {
  gateway = await startTestGateway({ limits: { headersTimeoutMs: 200 } });
  const slow = gateway.raw('GET /api/stats HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  expect((await fetch(`${gateway.url}/api/stats`)).status).toBe(200);
  expect(await slow).toMatch(/^HTTP\/1\.1 408/);
});

test('the environment is checked, and what is wrong is named', async () => {
  gateway = await startTestGateway();
  const urls = Object.fromEntries(
    ['AUTH', 'PRICING', 'PAYMENTS', 'ORDERS', 'ASSIGNMENTS', 'MEDIA', 'NOTIFICATIONS'].map((name) => [
      `${name}_URL`,
      gateway.stub.url,
    ]),
  );
  const env = { ...urls, SITE_URL: 'https://arboleda.example' };
  expect(gatewayConfig(env)).toMatchObject({ port: 8080, siteUrl: 'https://arboleda.example' });
  expect(() => gatewayConfig({ ...env, TRUSTED_PROXIES: '10.0.0.0/8, nonsense' })).toThrow(
    /TRUSTED_PROXIES.*nonsense/,
  );
  expect(() => gatewayConfig({ ...env, ORDERS_URL: undefined })).toThrow(/ORDERS_URL/);
  expect(() => gatewayConfig({ ...env, RATE_LIMIT_DATABASE_URL: 'mysql://db' })).toThrow(
    /RATE_LIMIT_DATABASE_URL: must be a postgres/,
  );
  expect(gatewayConfig({ ...env, DRAIN_SECONDS: '3' }).limits.drainMs).toBe(3000);
  expect(gatewayConfig({ ...env, MAX_CALLS_IN_FLIGHT: '32' }).limits.maxCallsInFlight).toBe(32);
  expect(() => gatewayConfig({ ...env, MAX_CALLS_IN_FLIGHT: '0' })).toThrow(/MAX_CALLS_IN_FLIGHT/);
  expect(() => gatewayConfig({ ...env, DRAIN_SECONDS: 'long' })).toThrow(/DRAIN_SECONDS/);
  const production = { ...env, NODE_ENV: 'production' };
  for (const scale of ['0', '1000'])
    expect(() => gatewayConfig({ ...production, RATE_LIMIT_SCALE: scale })).toThrow(/RATE_LIMIT_SCALE/);
  const rehearsal = { ...production, SITE_URL: 'http://localhost:8080', RATE_LIMIT_SCALE: '1000' };
  expect(gatewayConfig(rehearsal).limits.rateScale).toBe(1000);
});
