import { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { json, startHttp, type TestHttp } from './http-harness.ts';

describe('requests to a service', () => {
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
        declared: {
          body: z.object({ trees: z.int().min(1), name: z.string() }),
          status: 201,
          idempotent: true,
        },
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
    test('is parsed by the contract, without undeclared fields', async () => {
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
    ])('is rejected when it %s', async (_name, body, type, status, problem) => {
      handle.mockClear();
      const answer = await http.send('POST', '/api/things', { body, headers: { 'Content-Type': type } });
      expect([answer.status, answer.body.type]).toEqual([status, problem]);
      expect(handle).not.toHaveBeenCalled();
    });

    test('is rejected when it grows too large while it is decompressed', async () => {
      const body = gzipSync(JSON.stringify({ ...thing, name: 'x'.repeat(1_000_000) }));
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      expect((await http.send('POST', '/api/things', { body, headers })).status).toBe(413);
    });

    test('is rejected when it cannot be decompressed, or has an unknown encoding', async () => {
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

    test('is unchanged byte for byte when it is signed', async () => {
      const answer = await http.send('POST', '/api/raw', { body: Buffer.from([0, 255, 13, 10]) });
      expect(answer.body).toEqual({ received: '00ff0d0a' });
      expect((await http.send('POST', '/api/raw', { body: 'x'.repeat(1001) })).status).toBe(413);
      expect((await http.send('POST', '/api/raw')).body).toEqual({ received: '' });
    });
  });

  describe('a path', () => {
    test('prefers a literal segment over a parameter', async () => {
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
    ])('that cannot be ours is not found: %s', async (path) => {
      const { status, headers, body } = await http.send('GET', path);
      expect([status, body.type]).toEqual([404, 'not-found']);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    });

    test('lists its methods', async () => {
      const { status, headers, body } = await http.send('DELETE', '/api/things/ceiba');
      expect([status, body.type, headers.get('allow')]).toEqual([405, 'method-not-allowed', 'GET']);
    });

    test('parses its query, and names an invalid one', async () => {
      expect((await http.send('GET', '/api/list?limit=7')).body).toEqual({ limit: 7 });
      expect((await http.send('GET', '/api/list')).body).toEqual({ limit: 25 });
      expect((await http.send('GET', '/api/list?limit=101')).body.errors).toMatchObject([
        { path: 'limit', type: 'too-big' },
      ]);
      expect((await http.send('GET', '/api/list?limit=1&limit=2')).status).toBe(422);
    });
  });

  test('a request that is not HTTP does not stop the service', async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect((await http.send('GET', '/livez')).status).toBe(200);
  });

  test('an invalid Idempotency-Key is rejected by name', async () => {
    const { body } = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'a b' }));
    expect(body.errors).toMatchObject([{ path: 'Idempotency-Key', type: 'invalid' }]);
    const fine = await http.send('POST', '/api/things', json(thing, { 'Idempotency-Key': 'key-12345678' }));
    expect(fine.body.idempotencyKey).toBe('key-12345678');
  });

  test('a header that a call does not take is ignored, whatever it says', async () => {
    const headers = { 'Idempotency-Key': 'a b', 'If-Match': 'seven' };
    expect((await http.send('GET', '/api/things/mine', { headers })).body).toEqual({ mine: true });
  });
});

