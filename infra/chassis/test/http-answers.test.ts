import { orderId as orderIdField } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { currentContext } from '../context.ts';
import { anOrderId } from '../testing/events.ts';
import { personToken } from '../testing/identity.ts';
import { waitFor } from '../testing/wait.ts';
import { json, startHttp, type TestHttp } from './http-harness.ts';

describe("a service's answers", () => {
  let http: TestHttp;

  function* endless() {
    for (;;) yield Buffer.alloc(1000);
  }

  const never = () => new Promise<never>(() => {});

  const bought = anOrderId();

  const secretive = Object.assign(new Error('connect to 10.0.0.7:5432 as arboleda'), {
    detail: 'Key (email)=(ana@example.com) already exists.',
  });

  beforeAll(async () => {
    http = await startHttp(
      {
        'POST /api/things': { declared: { body: z.object({ trees: z.int().min(1) }) } },
        'GET /api/strict': {
          declared: { response: z.object({ shown: z.string() }) },
          handle: async () => ({ shown: 'yes', hidden: 'secret' }),
        },
        'GET /api/wrong-answer': {
          declared: { response: z.object({ shown: z.string() }) },
          handle: async () => ({ shown: 7 }),
        },
        'PUT /api/nothing': { declared: { response: undefined, status: 204 }, handle: async () => undefined },
        'GET /api/broken': { handle: () => Promise.reject(secretive) },
        'GET /api/refused': {
          handle: () => Promise.reject(new Problem('too-many-requests', { retryAfterSeconds: 30 })),
        },
        'GET /api/offline': {
          handle: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
        },
        'GET /api/slow': { handle: never },
        'GET /api/list': {},
        'GET /api/orders/{id}': { declared: { params: z.object({ id: orderIdField }) } },
        'GET /api/broken-orders/{id}': {
          declared: { params: z.object({ id: orderIdField }) },
          handle: () => Promise.reject(new Error('broken')),
        },
        'POST /api/about': { declared: { body: z.object({ orderId: orderIdField }) } },
        'GET /api/bought': { handle: async () => ({ orderId: bought }) },
        'POST /api/context': {
          declared: { body: z.object({}) },
          handle: async () => ({ correlationId: currentContext().correlationId }),
        },
        'GET /api/picture': {
          declared: { binary: 'image/jpeg', response: undefined },
          handle: async () => ({
            contentType: 'image/jpeg',
            etag: 'abc',
            publicSeconds: 60,
            sizeBytes: 5,
            bytes: Readable.from([Buffer.from('bytes')]),
          }),
        },
        'GET /api/endless': {
          declared: { binary: 'image/jpeg', response: undefined },
          handle: async () => ({
            contentType: 'image/jpeg',
            etag: 'abc',
            publicSeconds: 60,
            sizeBytes: 1_000_000_000,
            bytes: Readable.from(endless()),
          }),
        },
      },
      { deadlineMs: 300 },
    );
  });

  afterAll(() => http.close());

  describe('an answer', () => {
    test('contains only what the contract declares', async () => {
      expect((await http.send('GET', '/api/strict')).body).toEqual({ shown: 'yes' });
    });

    test('may be empty', async () => {
      const { status, text } = await http.send('PUT', '/api/nothing');
      expect([status, text]).toEqual([204, '']);
    });

    test('that breaks the contract is a server error', async () => {
      expect((await http.send('GET', '/api/wrong-answer')).body).toMatchObject({
        status: 500,
        type: 'internal',
      });
    });

    test('may be binary, and is not sent again to a caller that has it', async () => {
      const { headers, text } = await http.send('GET', '/api/picture');
      expect([text, headers.get('etag'), headers.get('content-type')]).toEqual([
        'bytes',
        '"abc"',
        'image/jpeg',
      ]);
      const again = await http.send('GET', '/api/picture', {
        headers: { 'If-None-Match': '"abc"', 'Cache-Control': 'max-age=0' },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    test('is not an error when the caller has left', async () => {
      const before = http.lines.length;
      for (const path of ['/api/slow', '/api/endless']) {
        const leaving = new AbortController();
        const call = fetch(new URL(path, http.url), { signal: leaving.signal });
        await new Promise(setImmediate);
        if (path === '/api/endless') await call;
        leaving.abort();
        await call.then((response) => response.arrayBuffer()).catch(() => {});
      }
      const lines = await waitFor(() => {
        const since = http.lines.slice(before).filter(({ msg }) => msg === 'request');
        return since.length >= 1 && since.some(({ route }) => route === 'GET /api/endless') && since;
      });
      expect(lines.map(({ status }) => status)).toContain(499);
      expect(http.lines.slice(before).filter(({ level }) => level === 'error')).toEqual([]);
    });
  });

  describe('an error', () => {
    test('has a title in the reader’s language, and the fields of the product spec', async () => {
      const { body } = await http.send(
        'POST',
        '/api/things',
        json({ trees: 0 }, { 'Accept-Language': 'es-CO' }),
      );
      expect(body).toEqual({
        type: 'validation-failed',
        title: 'Revisa los campos marcados.',
        error: 'Revisa los campos marcados.',
        message: 'Revisa los campos marcados.',
        status: 422,
        errors: [{ path: 'trees', type: 'too-small', message: 'Este número es demasiado pequeño.' }],
        correlationId: expect.any(String),
      });
      const english = await http.send('GET', '/api/unknown');
      expect(english.body.title).toBe('There is nothing here.');
    });

    test('contains no internal details, and its log line no personal data', async () => {
      const { status, text, body } = await http.send('GET', '/api/broken');
      expect([status, body.type]).toEqual([500, 'internal']);
      expect(text).not.toMatch(/10\.0\.0\.7|stack|at |ana@/);
      const line = http.lines.find(
        ({ msg, correlationId }) => msg === 'internal' && correlationId === body.correlationId,
      );
      expect(JSON.stringify(line)).toContain('connect to 10.0.0.7:5432');
      expect(JSON.stringify(line)).not.toContain('ana@');
    });

    test('of an unavailable engine is temporary', async () => {
      const { status, headers, body } = await http.send('GET', '/api/offline');
      expect([status, body.type, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    });

    test('says when to retry', async () => {
      const { status, headers } = await http.send('GET', '/api/refused');
      expect([status, headers.get('retry-after')]).toEqual([429, '30']);
    });

    test('is a timeout when the deadline has passed', async () => {
      const { headers, body } = await http.send('GET', '/api/slow');
      expect(body).toMatchObject({ status: 503, type: 'timeout' });
      expect(headers.get('retry-after')).toBe('5');
    });
  });

  describe('the order of a request', () => {
    const orderId = bought;
    const named = async (method: string, path: string, body?: object) => {
      const visit = `visit-${randomUUID()}`;
      await http.send(
        method,
        path,
        body ? json(body, { 'X-Correlation-Id': visit }) : { headers: { 'X-Correlation-Id': visit } },
      );
      return waitFor(() =>
        http.lines.find(({ correlationId, msg }) => correlationId === visit && msg === 'request'),
      );
    };

    test.each([
      ['in its path', 'GET', `/api/orders/${orderId}`, undefined],
      ['in its body', 'POST', '/api/about', { orderId }],
      ['in its answer', 'GET', '/api/bought', undefined],
    ])('is in its log line, when it is in %s', async (_where, method, path, body) => {
      expect(await named(method, path, body)).toMatchObject({ orderId });
    });

    test('is in the log line of an error too', async () => {
      await named('GET', `/api/broken-orders/${orderId}`);
      const fault = http.lines.find(({ msg, orderId: its }) => msg === 'internal' && its === orderId);
      expect(fault).toBeDefined();
    });

    test('is in no log line when there is none', async () => {
      expect(await named('GET', '/api/list')).not.toHaveProperty('orderId');
    });
  });

  describe('the correlation id', () => {
    test('is passed to the handler, the answer and the log', async () => {
      const answer = await http.send('POST', '/api/context', json({}, { 'X-Correlation-Id': 'visit-12345' }));
      expect(answer.body).toEqual({ correlationId: 'visit-12345' });
      expect(answer.headers.get('x-correlation-id')).toBe('visit-12345');
      const line = await waitFor(() =>
        http.lines.find(({ correlationId }) => correlationId === 'visit-12345'),
      );
      expect(line).toMatchObject({ service: 'orders', route: 'POST /api/context', status: 200 });
    });

    test('is new when the caller sends none', async () => {
      const { headers } = await http.send('GET', '/api/list', { headers: { 'X-Correlation-Id': 'a{b}"c' } });
      expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});

describe("a service's streams", () => {
  let http: TestHttp;

  afterEach(() => http.close());

  const declared = { stream: z.object({ orderId: z.string() }), response: undefined };

  test('arrive as server-sent events, without fields that the contract does not declare', async () => {
    http = await startHttp({
      'GET /api/events': {
        declared,
        handle: async () =>
          (async function* () {
            yield { data: { orderId: 'a', email: 'ana@example.com' } };
            yield { event: 'changed', data: { orderId: 'b' } };
          })(),
      },
    });
    const response = await fetch(`${http.url}/api/events`);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(
      'retry: 2000\n\ndata: {"orderId":"a"}\n\nevent: changed\ndata: {"orderId":"b"}\n\n',
    );
  });

  test('answer with a problem before the first message', async () => {
    http = await startHttp({
      'GET /api/events': { declared: { ...declared, access: ['admin'], permission: 'orders:read' } },
    });
    const response = await fetch(`${http.url}/api/events`);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('end their source when the listener leaves', async () => {
    let left = false;
    http = await startHttp({
      'GET /api/events': {
        declared,
        handle: async ({ signal }) => {
          signal.addEventListener('abort', () => (left = true));
          return (async function* () {
            yield { data: { orderId: 'a' } };
            await new Promise(() => {});
          })();
        },
      },
    });
    const leaving = new AbortController();
    const response = await fetch(`${http.url}/api/events`, { signal: leaving.signal });
    await response.body!.getReader().read();
    expect(left).toBe(false);
    leaving.abort();
    expect(await waitFor(async () => left)).toBe(true);
  });

  test('end when the service stops, so that listeners reconnect to another replica', async () => {
    const stopping = new AbortController();
    http = await startHttp(
      {
        'GET /api/events': {
          declared,
          handle: async () =>
            (async function* () {
              yield { data: { orderId: 'a' } };
              await new Promise(() => {});
            })(),
        },
      },
      { stopping: stopping.signal },
    );
    const response = await fetch(`${http.url}/api/events`);
    const messages = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await messages.read()).value).toContain('"orderId":"a"');
    stopping.abort();
    await waitFor(async () => (await messages.read()).done);
  });

  const endless = async () =>
    (async function* () {
      yield { data: { orderId: 'a' } };
      await new Promise(() => {});
    })();

  describe('a listener whose session', () => {
    const listen = async (token: string) =>
      fetch(`${http.url}/api/events`, { headers: { Authorization: `Bearer ${token}` } });
    /** Time since the start. */
    let laterMs = 0;
    const start = async () => {
      const routes = {
        'GET /api/events': {
          declared: { ...declared, access: ['admin'], permission: 'orders:read' } as const,
          handle: endless,
        },
      };
      http = await startHttp(routes, { askAgainMs: 50, now: () => performance.now() + laterMs });
    };

    test('has ended is disconnected within seconds', async () => {
      await start();
      const ofAnother = await listen(await http.identity.token({ role: 'admin', id: 'admin-2' }));
      const response = await listen(await http.identity.token({ role: 'admin' }));
      http.identity.endSessions('admin-1', 1);
      laterMs += 5_000;
      expect(await response.text()).toContain('"orderId":"a"');
      const reader = ofAnother.body!.getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
    }, 20_000);

    test('expires is disconnected', async () => {
      await start();
      const soon = personToken({ role: 'admin' }).setExpirationTime('2s');
      const response = await listen(await http.identity.sign(soon));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('"orderId":"a"');
    }, 20_000);
  });

  test('end at once on a HEAD request', async () => {
    let left = false;
    http = await startHttp({
      'GET /api/events': {
        declared,
        handle: async ({ signal }) => {
          signal.addEventListener('abort', () => (left = true));
          return endless();
        },
      },
    });
    const response = await fetch(`${http.url}/api/events`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await waitFor(async () => left)).toBe(true);
  });
});
