import { endpoint, MAX_UPLOAD_BYTES } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type FailedAttempt, mayRetry } from './call.ts';
import { isDoubtful, isPlainPath, pathPart } from './message.ts';
import { ConnectFirstAgent } from './middleware.ts';
import { names, openPhotoCache, rangeOf } from './photo-cache.ts';
import { routeTable } from './routes.ts';

describe('connecting before sending', () => {
  let server: Server;

  let agent: ConnectFirstAgent | undefined;

  beforeEach(async () => {
    server = createServer((incoming, response) => void incoming.pipe(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    agent?.destroy();
    server.close();
  });

  const portOf = () => (server.address() as AddressInfo).port;

  /** Sends a body as the proxy does: once there is a connection. */
  function send(port: number, body: Readable) {
    const call = request({ host: '127.0.0.1', port, method: 'POST', agent });
    call.once('socket', () => body.pipe(call));
    return call;
  }

  test('a call gets its connection and its answer', async () => {
    agent = new ConnectFirstAgent({ keepAlive: true });
    const [response] = await once(send(portOf(), Readable.from(['ñandú'])), 'response');
    expect(Buffer.concat(await response.toArray()).toString()).toBe('ñandú');
  });

  test('the next call reuses the connection', async () => {
    let opened = 0;
    agent = new ConnectFirstAgent({ keepAlive: true }, (options) => {
      opened += 1;
      return connect(options);
    });
    for (const text of ['a', 'b']) {
      const [response] = await once(send(portOf(), Readable.from([text])), 'response');
      await response.toArray();
    }
    expect(opened).toBe(1);
  });

  test('a body is not read without a connection', async () => {
    agent = new ConnectFirstAgent({ keepAlive: true });
    const port = portOf();
    server.close();
    const body = Readable.from(['precious']);
    const [error] = await once(send(port, body), 'error');
    expect(error.code).toBe('ECONNREFUSED');
    expect(await body.toArray()).toEqual(['precious']);
  });

  test('an address that does not respond is given up after a second', async () => {
    jest.useFakeTimers();
    try {
      const silent = new Socket();
      agent = new ConnectFirstAgent({ keepAlive: true }, () => silent);
      const failed = once(send(portOf(), Readable.from([])), 'error');
      jest.advanceTimersByTime(999);
      expect(silent.destroyed).toBe(false);
      jest.advanceTimersByTime(1);
      expect(silent.destroyed).toBe(true);
      const [error] = await failed;
      expect(error.code).toBe('ETIMEDOUT');
    } finally {
      jest.useRealTimers();
    }
  });
});

test.each([
  ['a plain request', 1, ['Host', 'a', 'Accept', '*/*'], false],
  ['a request of HTTP/1.0 without a host', 1, [], false],
  ['a header whose value is the word', 1, ['Host', 'a', 'X', 'host'], false],
  ['two hosts', 1, ['Host', 'a', 'hOST', 'b'], true],
  ['the same host twice', 1, ['Host', 'a', 'Host', 'a'], true],
  ['a request without a version', 0, [], true],
])('%s', (_name, httpVersionMajor, rawHeaders, isOne) => {
  expect(isDoubtful({ httpVersionMajor, rawHeaders })).toBe(isOne);
});

describe('an unambiguous path', () => {
  test.each(['/', '/plant-trees', '/api/photos/ab-C_1.jpg', '/%C3%A1rboles', '/orders/a.b', '/a/..b'])(
    '%s',
    (path) => {
      expect(isPlainPath(path)).toBe(true);
    },
  );
});

describe('an ambiguous path', () => {
  test.each([
    '',
    'api/stats',
    '*',
    '//host/x',
    '/a/../b',
    '/a/..',
    '/./a',
    '/a/%2e%2e/b',
    '/a/%2E',
    '/a%2fb',
    '/a%5cb',
    '/a\\b',
    '/a%252fb',
    '/a%00',
    '/a%7f',
    '/a%0a',
    '/a b',
    '/a\tb',
    '/a#b',
    '/a%3fb',
    '/a%ff',
    '/a%c0%ae',
    '/a%',
  ])('%j', (path) => {
    expect(isPlainPath(path)).toBe(false);
  });
});

test('the query is not part of the path', () => {
  expect(pathPart('/a?next=/../b')).toBe('/a');
  expect(pathPart('/a')).toBe('/a');
});

const attempt = (parts: Partial<FailedAttempt> = {}): FailedAttempt => ({
  method: 'GET',
  hasBody: false,
  wasConnected: true,
  wasAnswered: false,
  code: 'ECONNRESET',
  attempts: 1,
  hasOther: true,
  ...parts,
});

describe('a call is retried at another replica', () => {
  test.each<[string, Partial<FailedAttempt>]>([
    ['when it only reads and its connection broke', {}],
    ['when its connection broke while it was being written', { code: 'EPIPE' }],
    ['when it removes, which can be done twice', { method: 'DELETE' }],
    [
      'whatever it is, when there was no connection',
      { method: 'POST', hasBody: true, wasConnected: false, code: 'ECONNREFUSED' },
    ],
    ['or the only one once more, as its idle connection may have been stale', { hasOther: false }],
  ])('%s', (_when, parts) => {
    expect(mayRetry(attempt(parts))).toBe(true);
  });
});

describe('a call is not retried', () => {
  test.each<[string, Partial<FailedAttempt>]>([
    ['when it may have been received and would count twice', { method: 'POST' }],
    ['when part of its body is gone', { hasBody: true }],
    ['when its answer had begun', { wasAnswered: true }],
    ['when what came was no HTTP', { code: 'HPE_INVALID_CONSTANT' }],
    ['when the only replica refuses connections', { wasConnected: false, hasOther: false }],
    ['when the only replica breaks a second connection', { hasOther: false, attempts: 2 }],
    ['for ever', { attempts: 3 }],
  ])('%s', (_when, parts) => {
    expect(mayRetry(attempt(parts))).toBe(false);
  });
});

const plain = (service: 'orders' | 'payments') =>
  endpoint({ service, summary: 'for tests', access: 'public' as const });

const find = routeTable({
  'GET /api/orders/{id}': plain('orders'),
  'PUT /api/orders/{token}': plain('payments'),
  'GET /api/orders/manage': plain('payments'),
  'GET /internal/orders/{id}': plain('orders'),
  'POST /api/orders/{id}/photos': {
    ...plain('orders'),
    upload: { field: 'photos', maxCount: 10, maxBytes: 15_000_000 },
  },
});

const routeOf = (method: string, path: string) => {
  const match = find(method, path);
  return match.kind === 'route' ? match.route : undefined;
};

test('a static path wins over one with a parameter', () => {
  expect(routeOf('GET', '/api/orders/manage')?.service).toBe('payments');
  expect(routeOf('GET', '/api/orders/a1')?.service).toBe('orders');
});

test('methods of one path may belong to different services, whatever the name of its parameter', () => {
  expect(routeOf('PUT', '/api/orders/a1')?.service).toBe('payments');
  expect(find('POST', '/api/orders/a1')).toEqual({ kind: 'wrong-method', allow: 'GET, HEAD, PUT' });
});

test('a parameter is one whole segment, and never empty', () => {
  expect(find('GET', '/api/orders/')).toEqual({ kind: 'unknown' });
  expect(find('GET', '/api/orders/a/b')).toEqual({ kind: 'unknown' });
  expect(find('GET', '/api/orders')).toEqual({ kind: 'unknown' });
});

test('a placeholder is no path', () => {
  expect(routeOf('GET', '/api/orders/{}')?.key).toBe('GET /api/orders/{id}');
});

test('internal endpoints have no route', () => {
  expect(find('GET', '/internal/orders/a1')).toEqual({ kind: 'unknown' });
  const all = routeTable(ENDPOINTS);
  for (const key of Object.keys(ENDPOINTS)) {
    const [method = '', path = ''] = key.split(' ');
    const match = all(method, path.replace(/\{\w+\}/g, 'x1'));
    expect([key, match.kind]).toEqual([key, path.startsWith('/internal/') ? 'unknown' : 'route']);
  }
});

test('the limit of an upload covers its files, up to what a service can hold', () => {
  expect(routeOf('POST', '/api/orders/a1/photos')?.maxBodyBytes).toBe(MAX_UPLOAD_BYTES);
  expect(routeOf('GET', '/api/orders/a1')?.maxBodyBytes).toBe(100_000);
});

test('a photo expires at its instant, also for calls of the same millisecond', async () => {
  let now = 1;
  const cache = openPhotoCache(() => now);
  const headers = { etag: '"a"', 'cache-control': 'public, max-age=60', 'content-length': '5' };
  const answer = Object.assign(Readable.from([Buffer.from('photo')]), { headers, statusCode: 200 });
  cache.keep('key', answer as unknown as IncomingMessage, now);
  await once(answer, 'close');
  now += 59_999;
  expect(cache.answer('key', {})?.bytes.toString()).toBe('photo');
  now += 2;
  expect(cache.answer('key', {})).toBeUndefined();
});

test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=100-', { start: 100, end: 999 }],
  ['bytes=-10', { start: 990, end: 999 }],
  ['bytes=990-5000', { start: 990, end: 999 }],
  ['bytes=999-999', { start: 999, end: 999 }],
  ['bytes=1000-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=a-b', undefined],
  ['lines=0-1', undefined],
])('of a thousand bytes %s is %j', (range, part) => {
  expect(rangeOf(range, 1_000)).toEqual(part);
});

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['"b","a"', true],
  ['W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s matches "a": %j', (header, named) => {
  expect(names(header, '"a"')).toBe(named);
  expect(names(header, 'W/"a"')).toBe(named);
});
