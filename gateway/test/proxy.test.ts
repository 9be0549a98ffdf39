import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;
const last = () => gateway.stub.requests.at(-1)!;

beforeAll(async () => {
  gateway = await startTestGateway({ limits: { upstreamTimeoutMs: 300 } });
});
afterAll(() => gateway.close());

describe('a call of the contracts', () => {
  test('reaches its service as it was made, and its answer comes back', async () => {
    const answer = await request(gateway.url, 'GET /api/admin/orders/manage', {
      query: { status: 'pending', limit: 5 },
      token: 'abc',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ treesPlanted: 50000 });
    expect(last().url).toBe('/api/admin/orders/manage?status=pending&limit=5');
    expect(last().headers.authorization).toBe('Bearer abc');
  });

  test('carries its body', async () => {
    await request(gateway.url, 'POST /api/auth/admin/login', {
      body: { email: 'a@b.co', password: 'ñandú' },
    });
    expect(JSON.parse(last().body)).toEqual({ email: 'a@b.co', password: 'ñandú' });
  });

  test('of DELETE-less contracts with another method is refused with the methods that exist', async () => {
    const response = await fetch(`${gateway.url}/api/stats`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ type: 'method-not-allowed' });
  });

  test('that only asks for headers is answered without a body', async () => {
    const response = await fetch(`${gateway.url}/api/stats`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(last().method).toBe('HEAD');
  });
});

describe('what contracts do not know', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/stats/', '/api/STATS', '/api/internal/jwks'])(
    '%s ends at the gateway',
    async (path) => {
      const seen = gateway.stub.requests.length;
      const response = await fetch(gateway.url + path, { headers: { 'Accept-Language': 'es-CO' } });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ type: 'not-found', title: 'Aquí no hay nada.' });
      expect(gateway.stub.requests.length).toBe(seen);
    },
  );

  test.each(['/internal/jwks', '/internal/accounts', '/internal/quotes'])(
    '%s is for services only and never reaches one from outside',
    async (path) => {
      const seen = gateway.stub.requests.length;
      const response = await fetch(gateway.url + path);
      expect(await response.text()).not.toContain('treesPlanted');
      expect(gateway.stub.requests.length).toBe(seen);
    },
  );
});

describe('a service in trouble', () => {
  test('that is slow becomes a 503 with Retry-After within the deadline', async () => {
    gateway.stub.answerWith(() => undefined);
    const answer = await request(gateway.url, 'GET /api/stats');
    expect(answer.status).toBe(503);
    expect(answer.body.type).toBe('timeout');
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  test('that is down becomes a 503 with Retry-After, and tells nothing of the inside', async () => {
    const broken = await startTestGateway({ serviceUrls: { orders: 'http://127.0.0.1:1' } });
    const answer = await request(broken.url, 'GET /api/stats');
    await broken.close();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN|stats/);
  });

  test('that talks garbage becomes a 503', async () => {
    const garbage = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    garbage.listen(0, '127.0.0.1');
    await once(garbage, 'listening');
    const { port } = garbage.address() as { port: number };
    const broken = await startTestGateway({ serviceUrls: { orders: `http://127.0.0.1:${port}` } });
    const answer = await request(broken.url, 'GET /api/stats');
    await broken.close();
    garbage.close();
    expect(answer.status).toBe(503);
    expect(JSON.stringify(answer.body)).not.toContain('SSH');
  });

  test('that fails with a page of its own is spoken for', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(500, { 'Content-Type': 'text/html', 'X-Powered-By': 'Express' });
      response.end('<pre>Error: at /srv/orders/store.ts:12</pre>');
    });
    const answer = await request(gateway.url, 'GET /api/stats');
    expect(answer.status).toBe(500);
    expect(answer.body.type).toBe('internal');
    expect(answer.headers.has('x-powered-by')).toBe(false);
    expect(JSON.stringify(answer.body)).not.toContain('store.ts');
  });

  test('that states a problem is quoted', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '7' });
      response.end('{"type":"unavailable"}');
    });
    const answer = await request(gateway.url, 'GET /api/stats');
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.body).toEqual({ type: 'unavailable' });
  });

  test('that dies in the middle of an answer ends the answer, not the gateway', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('half', () => response.destroy());
    });
    await expect(request(gateway.url, 'GET /api/stats')).rejects.toThrow();
    gateway.stub.answerWith((_request, response) => void response.end('{}'));
    expect((await request(gateway.url, 'GET /api/stats')).status).toBe(200);
  });

  test('that closed an idle connection is asked again', async () => {
    gateway.stub.answerWith((_request, response) => void response.end('{}'));
    await request(gateway.url, 'GET /api/stats');
    let calls = 0;
    gateway.stub.answerWith((incoming, response) => {
      calls += 1;
      if (calls === 1) incoming.socket.destroy();
      else response.end('{}');
    });
    expect((await request(gateway.url, 'GET /api/stats')).status).toBe(200);
    expect(calls).toBe(2);
  });

  test('never gets a payment twice because a connection broke', async () => {
    gateway.stub.answerWith((_request, response) => void response.end('{}'));
    await request(gateway.url, 'GET /api/stats');
    let calls = 0;
    gateway.stub.answerWith((incoming) => {
      calls += 1;
      incoming.socket.destroy();
    });
    const answer = await request(gateway.url, 'POST /api/pricing/create-payment-intent', { body: {} });
    expect(answer.status).toBe(503);
    expect(calls).toBe(1);
  });
});

test('a caller who leaves is not worked for', async () => {
  let left = false;
  gateway.stub.answerWith((incoming) => void incoming.socket.once('close', () => (left = true)));
  const caller = new AbortController();
  const call = fetch(`${gateway.url}/api/stats`, { signal: caller.signal });
  const before = gateway.stub.requests.length;
  await waitFor(() => gateway.stub.requests.length > before);
  caller.abort();
  await expect(call).rejects.toThrow();
  await waitFor(() => left);
});

test('web sockets are not passed on', async () => {
  gateway.stub.answerWith((_request, response) => void response.end('{}'));
  const answer = await gateway.raw(
    'GET /api/stats HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(last().headers).not.toHaveProperty('upgrade');
});
