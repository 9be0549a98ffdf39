import { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { currentContext } from '../context.ts';
import { waitFor } from '../testing/wait.ts';
import { json, startHttp, type TestHttp } from './http-kit.ts';

let http: TestHttp;
const handle = jest.fn(async (call: unknown): Promise<unknown> => call);
function* endless() {
  for (;;) yield Buffer.alloc(1000);
}
const never = () => new Promise<never>(() => {});
const secretive = Object.assign(new Error('connect to 10.0.0.7:5432 as arboleda'), {
  detail: 'Key (email)=(ana@example.com) already exists.',
});

beforeAll(async () => {
  http = await startHttp(
    {
      'GET /api/things/{id}': {
        declared: { params: z.object({ id: z.string().regex(/^[a-z]+$/) }) },
        handle: async ({ params }) => params,
      },
      'GET /api/things/mine': { handle: async () => ({ mine: true }) },
      'POST /api/things': {
        declared: { body: z.object({ trees: z.int().min(1), name: z.string() }), status: 201 },
        handle: async ({ body, language, idempotencyKey }) => handle({ body, language, idempotencyKey }),
      },
      'GET /api/list': {
        declared: { query: z.object({ limit: z.coerce.number().int().max(100).default(25) }) },
        handle: async ({ query }) => query,
      },
      'POST /api/raw': {
        declared: { rawBody: true, maxBodyBytes: 1000 },
        handle: async ({ rawBody }) => ({ received: rawBody.toString('hex') }),
      },
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
      'POST /api/context': {
        declared: { body: z.object({}) },
        handle: async () => ({ correlationId: currentContext().correlationId }),
      },
      'GET /api/picture': {
        declared: { binary: 'image/jpeg', response: undefined },
        handle: async () => ({
          contentType: 'image/jpeg',
          etag: 'abc',
          immutableSeconds: 60,
          sizeBytes: 5,
          bytes: Readable.from([Buffer.from('bytes')]),
        }),
      },
      'GET /api/endless': {
        declared: { binary: 'image/jpeg', response: undefined },
        handle: async () => ({
          contentType: 'image/jpeg',
          etag: 'abc',
          immutableSeconds: 60,
          sizeBytes: 1_000_000_000,
          bytes: Readable.from(endless()),
        }),
      },
    },
    { deadlineMs: 300 },
  );
});
afterAll(() => http.close());

const thing = { trees: 3, name: 'ceiba' };

describe('a body', () => {
  test('is handed on as the contract describes it, without what it does not name', async () => {
    const answer = await http.send('POST', '/api/things', json({ ...thing, admin: true }));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ body: thing, language: 'en' });
  });

  test.each([
    ['is not JSON', '{"trees": 3', 'application/json', 400, 'malformed-json'],
    ['is a bare word', '"ceiba"', 'application/json', 400, 'malformed-json'],
    ['is a form', 'trees=3', 'application/x-www-form-urlencoded', 415, 'unsupported-media-type'],
    ['is in an unknown charset', '{}', 'application/json; charset=klingon', 415, 'unsupported-media-type'],
    [
      'is too large',
      JSON.stringify({ name: 'x'.repeat(100_001) }),
      'application/json',
      413,
      'body-too-large',
    ],
  ])('is refused when it %s', async (_name, body, type, status, problem) => {
    handle.mockClear();
    const answer = await http.send('POST', '/api/things', { body, headers: { 'Content-Type': type } });
    expect([answer.status, answer.body.type]).toEqual([status, problem]);
    expect(handle).not.toHaveBeenCalled();
  });

  test('is refused when it grows too large as it is unpacked', async () => {
    const body = gzipSync(JSON.stringify({ ...thing, name: 'x'.repeat(1_000_000) }));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await http.send('POST', '/api/things', { body, headers })).status).toBe(413);
  });

  test('is refused when it cannot be unpacked, or is packed in a way nobody knows', async () => {
    const packed = (encoding: string) =>
      http.send('POST', '/api/things', {
        body: 'not packed at all',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
      });
    expect((await packed('gzip')).body.type).toBe('malformed-request');
    expect((await packed('rot13')).body.type).toBe('unsupported-media-type');
  });

  test('that is missing, empty or a list has every field at fault', async () => {
    const required = [
      { path: 'trees', type: 'required', message: 'Please fill this in.' },
      { path: 'name', type: 'required', message: 'Please fill this in.' },
    ];
    expect((await http.send('POST', '/api/things')).body.errors).toEqual(required);
    expect((await http.send('POST', '/api/things', json({}))).body.errors).toEqual(required);
    expect((await http.send('POST', '/api/things', json([]))).body).toMatchObject({
      status: 422,
      type: 'validation-failed',
    });
  });

  test('of a signed call arrives byte for byte', async () => {
    const answer = await http.send('POST', '/api/raw', { body: Buffer.from([0, 255, 13, 10]) });
    expect(answer.body).toEqual({ received: '00ff0d0a' });
    expect((await http.send('POST', '/api/raw', { body: 'x'.repeat(1001) })).status).toBe(413);
    expect((await http.send('POST', '/api/raw')).body).toEqual({ received: '' });
  });
});

