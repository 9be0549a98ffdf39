import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { GatewayLimits } from '../config.ts';
import { startTestGateway, type TestGateway } from './harness.ts';

describe('calls to services', () => {
  let gateway: TestGateway;

  const last = () => gateway.stub.requests.at(-1)!;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  describe('a call in the contracts', () => {
    test('reaches its service unchanged, and its response comes back', async () => {
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

    test('reaches its service where verifiers look for the keys of certificates', async () => {
      const response = await fetch(`${gateway.url}/.well-known/did.json`);
      expect(response.status).toBe(200);
      expect(last().url).toBe('/.well-known/did.json');
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
    });

    test('with an undeclared method is refused with the allowed methods', async () => {
      const response = await fetch(`${gateway.url}/api/stats`, { method: 'DELETE' });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await response.json()).toMatchObject({ type: 'method-not-allowed' });
    });

    test('with HEAD is answered without a body', async () => {
      const response = await fetch(`${gateway.url}/api/stats`, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(last().method).toBe('HEAD');
    });
  });

  describe('a call outside the contracts', () => {
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
      '%s is internal and never forwarded',
      async (path) => {
        const seen = gateway.stub.requests.length;
        const response = await fetch(gateway.url + path);
        expect(await response.text()).not.toContain('treesPlanted');
        expect(gateway.stub.requests.length).toBe(seen);
      },
    );
  });

  describe('a failing service', () => {
    test('that is slow becomes a 503 with Retry-After within the deadline', async () => {
      const hasty = await startTestGateway({ limits: { upstreamTimeoutMs: 300 } });
      hasty.stub.answerWith(() => undefined);
      const answer = await request(hasty.url, 'GET /api/stats');
      await hasty.close();
      expect(answer.status).toBe(503);
      expect(answer.body.type).toBe('timeout');
      expect(answer.headers.get('retry-after')).toBe('2');
    });

    test('that is down becomes a 503 with Retry-After, without internals', async () => {
      const broken = await startTestGateway({ serviceUrls: { orders: 'http://127.0.0.1:1' } });
      const answer = await request(broken.url, 'GET /api/stats');
      await broken.close();
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN|stats/);
    });

    test('that sends garbage becomes a 503', async () => {
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

    test('that fails with its own page is replaced by a problem', async () => {
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

    test.each<[string, string | undefined]>([
      ['answers with a status that there is not', 'HTTP/1.1 999 Odd\r\n\r\n/srv/orders/store.ts'],
      ['never ends its headers', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`],
      ['hangs up', undefined],
    ])('that %s becomes a problem without internals', async (_what, bytes) => {
      gateway.stub.answerWith(({ socket }) => void (bytes ? socket.end(bytes) : socket.destroy()));
      const answer = await request(gateway.url, 'GET /api/stats');
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(JSON.stringify(answer.body)).not.toMatch(/store\.ts|127\.0\.0\.1|ECONN|stack/);
    });

    test('that reports a problem is passed on', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '7' });
        response.end('{"type":"unavailable"}');
      });
      const answer = await request(gateway.url, 'GET /api/stats');
      expect(answer.headers.get('retry-after')).toBe('7');
      expect(answer.body).toEqual({ type: 'unavailable' });
    });

    test('that dies in the middle of a response ends the response, not the gateway', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write('half', () => response.destroy());
      });
      await expect(request(gateway.url, 'GET /api/stats')).rejects.toThrow();
      gateway.stub.answerWith((_request, response) => void response.end('{}'));
      expect((await request(gateway.url, 'GET /api/stats')).status).toBe(200);
    });

    test('that closed an idle connection is retried', async () => {
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

  test('a disconnected caller cancels the call', async () => {
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

  test('WebSockets are refused', async () => {
    gateway.stub.answerWith((_request, response) => void response.end('{}'));
    const answer = await gateway.raw(
      'GET /api/stats HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(last().headers).not.toHaveProperty('upgrade');
  });
});

describe('refused paths', () => {
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
  ])('%s is refused before any service reads it', async (target) => {
    const seen = gateway.stub.requests.length;
    const answer = await gateway.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer).toContain('"type":"malformed-request"');
    expect(gateway.stub.requests.length).toBe(seen);
  });
});

describe('no tunnel is opened, and no request repeated, for', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  test.each([
    'CONNECT 127.0.0.1:22',
    'OPTIONS *',
    'GET http://169.254.169.254/latest/meta-data',
    'GET file:///etc/passwd',
    'TRACE /api/stats',
    'JEFF /api/stats',
    'PROPFIND /api/stats',
  ])('%s', async (line) => {
    const head = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer mine\r\n\r\n`;
    const answer = await gateway.raw(head);
    expect(answer).not.toMatch(/^HTTP\/1\.1 (101|200)|Bearer mine|root:/);
    expect(gateway.stub.requests).toEqual([]);
  });
});

describe('event streams', () => {
  let gateway: TestGateway;

  let feeding: ServerResponse[];

  beforeEach(async () => {
    gateway = await startFed();
  });

  afterEach(() => gateway.close());

  async function startFed(limits: Partial<GatewayLimits> = {}): Promise<TestGateway> {
    const started = await startTestGateway({ limits });
    feeding = [];
    started.stub.answerWith((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: {"orderId":"a"}\n\n');
      feeding.push(response);
    });
    return started;
  }

  const listen = async (at = gateway) => {
    const response = await fetch(`${at.url}/api/track/ab12CD34ef56GH78ij90KL/events`);
    return response.body!.pipeThrough(new TextDecoderStream()).getReader();
  };

  test('events arrive as they are sent, long after the deadline of calls', async () => {
    const hasty = await startFed({ upstreamTimeoutMs: 300 });
    const messages = await listen(hasty);
    expect((await messages.read()).value).toBe('data: {"orderId":"a"}\n\n');
    // A later call has timed out already.
    hasty.stub.answerWith(() => undefined);
    expect((await fetch(`${hasty.url}/api/stats`)).status).toBe(503);
    feeding[0]!.write('data: {"orderId":"b"}\n\n');
    expect((await messages.read()).value).toBe('data: {"orderId":"b"}\n\n');
    await messages.cancel();
    await hasty.close();
  });

  test('hundreds of listeners leave calls their connections', async () => {
    const listeners = await Promise.all(Array.from({ length: 300 }, () => listen()));
    gateway.stub.answerWith((_request, response) => response.end('{}'));
    expect((await fetch(`${gateway.url}/api/stats`)).status).toBe(200);
    await Promise.all(listeners.map((one) => one.cancel()));
  });

  test('a stopping gateway ends its streams at once and cleanly', async () => {
    const stopped = await startFed();
    const messages = await listen(stopped);
    await messages.read();
    const closing = stopped.close();
    expect((await messages.read()).done).toBe(true);
    await closing;
  });
});

describe('traces', () => {
  const STRANGE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

  const PATH = '/api/stats';

  let gateway: TestGateway;

  afterEach(() => gateway.close());

  async function passedOn(): Promise<string | undefined> {
    await fetch(gateway.url + PATH, { headers: { traceparent: STRANGE } });
    return (await waitFor(() => gateway.stub.requests[0])).headers.traceparent as string | undefined;
  }

  test('without a collector a service gets no traceparent, even from a caller', async () => {
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

    test('a service continues the gateway’s trace, ignoring an untrusted caller’s', async () => {
      gateway = await startTestGateway();
      const traceparent = await passedOn();
      const span = await collector.span(`GET ${PATH}`);
      expect(traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`);
      expect(span).toMatchObject({ service: 'gateway', parentId: '', failed: false });
      expect(span.traceId).not.toBe('a'.repeat(32));
    });

    test('a trusted proxy’s trace continues through the gateway', async () => {
      gateway = await startTestGateway({ trustedProxies: '127.0.0.1' });
      await passedOn();
      const span = await collector.span(`GET ${PATH}`);
      expect([span.traceId, span.parentId]).toEqual(['a'.repeat(32), 'b'.repeat(16)]);
    });

    test('a failing service is visible', async () => {
      gateway = await startTestGateway();
      gateway.stub.answerWith((_request, response) => response.writeHead(500).end());
      await fetch(gateway.url + PATH);
      const span = await collector.span(`GET ${PATH}`);
      expect(span).toMatchObject({ failed: true, attributes: { 'http.response.status_code': '500' } });
    });
  });
});
