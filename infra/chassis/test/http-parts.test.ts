import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { Problem } from '@arboleda/contracts/problems.ts';
import { startHttp, type TestHttp } from './http-kit.ts';

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
        immutableSeconds: 60,
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
        immutableSeconds: 60,
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
      declared: { response: z.object({}) },
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

describe('a part of a file', () => {
  test('the whole says that parts can be had', async () => {
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

  test('a part behind the end is refused and kept by nobody', async () => {
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

  test('a part of another version is answered with the whole', async () => {
    expect((await photo({ Range: 'bytes=0-1', 'If-Range': '"v0"' })).status).toBe(200);
    expect((await photo({ Range: 'bytes=0-1', 'If-Range': '"v1"' })).status).toBe(206);
  });

  test('what the caller has is not read again, nor for its head', async () => {
    const before = opened;
    expect((await photo({ 'If-None-Match': '"v1"', 'Cache-Control': 'max-age=0' })).status).toBe(304);
    const head = await photo({}, 'HEAD');
    expect(head.headers.get('content-length')).toBe('10');
    expect(opened).toBe(before);
  });
});

test('a file to be saved has its name, also with accents, and is kept by nobody', async () => {
  const response = await fetch(`${http.url}/api/export`);
  expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''pedidos%20a%C3%B1o.csv");
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(await response.text()).toBe('a;b\n1;2\n');
});

test.each([{}, { Range: 'bytes=2-4' }])(
  'a file that cannot be read after all is a refusal, which nobody keeps (%o)',
  async (headers) => {
    const response = await fetch(`${http.url}/api/gone`, { headers });
    expect([response.status, (await response.json()) as unknown]).toMatchObject([404, { type: 'not-found' }]);
    const kept = ['etag', 'content-range', 'accept-ranges', 'content-disposition'];
    expect(kept.filter((name) => response.headers.has(name))).toEqual([]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  },
);

test.each([
  ['/api/refused', 'no-store'],
  ['/api/provisional', 'public, max-age=60'],
  ['/api/photo', 'public, max-age=60, immutable'],
  ['/api/kept', 'public, max-age=5'],
  ['/api/own', 'private, max-age=60'],
  ['/api/thing', 'no-store'],
])('%s may be kept: %s', async (path, cacheControl) => {
  expect((await fetch(http.url + path)).headers.get('cache-control')).toBe(cacheControl);
});

test('a version is answered, and an outdated one refused when it is handed back', async () => {
  expect((await fetch(`${http.url}/api/thing`)).headers.get('etag')).toBe('"7"');
  const put = async (ifMatch?: string) =>
    (await fetch(`${http.url}/api/thing`, { method: 'PUT', headers: ifMatch ? { 'If-Match': ifMatch } : {} }))
      .status;
  expect(await put()).toBe(200);
  expect(await put('"7"')).toBe(200);
  expect(await put('*')).toBe(200);
  expect(await put('"6"')).toBe(412);
});