describe('a path', () => {
  test('leads to its own handler before one with a parameter', async () => {
    expect((await http.send('GET', '/api/things/mine')).body).toEqual({ mine: true });
    expect((await http.send('GET', '/api/things/ceiba')).body).toEqual({ id: 'ceiba' });
  });

  test.each([
    '/api/unknown',
    '/api/things/',
    '/API/things/mine',
    '/api/things/UPPER',
    '/api/things/%zz',
    '/',
  ])('that is none of ours leads to nothing: %s', async (path) => {
    const { status, headers, body } = await http.send('GET', path);
    expect([status, body.type]).toEqual([404, 'not-found']);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  test('says which methods it has', async () => {
    const { status, headers, body } = await http.send('DELETE', '/api/things/ceiba');
    expect([status, body.type, headers.get('allow')]).toEqual([405, 'method-not-allowed', 'GET']);
  });

  test('reads its query, and refuses a wrong one by name', async () => {
    expect((await http.send('GET', '/api/list?limit=7')).body).toEqual({ limit: 7 });
    expect((await http.send('GET', '/api/list')).body).toEqual({ limit: 25 });
    expect((await http.send('GET', '/api/list?limit=101')).body.errors).toMatchObject([
      { path: 'limit', type: 'too-big' },
    ]);
    expect((await http.send('GET', '/api/list?limit=1&limit=2')).status).toBe(422);
  });
});

describe('an answer', () => {
  test('says only what the contract names', async () => {
    expect((await http.send('GET', '/api/strict')).body).toEqual({ shown: 'yes' });
  });

  test('may be empty', async () => {
    const { status, text } = await http.send('PUT', '/api/nothing');
    expect([status, text]).toEqual([204, '']);
  });

  test('that breaks the contract is our fault', async () => {
    expect((await http.send('GET', '/api/wrong-answer')).body).toMatchObject({
      status: 500,
      type: 'internal',
    });
  });

  test('may be bytes, and is not sent again to who has it', async () => {
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

  test('is not waited for by somebody who left, and that is no error of ours', async () => {
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

describe('a fault', () => {
  test('is told in the reader’s language, with what the product spec calls error', async () => {
    const { body } = await http.send(
      'POST',
      '/api/things',
      json({ trees: 0, name: 'x' }, { 'Accept-Language': 'es-CO' }),
    );
    expect(body).toEqual({
      type: 'validation-failed',
      title: 'Revisa los campos marcados.',
      error: 'Revisa los campos marcados.',
      status: 422,
      errors: [{ path: 'trees', type: 'too-small', message: 'Este número es demasiado pequeño.' }],
      correlationId: expect.any(String),
    });
    const english = await http.send('GET', '/api/unknown');
    expect(english.body.title).toBe('There is nothing here.');
  });

  test('inside says nothing of the inside, and the log nothing of people', async () => {
    const { status, text, body } = await http.send('GET', '/api/broken');
    expect([status, body.type]).toEqual([500, 'internal']);
    expect(text).not.toMatch(/10\.0\.0\.7|stack|at |ana@/);
    const line = http.lines.find(
      ({ msg, correlationId }) => msg === 'internal' && correlationId === body.correlationId,
    );
    expect(JSON.stringify(line)).toContain('connect to 10.0.0.7:5432');
    expect(JSON.stringify(line)).not.toContain('ana@');
  });

  test('of something we stand on is passing', async () => {
    const { status, headers, body } = await http.send('GET', '/api/offline');
    expect([status, body.type, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  });

  test('says when to try again', async () => {
    const { status, headers } = await http.send('GET', '/api/refused');
    expect([status, headers.get('retry-after')]).toEqual([429, '30']);
  });

  test('of time is told when the deadline passed', async () => {
    expect((await http.send('GET', '/api/slow')).body).toMatchObject({ status: 504, type: 'timeout' });
  });

  test('in an Idempotency-Key names it', async () => {
    const { body } = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'a b' }));
    expect(body.errors).toMatchObject([{ path: 'Idempotency-Key', type: 'invalid' }]);
    const fine = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'key-12345678' }));
    expect(fine.body.idempotencyKey).toBe('key-12345678');
  });
});

describe('the correlation id', () => {
  test('goes through the handler, the answer and the log', async () => {
    const answer = await http.send('POST', '/api/context', json({}, { 'X-Correlation-Id': 'visit-12345' }));
    expect(answer.body).toEqual({ correlationId: 'visit-12345' });
    expect(answer.headers.get('x-correlation-id')).toBe('visit-12345');
    const line = await waitFor(() => http.lines.find(({ correlationId }) => correlationId === 'visit-12345'));
    expect(line).toMatchObject({ service: 'orders', route: 'POST /api/context', status: 200 });
  });

  test('is made anew when it is none', async () => {
    const { headers } = await http.send('GET', '/api/list', { headers: { 'X-Correlation-Id': 'a{b}"c' } });
    expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('a request that is no HTTP does not stop the service', async () => {
  const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve).resume());
  expect((await http.send('GET', '/livez')).status).toBe(200);
});
