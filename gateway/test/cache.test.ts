import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, get as httpGet, type RequestListener, type ServerResponse } from 'node:http';
import { startTestGateway, type TestGateway } from './kit.ts';

const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';
const FINAL = 'public, max-age=2592000, immutable';

let gateway: TestGateway;
let photos: { avif: Buffer; jpeg: Buffer };
beforeEach(async () => {
  gateway = await startTestGateway();
  cacheControl = FINAL;
  photos = { avif: randomBytes(50_000), jpeg: randomBytes(90_000) };
  gateway.stub.answerWith(show);
});
afterEach(() => gateway.close());

const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url')}"`;
let cacheControl: string;

/** Shows a photo as media does. */
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
  const has = request.headers['if-none-match']?.split(', ').includes(etag);
  if (has) return void response.writeHead(304, { ...head, 'Accept-Ranges': 'bytes' }).end();
  const { range } = request.headers;
  if (range) return void response.writeHead(206, { ...head, 'X-Ranges': range }).end('a part');
  response.writeHead(200, { ...head, 'Accept-Ranges': 'bytes', 'Content-Length': bytes.length }).end(bytes);
};

async function look(headers: Record<string, string> = {}, path = PATH) {
  // fetch alone asks for a fresh copy, which services are not told of.
  const response = await fetch(gateway.url + path, { headers: { Accept: 'image/avif', ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
/** What the service was asked last, once it has heard all of it. */
async function lastAsked(count: number) {
  await waitFor(() => gateway.stub.requests.length === count);
  return gateway.stub.requests.at(-1)!.headers;
}

describe('a photo that was shown before', () => {
  test('is asked about and not fetched again', async () => {
    const first = await look();
    const second = await look();
    expect((await lastAsked(2))['if-none-match']).toBe(tagOf(photos.avif));
    for (const { status, headers, bytes } of [first, second]) {
      expect([status, bytes.equals(photos.avif)]).toEqual([200, true]);
      expect(Object.fromEntries(headers)).toMatchObject({
        ...{
          'content-type': 'image/avif',
          'content-length': '50000',
          etag: tagOf(photos.avif),
          vary: 'Accept',
        },
        ...{ 'cache-control': FINAL, 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' },
        ...{ 'x-correlation-id': expect.any(String), 'ratelimit-limit': '3000' },
      });
    }
  });

  test('is no longer shown from the moment it is hidden', async () => {
    await look();
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(404, { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' });
      response.end('{"type":"not-found"}');
    });
    const { status, headers, bytes } = await look();
    expect([status, headers.get('cache-control'), bytes.toString()]).toEqual([
      404,
      'no-store',
      '{"type":"not-found"}',
    ]);
    gateway.stub.answerWith(show);
    expect((await look()).status).toBe(200);
  });

  test('is not shown when nobody says whether it may be', async () => {
    await look();
    gateway.stub.answerWith((request) => request.socket.destroy());
    expect((await look()).status).toBe(503);
  });

  test('is the new one once another has taken its place', async () => {
    await look();
    photos.avif = randomBytes(60_000);
    for (let time = 0; time < 2; time++) expect((await look()).bytes.equals(photos.avif)).toBe(true);
    expect((await lastAsked(3))['if-none-match']).toContain(tagOf(photos.avif));
  });

  test('is shown to each as they can read it', async () => {
    for (let time = 0; time < 2; time++) {
      expect((await look()).bytes.equals(photos.avif)).toBe(true);
      const jpeg = await look({ Accept: 'image/jpeg' });
      expect([jpeg.headers.get('content-type'), jpeg.bytes.equals(photos.jpeg)]).toEqual([
        'image/jpeg',
        true,
      ]);
    }
  });

  test('is kept for as long as its service says now', async () => {
    cacheControl = 'public, max-age=60';
    await look();
    cacheControl = FINAL;
    expect((await look()).headers.get('cache-control')).toBe(FINAL);
  });

  test('is another one in another size', async () => {
    await look();
    await look({}, PATH.replace('320', '800'));
    expect((await lastAsked(2))['if-none-match']).toBeUndefined();
  });
});

describe('who has a version', () => {
  test('is told that it is the one', async () => {
    const etag = tagOf(photos.avif);
    for (const held of [false, true]) {
      for (const tag of [etag, `"other", ${etag}`]) {
        const { status, bytes, headers } = await look({ 'If-None-Match': tag });
        expect([held, status, bytes.length, headers.get('etag')]).toEqual([held, 304, 0, etag]);
      }
      await look();
    }
  });

  test('that is an old one gets the new one', async () => {
    await look();
    const { status, bytes } = await look({ 'If-None-Match': '"old"' });
    expect([status, bytes.equals(photos.avif)]).toEqual([200, true]);
    expect((await lastAsked(2))['if-none-match']).toBe(`"old", ${tagOf(photos.avif)}`);
  });
});

describe('a part', () => {
  beforeEach(() => look());

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=49000-', 49_000, 49_999],
    ['bytes=-5', 49_995, 49_999],
  ])('as in %s comes of what is held', async (range, start, end) => {
    const { status, headers, bytes } = await look({ Range: range });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/50000`]);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
    expect(bytes.equals(photos.avif.subarray(start, end + 1))).toBe(true);
  });

  test('of another version than the one that was begun is the whole', async () => {
    const begun = (etag: string) => look({ Range: 'bytes=100-', 'If-Range': etag });
    expect((await begun(tagOf(photos.avif))).status).toBe(206);
    const { status, bytes } = await begun('"old"');
    expect([status, bytes.equals(photos.avif)]).toEqual([200, true]);
  });

  test.each(['bytes=50000-', 'bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2'])(
    'that is not one of the whole, as in %s, is for the service to answer',
    async (range) => {
      const { headers } = await look({ Range: range });
      expect(headers.get('x-ranges')).toBe(range);
      expect((await lastAsked(2))['if-none-match']).toBeUndefined();
    },
  );
});

describe('nothing is held', () => {
  const expectNotHeld = async (): Promise<void> => {
    await look();
    await look();
    expect((await lastAsked(2))['if-none-match']).toBeUndefined();
  };
  const answerWith = (headers: Record<string, string | number>) =>
    gateway.stub.answerWith((_request, response) => void response.writeHead(200, headers).end('private'));

  test('of what is for one person', async () => {
    answerWith({ ETag: '"a"', 'Cache-Control': 'private, no-store', 'Content-Length': 7 });
    await expectNotHeld();
  });

  test('of what has no tag, or a weak one', async () => {
    answerWith({ ETag: 'W/"a"', 'Cache-Control': FINAL, 'Content-Length': 7 });
    await expectNotHeld();
  });

  test('of what does not say how long it is', async () => {
    answerWith({ ETag: '"a"', 'Cache-Control': FINAL });
    await expectNotHeld();
  });

  test('of what is too large', async () => {
    photos.avif = randomBytes(1_048_577);
    await expectNotHeld();
  });

  test('of an answer that broke off', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(200, { ETag: '"a"', 'Cache-Control': FINAL, 'Content-Length': 100 });
      response.write('the beginning', () => response.destroy());
    });
    await expect(look()).rejects.toThrow();
    gateway.stub.answerWith(show);
    expect((await look()).bytes.equals(photos.avif)).toBe(true);
    expect((await lastAsked(2))['if-none-match']).toBeUndefined();
  });

  test('of other calls', async () => {
    answerWith({ ETag: '"a"', 'Cache-Control': FINAL, 'Content-Length': 7 });
    await look({}, '/api/stats');
    await look({}, '/api/stats');
    expect((await lastAsked(2))['if-none-match']).toBeUndefined();
  });
});

test('only the head of a photo is the service’s, too', async () => {
  await look();
  const response = await fetch(gateway.url + PATH, { method: 'HEAD', headers: { Accept: 'image/avif' } });
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '50000']);
  expect((await lastAsked(2))['if-none-match']).toBeUndefined();
});

test('hundreds who read photos slowly leave calls their connections', async () => {
  const open: ServerResponse[] = [];
  gateway.stub.answerWith((_request, response) => {
    response.writeHead(200, { ETag: '"slow"', 'Cache-Control': FINAL, 'Content-Length': 1_000_000 });
    response.write('the beginning');
    open.push(response);
  });
  const readers: ClientRequest[] = [];
  // As many as the gateway has connections to one replica; more at once would be turned away before they have an answer.
  for (let count = 50; count <= 300; count += 50) {
    while (readers.length < count) readers.push(httpGet(gateway.url + PATH).on('error', () => undefined));
    await waitFor(() => open.length === Math.min(count, 256));
  }
  gateway.stub.answerWith((_request, response) => void response.end('{}'));
  expect((await look({}, '/api/stats')).status).toBe(200);
  for (const reader of readers) reader.destroy();
  await waitFor(() => open.every((response) => response.destroyed));
});
