import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { startTestGateway, type TestGateway } from './harness.ts';

describe('uploads to services', () => {
  const PATH = '/api/workers/assignments/a1/photos';

  const MANY_BYTES = 8_000_000;

  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  let uploads: { digest: string; bytes: number; isWhole: boolean }[];

  beforeEach(() => void (uploads = []));

  /** @param pauseMs between two chunks, for a slow service */
  const reading =
    (answer: (response: ServerResponse) => void, pauseMs = 0) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      const hash = createHash('sha256');
      let bytes = 0;
      request.on('data', (piece: Buffer) => {
        hash.update(piece);
        bytes += piece.length;
        if (pauseMs === 0) return;
        request.pause();
        setTimeout(() => request.resume(), pauseMs);
      });
      request.once('close', () => {
        uploads.push({ digest: hash.digest('hex'), bytes, isWhole: request.complete });
        if (request.complete) answer(response);
      });
    };

  const created = (response: ServerResponse) => {
    response
      .writeHead(201, { 'Content-Type': 'application/json', 'X-Powered-By': 'stub' })
      .end('{"photos":[]}');
  };

  const send = (body: Buffer<ArrayBuffer> | ReadableStream, to = gateway) =>
    fetch(to.url + PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
    });

  const problemOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { type: string }).type,
  ];

  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  function begin(bytes: number) {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${MANY_BYTES}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
    return socket;
  }

  describe('an upload', () => {
    test.each([
      ['to a fast service', 0],
      ['to a slow service', 10],
    ])('%s arrives byte for byte, and its response comes back', async (_name, pauseMs) => {
      gateway.stub.answerWith(reading(created, pauseMs));
      const bodies = [1, 2, 3].map(() => Buffer.from(randomBytes(MANY_BYTES)));
      const answers = await Promise.all(bodies.map((body) => send(body)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers[0]!.headers.get('x-powered-by')).toBeNull();
      expect(answers[0]!.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answers[0]!.json()).toEqual({ photos: [] });
      expect(uploads.map(({ digest }) => digest).sort()).toEqual(bodies.map(sha256).sort());
    });

    test('of unannounced length arrives as well', async () => {
      gateway.stub.answerWith(reading(created));
      const pieces = Array.from({ length: 40 }, () => Buffer.from(randomBytes(50_000)));
      expect((await send(ReadableStream.from(pieces))).status).toBe(201);
      expect(uploads).toMatchObject([{ bytes: 2_000_000, digest: sha256(Buffer.concat(pieces)) }]);
    });

    test('of unannounced length is refused when too long, and the service is disconnected', async () => {
      gateway.stub.answerWith(reading(created));
      const endless = async function* () {
        for (let at = 0; at < 70; at++) yield Buffer.alloc(1_000_000);
      };
      const answer = await send(ReadableStream.from(endless()));
      expect(await problemOf(answer)).toEqual([413, 'body-too-large']);
      await waitFor(() => uploads.length > 0);
      expect(uploads[0]).toMatchObject({ isWhole: false });
      expect(uploads[0]!.bytes).toBeLessThanOrEqual(60_000_000);
    });

    test('whose sender disconnects also ends at the service', async () => {
      const arrived = Promise.withResolvers<void>();
      gateway.stub.answerWith((request, response) => {
        reading(created)(request, response);
        request.once('data', () => arrived.resolve());
      });
      const socket = begin(500_000);
      await arrived.promise;
      socket.destroy();
      await waitFor(() => uploads.length > 0);
      expect(uploads[0]!.isWhole).toBe(false);
    });

    test('that its service refuses early gets the response', async () => {
      gateway.stub.answerWith((request, response) => {
        request.once('data', () => response.writeHead(401).end('{}'));
      });
      const socket = begin(MANY_BYTES - 1);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 401/);
      socket.destroy();
    });

    test('at a crashing service becomes an error', async () => {
      gateway.stub.answerWith((request) => void request.once('data', () => request.destroy()));
      const answer = await send(Buffer.alloc(MANY_BYTES));
      expect(await problemOf(answer)).toEqual([503, 'unavailable']);
    });

    test('without an answer in time becomes an error', async () => {
      const hasty = await startTestGateway({ limits: { uploadTimeoutMs: 500 } });
      hasty.stub.answerWith(reading(() => undefined));
      const answer = await send(Buffer.alloc(100_000), hasty);
      expect(await problemOf(answer)).toEqual([503, 'timeout']);
      await hasty.close();
    });

    test('whose response breaks off is cut off', async () => {
      gateway.stub.answerWith(
        reading((response) => {
          response.writeHead(200, { 'Content-Length': 100 }).write('half of');
          setTimeout(() => response.destroy(), 50);
        }),
      );
      const answer = await send(Buffer.alloc(100_000));
      await expect(answer.text()).rejects.toThrow();
    });
  });
});

