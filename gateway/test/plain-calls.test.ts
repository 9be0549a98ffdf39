import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { startTestGateway, type TestGateway } from './kit.ts';

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

describe('an answer', () => {
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

  test('of many megabytes waits for a caller who reads slowly', async () => {
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
    const answer = await new Promise<IncomingMessage>((resolve) => get(`${gateway.url}/api/stats`, resolve));
    let stoodAt = -1;
    await waitFor(() => (sent > 0 && sent === stoodAt) || void (stoodAt = sent));
    expect(sent).toBeLessThan(size);
    let received = 0;
    for await (const chunk of answer) received += (chunk as Buffer).length;
    expect(received).toBe(size);
  });

  test.each([204, 304])('%d has no body, and the connection serves on', async (status) => {
    gateway.stub.answerWith((_request, response) => response.writeHead(status, { ETag: '"7"' }).end());
    const answer = await stats();
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([status, '', '"7"']);
    expect((await stats()).status).toBe(status);
  });

  test('keeps headers that come twice, and loses those of its hop', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(200, [
        ...['Vary', 'Accept', 'Vary', 'Accept-Language', 'Link', '</a>', 'Keep-Alive', 'timeout=1234'],
        ...[
          'Trailer',
          'X-Sum',
          'Transfer-Encoding',
          'chunked',
          'RateLimit-Limit',
          'sham',
          'X-Frame-Options',
          'ALLOW',
        ],
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

  test('that is announced by hints is the one that comes', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.end('{}'));
    });
    expect(await rawStats()).toMatch(/^http\/1\.1 200/);
  });

  test('that is longer than it says does not become the next one', async () => {
    gateway.stub.answerWith((request) => {
      request.socket.write(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nevil!',
      );
    });
    expect(await (await stats()).text()).toBe('{}');
    gateway.stub.answerWith((_request, response) => void response.end('{"next":1}'));
    expect(await (await stats()).text()).toBe('{"next":1}');
  });

  test('whose length could be read in two ways is none', async () => {
    gateway.stub.answerWith((request) => {
      request.socket.end(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      );
    });
    expect((await stats()).status).toBe(503);
  });
});

test('what a caller begins to say and does not finish reaches nobody', async () => {
  const seen = gateway.stub.requests.length;
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write('POST /api/auth/customer/login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"email":');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  gateway.stub.answerWith((_request, response) => void response.end('{}'));
  await (await stats()).text();
  expect(gateway.stub.requests.slice(seen).map(({ method }) => method)).toEqual(['GET']);
});

test('whoever waits for a body waits by one listener: a list of two may keep the call in memory', async () => {
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
