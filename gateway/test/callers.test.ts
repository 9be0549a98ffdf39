import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  type Endpoint,
  type EndpointKey,
  isInternal,
  methodOf,
  pathOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { type GatewayParts, startTestGateway, type TestGateway } from './harness.ts';

let gateway: TestGateway;
const open = async (parts: GatewayParts = {}) => {
  gateway = await startTestGateway(parts);
  return gateway;
};
const seenHeaders = () => gateway.stub.requests.at(-1)!.headers;
afterEach(() => gateway.close());

describe('a caller’s claims about itself', () => {
  test('are not trusted', async () => {
    await open({ countryHeader: 'cf-ipcountry' });
    await request(gateway.url, 'GET /api/pricing/dynamic', {
      headers: {
        'X-Forwarded-For': '203.0.113.9',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=203.0.113.9',
        'X-Real-IP': '203.0.113.9',
        'CF-IPCountry': 'CO',
        'X-Visitor-Country': 'CO',
        'CF-Connecting-IP': '203.0.113.9',
        'X-Original-URL': '/internal/accounts',
        'X-HTTP-Method-Override': 'DELETE',
        'X-Correlation-Id': 'chosen-by-the-caller',
        Cookie: 'session=1',
      },
    });
    expect(seenHeaders()['x-forwarded-for']).toBe('127.0.0.1');
    expect(seenHeaders()['x-correlation-id']).not.toBe('chosen-by-the-caller');
    const known = ['accept', 'accept-language', 'user-agent', 'connection', 'host', 'x-forwarded-for'];
    const others = Object.keys(seenHeaders()).filter((name) => !known.includes(name));
    expect(others).toEqual(['x-correlation-id']);
  });

  test('are trusted from a trusted proxy, as far as the chain is trusted', async () => {
    await open({ trustedProxies: '127.0.0.1, 10.0.0.0/8', countryHeader: 'cf-ipcountry' });
    await request(gateway.url, 'GET /api/pricing/dynamic', {
      headers: { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9, 10.1.2.3', 'CF-IPCountry': 'CO' },
    });
    expect(seenHeaders()['x-forwarded-for']).toBe('203.0.113.9');
    expect(seenHeaders()['x-visitor-country']).toBe('CO');
  });
});

test('a Connection header removes no other header on the way to the service', async () => {
  await open();
  await gateway.raw(
    'GET /api/stats HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer mine\r\nConnection: close, Authorization, X-Forwarded-For\r\n\r\n',
  );
  expect(seenHeaders()).toMatchObject({ authorization: 'Bearer mine', 'x-forwarded-for': '127.0.0.1' });
  expect(seenHeaders().connection).not.toMatch(/authorization/i);
});

test('versions and ranges in a request reach the service', async () => {
  await open();
  const said = {
    'if-match': '"7"',
    'if-none-match': '"v1"',
    range: 'bytes=0-9',
    'if-range': '"v1"',
    'idempotency-key': 'a-key-of-the-caller',
  };
  await request(gateway.url, 'GET /api/stats', { headers: said });
  expect(seenHeaders()).toMatchObject(said);
});

test('every response has a correlation id', async () => {
  await open();
  const answer = await request(gateway.url, 'GET /api/stats');
  expect(answer.headers.get('x-correlation-id')).toBe(seenHeaders()['x-correlation-id']);
  const refusal = await fetch(`${gateway.url}/api/nothing`);
  expect(((await refusal.json()) as { correlationId: string }).correlationId).toBe(
    refusal.headers.get('x-correlation-id'),
  );
});

describe('rate limits', () => {
  const login = (headers: Record<string, string> = {}) =>
    request(gateway.url, 'POST /api/auth/customer/login', { body: {}, headers });

  test('of an endpoint answer 429 with Retry-After once reached', async () => {
    await open({ limits: { rateScale: 0.05 } });
    const first = await login();
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-limit')).toBe('3');
    expect(first.headers.get('ratelimit-remaining')).toBe('2');
    expect(first.headers.get('ratelimit-policy')).toBe('3;w=600');
    await login();
    await login();
    const refused = await login({ 'Accept-Language': 'es' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.body).toMatchObject({
      type: 'too-many-requests',
      title: 'Demasiados intentos. Espera un momento.',
    });
    expect((await request(gateway.url, 'POST /api/auth/admin/login', { body: {} })).status).toBe(200);
  });

  test('count by address, not by claims', async () => {
    await open({ limits: { rateScale: 0.05 } });
    for (let index = 0; index < 3; index += 1) await login({ 'X-Forwarded-For': `203.0.113.${index}` });
    expect((await login({ 'X-Forwarded-For': '203.0.113.77' })).status).toBe(429);
  });

  test('keep callers behind a trusted proxy apart', async () => {
    await open({ limits: { rateScale: 0.05 }, trustedProxies: '127.0.0.1' });
    for (let index = 0; index < 3; index += 1) await login({ 'X-Forwarded-For': '203.0.113.1' });
    expect((await login({ 'X-Forwarded-For': '203.0.113.1' })).status).toBe(429);
    expect((await login({ 'X-Forwarded-For': '203.0.113.2' })).status).toBe(200);
  });

  test.each([
    ['of one IPv6 network', (at: number) => `2001:db8:77:1:${at}::${at}`, '2001:db8:77:2::1'],
    [
      'in several spellings',
      (at: number) => ['203.0.113.7', '::ffff:203.0.113.7', ' 203.0.113.7 ', '192.0.2.1, 203.0.113.7'][at]!,
      '203.0.113.8',
    ],
  ])('count addresses %s as one', async (_what, address, other) => {
    await open({ limits: { rateScale: 0.05 }, trustedProxies: '127.0.0.1' });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await login({ 'X-Forwarded-For': address(at) })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await login({ 'X-Forwarded-For': other })).status).toBe(200);
  });

  test('cover unknown paths', async () => {
    await open({ limits: { callsPerMinute: 2 } });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await fetch(`${gateway.url}/api/guess-${index}`)).status);
    }
    expect(statuses).toEqual([404, 404, 429]);
  });
});