describe('request bodies', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
    gateway.stub.answerWith((incoming, response) => {
      incoming.on('end', () => response.end('{}')).resume();
    });
  });

  afterAll(() => gateway.close());

  const LOGIN = 'POST /api/auth/customer/login';

  const head = (headers: string[]) =>
    ['POST /api/auth/customer/login HTTP/1.1', 'Host: a', ...headers, '', ''].join('\r\n');

  describe('a body', () => {
    test('that is announced as too large is refused before it is sent', async () => {
      const seen = gateway.stub.requests.length;
      const answer = await gateway.raw(head(['Content-Length: 2000000', 'Content-Type: application/json']));
      expect(answer).toMatch(/^HTTP\/1\.1 413/);
      expect(answer).toContain('"type":"body-too-large"');
      expect(answer).toMatch(/connection: close/i);
      expect(gateway.stub.requests.length).toBe(seen);
    });

    test('of 2 MB gets its response although it is still being sent', async () => {
      const answer = await request(gateway.url, LOGIN, {
        body: { email: 'a@b.co', password: 'x'.repeat(2e6) },
      });
      expect(answer.status).toBe(413);
      expect(answer.body.type).toBe('body-too-large');
    });

    test('of unannounced length is counted while it streams', async () => {
      const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
      const answer = await gateway.raw(
        head(['Transfer-Encoding: chunked', 'Content-Type: application/json', 'Connection: close']) +
          chunk.repeat(20) +
          '0\r\n\r\n',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413/);
      expect(gateway.stub.requests.every(({ body }) => body.length <= 100_000)).toBe(true);
    });

    test('in chunks that stays small arrives whole', async () => {
      const answer = await gateway.raw(
        head(['Transfer-Encoding: chunked', 'Content-Type: application/json', 'Connection: close']) +
          '2\r\n{}\r\n0\r\n\r\n',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200/);
      expect(gateway.stub.requests.at(-1)!.body).toBe('{}');
    });

    test('of an upload may be large', async () => {
      const form = new FormData();
      form.append('photos', new Blob([Buffer.alloc(5_000_000)]), 'tree.jpg');
      const answer = await request(gateway.url, 'POST /api/workers/assignments/{id}/photos', {
        params: { id: 'a1' },
        form,
      });
      expect(answer.status).toBe(200);
      expect(gateway.stub.requests.at(-1)!.body.length).toBeGreaterThan(5_000_000);
    });

    test('of an upload ends at 60 MB', async () => {
      const answer = await gateway.raw(
        'POST /api/workers/assignments/a1/photos HTTP/1.1\r\nHost: a\r\nContent-Length: 60000001\r\n\r\n',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413/);
    });

    test('that waits for 100 Continue gets it, or the refusal instead', async () => {
      const small = await gateway.raw(
        head(['Expect: 100-continue', 'Content-Length: 2', 'Connection: close']) + '{}',
      );
      expect(small).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
      const large = await gateway.raw(head(['Expect: 100-continue', 'Content-Length: 200000']));
      expect(large).toMatch(/^HTTP\/1\.1 413/);
    });
  });
});

