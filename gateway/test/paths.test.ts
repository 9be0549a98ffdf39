import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test.each([
  '/api/orders/%2e%2e/admin',
  '/api/orders/..%2fstats',
  '/api/orders/%2E%2E%2Fstats',
  '/api/photos/..%5c..%5csecret',
  '/api/photos/..\\secret',
  '/api/orders/%252e%252e/stats',
  '/api/orders/%00',
  '/api/orders/%0d%0aX-Evil:%201',
  '/api/../internal/jwks',
  '/api/./stats',
  '//evil.example/api/stats',
  '/assets/../../../etc/passwd',
  '/assets/%2e%2e/%2e%2e/etc/passwd',
  '/api/orders/%ff',
  'http://evil.example/api/stats',
])('%s is refused before anybody reads it', async (target) => {
  const seen = gateway.stub.requests.length;
  const answer = await gateway.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
  expect(answer).toContain('"type":"malformed-request"');
  expect(gateway.stub.requests.length).toBe(seen);
});