describe('a page of another site', () => {
  const fromElsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const post = (path: string, type = 'multipart/form-data; boundary=b', method = 'POST') =>
    fetch(new URL(path, gateway.url), {
      method,
      headers: { ...fromElsewhere, 'Content-Type': type },
      body: '--b--',
    });
  const CALLS = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][])
    .filter(([key]) => !isInternal(pathOf(key)))
    .map(([key, endpoint]) => ({ key, path: pathOf(key).replace(/\{\w+\}/g, 'x'), ...endpoint }));

  test('cannot change anything by the forms that it may send unasked', async () => {
    await open({ limits: { rateScale: 0 } });
    for (const { key, path, fromAnywhere } of CALLS) {
      if (fromAnywhere || methodOf(key) === 'GET') continue;
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
      ])
        expect([key, (await post(path, type, methodOf(key))).status]).toEqual([key, 403]);
    }
    expect(gateway.stub.requests).toEqual([]);
  });

  test('is given nothing to read, whether it asks first or not', async () => {
    await open({ limits: { rateScale: 0 } });
    for (const { key, path } of CALLS) {
      const preflight = await fetch(gateway.url + path, {
        method: 'OPTIONS',
        headers: { ...fromElsewhere, 'Access-Control-Request-Method': methodOf(key) },
      });
      const answers = [preflight];
      if (methodOf(key) === 'GET')
        for (const origin of ['https://evil.example', 'null'])
          answers.push(await fetch(gateway.url + path, { headers: { ...fromElsewhere, Origin: origin } }));
      expect([key, preflight.ok]).toEqual([key, false]);
      for (const { headers } of answers)
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('may read, and machines may post webhooks', async () => {
    await open();
    await request(gateway.url, 'GET /api/pricing/dynamic', { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    await post('/api/payments/stripe-webhook');
    await post(`/api/mail/unsubscribe/${'a'.repeat(22)}`);
    expect(gateway.stub.requests).toHaveLength(3);
  });
});

test('a GET with a body is refused at once, and no service receives it', async () => {
  await open();
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /api/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  expect(gateway.stub.requests).toEqual([]);
});

test('a photo with an unknown parameter is refused without a call', async () => {
  await open();
  const answer = await request(gateway.url, 'GET /api/photos/{filename}', {
    params: { filename: 'a.jpg' },
    query: { w: '320', fresh: '1' },
  });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'fresh', type: 'unknown-value' }] } });
  expect(gateway.stub.requests).toEqual([]);
});

test('when the disk is nearly full, uploads are refused first, then all writes; reads continue', async () => {
  const room = { uploads: false, writes: true };
  await open({ room });
  const upload = () => post('/api/workers/assignments/a1/photos');
  const post = (path: string) => fetch(new URL(path, gateway.url), { method: 'POST' });
  const refused = await upload();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('60');
  await post('/api/auth/worker/login');
  expect(gateway.stub.requests).toHaveLength(1);
  room.writes = false;
  expect((await post('/api/auth/worker/login')).status).toBe(503);
  await request(gateway.url, 'GET /api/pricing/dynamic');
  expect(gateway.stub.requests).toHaveLength(2);
  Object.assign(room, { uploads: true, writes: true });
  await post('/api/auth/worker/login');
  expect(gateway.stub.requests).toHaveLength(3);
});
