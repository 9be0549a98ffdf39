import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, get as httpGet, type RequestListener, type ServerResponse } from 'node:http';
import { startTestGateway, type TestGateway } from './harness.ts';

const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';
const FOR_A_MINUTE = 'public, max-age=60';

let gateway: TestGateway;
let photos: { avif: Buffer; jpeg: Buffer };
let cacheControl: string;
/** Not 0, which lru-cache takes for no time. */
let now = 1;

beforeEach(async () => {
  gateway = await startTestGateway({ now: () => now });
  cacheControl = FOR_A_MINUTE;
  photos = { avif: randomBytes(50_000), jpeg: randomBytes(90_000) };
  gateway.stub.answerWith(show);
});

afterEach(() => gateway.close());

const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

const show: RequestListener = (request, response) => {
  const format = request.headers.accept?.includes('avif') ? 'avif' : 'jpeg';
  const bytes = photos[format];
  const etag = tagOf(bytes);
  const head = {
    'Content-Type': `image/${format}`,
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: 'Accept',
  };
  if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, head).end();
  const { range } = request.headers;
  if (range) return void response.writeHead(206, { ...head, 'X-Ranges': range }).end('a part');
  response.writeHead(200, { ...head, 'Accept-Ranges': 'bytes', 'Content-Length': bytes.length }).end(bytes);
};

