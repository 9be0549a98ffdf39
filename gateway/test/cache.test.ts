import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { LEASE_HEADER, LEASE_MS } from '@arboleda/contracts/lease.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, get as httpGet, type RequestListener, type ServerResponse } from 'node:http';
import { type GatewayParts, startTestGateway, type TestGateway } from './kit.ts';

const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';

describe('what a gateway holds of photos', () => {
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
});

describe('callers who ask for the same photo', () => {
  const ETAG = '"the photo"';

  const PHOTO = randomBytes(50_000);

  let gateway: TestGateway;

  /** Answers of the service that are held back, in the order of its calls. */
  let held: (() => void)[];

  let isFailing: boolean;

  let isLeased: boolean;

  beforeEach(async () => {
    // Nobody is asked for in the meantime, however slow the machine is.
    await open({ hangsAfterMs: 60_000 });
  });

  afterEach(() => gateway.close());

  /** A gateway that holds the photo, before a service that takes its time from then on. */
  async function open(parts: GatewayParts): Promise<void> {
    gateway = await startTestGateway({ metrics: { host: '127.0.0.1', port: 0 }, ...parts });
    gateway.stub.answerWith(show);
    await look();
    held = [];
    isFailing = false;
    isLeased = true;
    gateway.stub.answerWith(
      (request, response) => void held.push(() => (isFailing ? fail : show)(request, response)),
    );
  }

  /** Shows the photo as media does. */
  const show: RequestListener = (request, response) => {
    const lease = isLeased ? { [LEASE_HEADER]: String(LEASE_MS) } : {};
    const head = { 'Cache-Control': 'public, max-age=60', ETag: ETAG, ...lease };
    if (request.headers['if-none-match']?.includes(ETAG)) return void response.writeHead(304, head).end();
    response.writeHead(200, { ...head, 'Content-Length': PHOTO.length }).end(PHOTO);
  };

  const fail: RequestListener = (_request, response) => void response.writeHead(500).end('a trace');

  const refuse: RequestListener = (_request, response) =>
    void response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{}');

  async function look(headers: Record<string, string> = {}) {
    const response = await fetch(gateway.url + PATH, { headers });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }

  const release = () => held.splice(0).forEach((answer) => answer());

  /** So many calls have come in and are not answered. */
  const haveCome = (count: number) =>
    waitFor(async () => {
      const figures = await (await fetch(gateway.metricsUrl!)).text();
      return figures.match(/^gateway_calls_in_flight\{.*\} (\d+)$/m)?.[1] === String(count);
    });

  /** One is asked for; who comes then waits for what it is told. */
  async function gather(asks: readonly Record<string, string>[]) {
    const first = look();
    await waitFor(() => held.length === 1);
    const gathered = asks.map((headers) => look(headers));
    await haveCome(1 + asks.length);
    expect(held).toHaveLength(1);
    // In an object, as the promise itself would be waited for.
    return { answers: Promise.all([first, ...gathered]) };
  }

  describe('who asks for the same photo at the same time', () => {
    test('is told by one answer, each as they asked', async () => {
      const gathered = await gather([
        { 'If-None-Match': ETAG },
        { Range: 'bytes=10-19' },
        { 'If-None-Match': '"old"' },
      ]);
      release();
      const answers = await gathered.answers;
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 206, 200]);
      const bytes = [PHOTO, Buffer.alloc(0), PHOTO.subarray(10, 20), PHOTO];
      expect(answers.map((answer, at) => answer.bytes.equals(bytes[at]!))).toEqual([true, true, true, true]);
      for (const { headers } of answers) {
        expect(Object.fromEntries(headers)).toMatchObject({
          ...{ etag: ETAG, 'cache-control': 'public, max-age=60', 'x-content-type-options': 'nosniff' },
          'ratelimit-limit': '3000',
        });
      }
      expect(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(4);
      // One at the beginning, and one for four.
      expect(gateway.stub.requests).toHaveLength(2);
    });

    test.each([
      ['what is allowed to one', () => (isLeased = false)],
      ['a failure', () => (isFailing = true)],
    ])('is asked for alone after %s', async (_what, prepare) => {
      const { answers } = await gather([{}, {}, {}]);
      prepare();
      gateway.stub.answerWith(refuse);
      release();
      expect((await answers).slice(1).map(({ status }) => status)).toEqual([404, 404, 404]);
    });

    test('is asked for alone when they say who they are, or what they can read', async () => {
      const all = [look(), look({ Authorization: 'Bearer x' }), look({ Accept: 'image/jpeg' })];
      await waitFor(() => held.length === 3);
      release();
      expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    test('gets an answer though the one who is asked for leaves', async () => {
      const leaving = httpGet(gateway.url + PATH, { headers: { accept: '*/*' } }).on(
        'error',
        () => undefined,
      );
      await waitFor(() => held.length === 1);
      const others = [look(), look()];
      await haveCome(3);
      leaving.destroy();
      await waitFor(() => held.length > 1);
      release();
      for (const { bytes } of await Promise.all(others)) expect(bytes.equals(PHOTO)).toBe(true);
    });

    test('does not wait for one that hangs', async () => {
      await gateway.close();
      await open({ hangsAfterMs: 5 });
      const hanging = look();
      await waitFor(() => held.length === 1);
      gateway.stub.answerWith(show);
      expect((await look()).status).toBe(200);
      release();
      expect((await hanging).status).toBe(200);
    });
  });
});