describe('short calls', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  const stats = () => fetch(`${gateway.url}/api/stats`);

  const rawStats = () =>
    gateway
      .raw('GET /api/stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      .then((text) => text.toLowerCase());

  describe('a response', () => {
    test.each([1, 85, 16_384, 16_385, 70_000, 3_000_000])('of %d bytes comes whole', async (size) => {
      const body = Buffer.alloc(size, 'ñandú ');
      gateway.stub.answerWith((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': size }).end(body);
      });
      const answer = await stats();
      expect(answer.headers.get('content-length')).toBe(String(size));
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    });

    test('of unknown length comes whole', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.write('{"treesPlanted":', () => response.end('7}'));
      });
      const answer = await stats();
      expect(answer.headers.has('content-length')).toBe(false);
      expect(await answer.json()).toEqual({ treesPlanted: 7 });
    });

    test('of many megabytes waits for a slow reader', async () => {
      const size = 30_000_000;
      let sent = 0;
      gateway.stub.answerWith((_request, response) => {
        response.writeHead(200, { 'Content-Length': size });
        const more = () => {
          while (sent < size) {
            sent += 100_000;
            if (!response.write(Buffer.alloc(100_000))) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      });
      const answer = await new Promise<IncomingMessage>((resolve) =>
        get(`${gateway.url}/api/stats`, resolve),
      );
      let stoodAt = -1;
      await waitFor(() => (sent > 0 && sent === stoodAt) || void (stoodAt = sent));
      expect(sent).toBeLessThan(size);
      let received = 0;
      for await (const chunk of answer) received += (chunk as Buffer).length;
      expect(received).toBe(size);
    });

    test.each([204, 304])('%d has no body, and the connection stays usable', async (status) => {
      gateway.stub.answerWith((_request, response) => response.writeHead(status, { ETag: '"7"' }).end());
      const answer = await stats();
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([status, '', '"7"']);
      expect((await stats()).status).toBe(status);
    });

    test('keeps repeated headers, and loses hop-by-hop ones', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.writeHead(200, [
          'Vary',
          'Accept',
          'Vary',
          'Accept-Language',
          'Link',
          '</a>',
          'Keep-Alive',
          'timeout=1234',
          'Trailer',
          'X-Sum',
          'Transfer-Encoding',
          'chunked',
          'RateLimit-Limit',
          'sham',
          'X-Frame-Options',
          'ALLOW',
        ]);
        response.write('{}');
        response.addTrailers({ 'X-Sum': '1' });
        response.end();
      });
      const answer = await rawStats();
      expect(answer.match(/^vary: .*$/gm)).toHaveLength(2);
      expect(answer).toContain('link: </a>');
      expect(answer).not.toMatch(/1234|trailer|x-sum|sham|allow\r/);
      for (const name of ['x-frame-options', 'ratelimit-limit', 'transfer-encoding', 'x-correlation-id']) {
        expect(answer.split(`\r\n${name}: `)).toHaveLength(2);
      }
    });

    test('after early hints is the final one', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.end('{}'));
      });
      expect(await rawStats()).toMatch(/^http\/1\.1 200/);
    });

    test('that is longer than announced does not become the next one', async () => {
      gateway.stub.answerWith((request) => {
        request.socket.write(
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nevil!',
        );
      });
      expect(await (await stats()).text()).toBe('{}');
      gateway.stub.answerWith((_request, response) => void response.end('{"next":1}'));
      expect(await (await stats()).text()).toBe('{"next":1}');
    });

    test('with an ambiguous length is refused', async () => {
      gateway.stub.answerWith((request) => {
        request.socket.end(
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        );
      });
      expect((await stats()).status).toBe(503);
    });
  });

  test('an incomplete request reaches no service', async () => {
    const seen = gateway.stub.requests.length;
    const port = Number(new URL(gateway.url).port);
    const begin = 'POST /api/auth/customer/login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"email":';
    let heardBytes = 0;
    const onStart = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (request.socket.localPort === port) heardBytes = request.socket.bytesRead;
    };
    subscribe('http.server.request.start', onStart);
    const socket = connect(port, '127.0.0.1');
    socket.write(begin);
    await waitFor(() => heardBytes === begin.length);
    unsubscribe('http.server.request.start', onStart);
    socket.destroy();
    gateway.stub.answerWith((_request, response) => void response.end('{}'));
    await (await stats()).text();
    expect(gateway.stub.requests.slice(seen).map(({ method }) => method)).toEqual(['GET']);
  });

  test('a body has a single end listener: a list of two may keep the call in memory', async () => {
    const added: string[] = [];
    const onStart = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      const port = Number(new URL(gateway.url).port);
      if (request.socket.localPort === port) request.on('newListener', (name: string) => added.push(name));
    };
    subscribe('http.server.request.start', onStart);
    try {
      gateway.stub.answerWith((request, response) => void request.on('end', () => response.end('{}')));
      const url = `${gateway.url}/api/auth/customer/login`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: '{"email":"a@b.co"}' });
      expect(answer.status).toBe(200);
    } finally {
      unsubscribe('http.server.request.start', onStart);
    }
    expect(gateway.stub.requests.at(-1)!.body).toBe('{"email":"a@b.co"}');
    expect(added.filter((name) => name === 'end')).toEqual(['end']);
  });
});