const refuse: RequestListener = (_request, response) => {
  response.writeHead(404, { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' });
  response.end('{"type":"not-found"}');
};

async function look(headers: Record<string, string> = {}, path = PATH, method = 'GET') {
  const response = await fetch(gateway.url + path, { method, headers: { Accept: 'image/avif', ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const asked = () => gateway.stub.requests.length;

/** Waits until the photo is cached, which happens after its response has ended. */
const lookUntilKept = () => waitFor(async () => (await look()).headers.has('age'));

const expectAsked = async (headers: Record<string, string>, path?: string, method?: string) => {
  for (let time = 0; time < 2; time++) {
    const before = asked();
    await look(headers, path, method);
    await waitFor(() => asked() === before + 1);
  }
};

test('a photo can be embedded by mail programs, and a call’s answer cannot', async () => {
  const policyOf = async (path: string) => (await look({}, path)).headers.get('cross-origin-resource-policy');
  expect(await policyOf(PATH)).toBe('cross-origin');
  await lookUntilKept();
  expect(await policyOf(PATH)).toBe('cross-origin');
  expect(await policyOf('/api/stats')).toBe('same-origin');
});

describe('a cached photo', () => {
  beforeEach(lookUntilKept);

  test('is served without a call to media, in the form each caller asks for', async () => {
    const before = asked();
    const etag = tagOf(photos.avif);
    now += 2_500;
    const answers = await Promise.all([
      look(),
      look({ 'If-None-Match': etag }),
      look({ 'If-None-Match': `"other", ${etag}` }),
      look({ 'If-None-Match': '"old"' }),
      look({ Range: 'bytes=10-19' }),
      look({ Range: 'bytes=-5', 'If-Range': etag }),
      look({ Range: 'bytes=10-19', 'If-Range': '"old"' }),
    ]);
    expect(asked()).toBe(before);
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 304, 200, 206, 206, 200]);
    const none = Buffer.alloc(0);
    const whole = photos.avif;
    [whole, none, none, whole, whole.subarray(10, 20), whole.subarray(-5), whole].forEach((bytes, at) =>
      expect([at, answers[at]!.bytes.equals(bytes)]).toEqual([at, true]),
    );
    expect(answers[4]!.headers.get('content-range')).toBe('bytes 10-19/50000');
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        etag,
        age: '3',
        vary: 'Accept',
        'content-type': 'image/avif',
        'cache-control': FOR_A_MINUTE,
        'x-content-type-options': 'nosniff',
        'ratelimit-limit': '3000',
      });
    }
    expect(answers[0]!.headers.get('content-length')).toBe('50000');
    expect(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(answers.length);
  });

  test('expires after a minute', async () => {
    gateway.stub.answerWith(refuse);
    now += 59_999;
    expect((await look()).headers.get('age')).toBe('60');
    now += 2;
    const { status, headers } = await look();
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  test('is replaced by the newer one afterwards', async () => {
    photos.avif = randomBytes(60_000);
    now += 60_001;
    expect((await look()).bytes.equals(photos.avif)).toBe(true);
  });

  test('is cached per size and format', async () => {
    const before = asked();
    expect((await look({}, PATH.replace('320', '800'))).headers.has('age')).toBe(false);
    const jpeg = await look({ Accept: 'image/jpeg' });
    expect([jpeg.headers.get('content-type'), jpeg.bytes.equals(photos.jpeg)]).toEqual(['image/jpeg', true]);
    expect(asked()).toBe(before + 2);
  });

  test.each(['bytes=50000-', 'bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2'])(
    'is bypassed for the range %s',
    async (range) => {
      expect((await look({ Range: range })).headers.get('x-ranges')).toBe(range);
    },
  );

  test('is bypassed for authenticated callers', () => expectAsked({ Authorization: 'Bearer x' }));

  test('is for the service to answer when only the head is asked for', () => expectAsked({}, PATH, 'HEAD'));
});

describe('nothing is cached', () => {
  const answerWith = (headers: Record<string, string | number>) =>
    gateway.stub.answerWith((_request, response) => void response.writeHead(200, headers).end('private'));

  test.each([
    ['of what is for one person', { 'Cache-Control': 'private, no-store' }],
    ['of what may be kept for no time', { 'Cache-Control': 'public, max-age=0' }],
    ['of what says nothing of it', { 'Cache-Control': '' }],
    ['of what has a weak tag', { ETag: 'W/"a"' }],
    ['of what has no tag', { ETag: '' }],
  ])('%s', async (_what, headers) => {
    answerWith({ ETag: '"a"', 'Cache-Control': FOR_A_MINUTE, 'Content-Length': 7, ...headers });
    await expectAsked({});
  });

  test('of a response without a lifetime', async () => {
    answerWith({ ETag: '"a"', 'Cache-Control': FOR_A_MINUTE });
    await expectAsked({});
  });

  test('of a response that is too large', async () => {
    photos.avif = randomBytes(1_048_577);
    await expectAsked({});
  });

  test('of a response that broke off', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(200, { ETag: '"a"', 'Cache-Control': FOR_A_MINUTE, 'Content-Length': 100 });
      response.write('the beginning', () => response.destroy());
    });
    await expect(look()).rejects.toThrow();
    gateway.stub.answerWith(show);
    const { bytes, headers } = await look();
    expect([bytes.equals(photos.avif), headers.has('age')]).toEqual([true, false]);
  });

  test('of a response that took longer than its lifetime', async () => {
    gateway.stub.answerWith((request, response) => {
      now += 60_001;
      show(request, response);
    });
    await expectAsked({});
  });

  test('of other calls', async () => {
    answerWith({ ETag: '"a"', 'Cache-Control': FOR_A_MINUTE, 'Content-Length': 7 });
    await expectAsked({}, '/api/stats');
  });
});

test('an expired photo is not served when its service is unavailable', async () => {
  await lookUntilKept();
  now += 60_001;
  gateway.stub.answerWith((request) => request.socket.destroy());
  expect((await look()).status).toBe(503);
});

test('hundreds of slow readers of photos leave calls their connections', async () => {
  const open: ServerResponse[] = [];
  gateway.stub.answerWith((_request, response) => {
    response.writeHead(200, { ETag: '"slow"', 'Cache-Control': FOR_A_MINUTE, 'Content-Length': 1_000_000 });
    response.write('the beginning');
    open.push(response);
  });
  const readers: ClientRequest[] = [];
  // In batches of the gateway's connections to a replica; more at once would be shed.
  for (let count = 50; count <= 300; count += 50) {
    while (readers.length < count) readers.push(httpGet(gateway.url + PATH).on('error', () => undefined));
    await waitFor(() => open.length >= Math.min(count, 256));
  }
  gateway.stub.answerWith((_request, response) => void response.end('{}'));
  expect((await look({}, '/api/stats')).status).toBe(200);
  for (const reader of readers) reader.destroy();
  await waitFor(() => open.every((response) => response.destroyed));
});
