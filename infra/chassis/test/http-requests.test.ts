import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { json, startHttp, type TestHttp } from './http-kit.ts';

let http: TestHttp;
const handle = jest.fn(async (call: unknown): Promise<unknown> => call);
beforeAll(async () => {
  http = await startHttp({
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
  });
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

test('a request that is no HTTP does not stop the service', async () => {
  const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve).resume());
  expect((await http.send('GET', '/livez')).status).toBe(200);
});

test('a wrong Idempotency-Key is refused by its name', async () => {
  const { body } = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'a b' }));
  expect(body.errors).toMatchObject([{ path: 'Idempotency-Key', type: 'invalid' }]);
  const fine = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'key-12345678' }));
  expect(fine.body.idempotencyKey).toBe('key-12345678');
});