describe('files that a service sends', () => {
  const BYTES = Buffer.from('0123456789');

  let http: TestHttp;

  let opened = 0;

  beforeAll(async () => {
    http = await startHttp({
      'GET /api/photo': {
        declared: { binary: ['image/avif', 'image/jpeg'], response: undefined },
        handle: async () => ({
          contentType: 'image/jpeg',
          etag: 'v1',
          publicSeconds: 60,
          sizeBytes: BYTES.length,
          vary: 'Accept',
          bytes: async (part?: { start: number; end: number }) => {
            opened++;
            return Readable.from([part ? BYTES.subarray(part.start, part.end + 1) : BYTES]);
          },
        }),
      },
      'GET /api/provisional': {
        declared: { binary: 'image/jpeg', response: undefined },
        handle: async () => ({
          contentType: 'image/jpeg',
          etag: 'v1',
          publicSeconds: 60,
          bytes: Readable.from([BYTES]),
        }),
      },
      'GET /api/gone': {
        declared: { binary: 'image/jpeg', response: undefined },
        handle: async () => ({
          contentType: 'image/jpeg',
          etag: 'v1',
          publicSeconds: 60,
          sizeBytes: BYTES.length,
          saveAs: 'photo.jpg',
          bytes: async () => {
            throw new Problem('not-found');
          },
        }),
      },
      'GET /api/refused': {
        handle: async () => {
          throw new Problem('not-found');
        },
      },
      'GET /api/export': {
        declared: { binary: 'text/csv', response: undefined },
        handle: async () => ({
          contentType: 'text/csv; charset=utf-8',
          saveAs: 'pedidos año.csv',
          bytes: Readable.from([Buffer.from('a;b\n'), Buffer.from('1;2\n')]),
        }),
      },
      'GET /api/kept': { declared: { cache: { seconds: 5, by: 'anybody' } } },
      'GET /api/own': { declared: { cache: { seconds: 60, by: 'caller' } } },
      'GET /api/thing': {
        declared: { response: z.object({ version: z.int() }), etag: ({ version }) => String(version) },
        handle: async () => ({ version: 7 }),
      },
      'PUT /api/thing': {
        declared: { response: z.object({}), problems: ['precondition-failed'] },
        handle: async ({ ifMatch }) => {
          if (ifMatch !== undefined && ifMatch !== '7') throw new Problem('precondition-failed');
          return {};
        },
      },
    });
  });

  afterAll(() => http.close());

  const photo = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${http.url}/api/photo`, { headers, method });

  describe('a range of a file', () => {
    test('is announced with the whole file', async () => {
      const response = await photo();
      expect(response.status).toBe(200);
      expect(response.headers.get('accept-ranges')).toBe('bytes');
      expect(response.headers.get('vary')).toContain('Accept');
      expect(await response.text()).toBe('0123456789');
    });

    test.each([
      ['bytes=2-4', 'bytes 2-4/10', '234'],
      ['bytes=7-', 'bytes 7-9/10', '789'],
      ['bytes=-3', 'bytes 7-9/10', '789'],
      ['bytes=8-99', 'bytes 8-9/10', '89'],
    ])('%s is answered with %s', async (range, contentRange, text) => {
      const response = await photo({ Range: range });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(contentRange);
      expect(response.headers.get('content-length')).toBe(String(text.length));
      expect(await response.text()).toBe(text);
    });

    test('behind the end is rejected and not cached', async () => {
      const response = await photo({ Range: 'bytes=10-12' });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */10');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ type: 'range-not-satisfiable' });
    });

    test.each(['bytes=0-1,4-5', 'lines=0-1', 'bytes=x'])('%s is answered with the whole', async (range) => {
      const response = await photo({ Range: range });
      expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    });

    test('of another version is answered with the whole', async () => {
      expect((await photo({ Range: 'bytes=0-1', 'If-Range': '"v0"' })).status).toBe(200);
      expect((await photo({ Range: 'bytes=0-1', 'If-Range': '"v1"' })).status).toBe(206);
    });

    test('is not read again for a cached file, nor for its head', async () => {
      const before = opened;
      expect((await photo({ 'If-None-Match': '"v1"', 'Cache-Control': 'max-age=0' })).status).toBe(304);
      const head = await photo({}, 'HEAD');
      expect(head.headers.get('content-length')).toBe('10');
      expect(opened).toBe(before);
    });
  });

  test('a download has its name, also with accents, and is not cached', async () => {
    const response = await fetch(`${http.url}/api/export`);
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''pedidos%20a%C3%B1o.csv");
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.text()).toBe('a;b\n1;2\n');
  });

  test.each([{}, { Range: 'bytes=2-4' }])(
    'a file that cannot be read is a problem that is not cached (%o)',
    async (headers) => {
      const response = await fetch(`${http.url}/api/gone`, { headers });
      expect([response.status, (await response.json()) as unknown]).toMatchObject([
        404,
        { type: 'not-found' },
      ]);
      const kept = ['etag', 'content-range', 'accept-ranges', 'content-disposition'];
      expect(kept.filter((name) => response.headers.has(name))).toEqual([]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  test.each([
    ['/api/refused', 'no-store'],
    ['/api/provisional', 'public, max-age=60'],
    ['/api/photo', 'public, max-age=60'],
    ['/api/kept', 'public, max-age=5'],
    ['/api/own', 'private, max-age=60'],
    ['/api/thing', 'no-store'],
  ])('%s has cache-control %s', async (path, cacheControl) => {
    expect((await fetch(http.url + path)).headers.get('cache-control')).toBe(cacheControl);
  });

  test('answers with a version, and rejects an outdated one', async () => {
    expect((await fetch(`${http.url}/api/thing`)).headers.get('etag')).toBe('"7"');
    const put = async (ifMatch?: string) =>
      (
        await fetch(`${http.url}/api/thing`, {
          method: 'PUT',
          headers: ifMatch ? { 'If-Match': ifMatch } : {},
        })
      ).status;
    expect(await put()).toBe(200);
    expect(await put('"7"')).toBe(200);
    expect(await put('*')).toBe(200);
    expect(await put('"6"')).toBe(412);
  });

  test('a version that a proxy weakened counts, and one that cannot be read is no permission to overwrite', async () => {
    const put = async (ifMatch: string) => {
      const response = await fetch(`${http.url}/api/thing`, {
        method: 'PUT',
        headers: { 'If-Match': ifMatch },
      });
      const { errors } = (await response.json()) as { errors?: object[] };
      return [response.status, errors?.[0]];
    };
    expect([await put('W/"7"'), await put('W/"6"')]).toEqual([
      [200, undefined],
      [412, undefined],
    ]);
    for (const unreadable of ['7', '"7', '"6", "7"', '""7""'])
      expect(await put(unreadable)).toEqual([
        422,
        expect.objectContaining({ path: 'If-Match', type: 'invalid' }),
      ]);
  });
});
