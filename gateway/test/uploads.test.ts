import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { startTestGateway, type TestGateway } from './kit.ts';

const PATH = '/api/workers/assignments/a1/photos';
const MANY_BYTES = 8_000_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ limits: { uploadTimeoutMs: 3_000 } });
});
afterAll(() => gateway.close());

/** What the stub heard of a body. */
let heard: { digest: string; bytes: number; isWhole: boolean }[];
beforeEach(() => void (heard = []));

/** @param pauseMs between two pieces: a service that reads slowly */
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
      heard.push({ digest: hash.digest('hex'), bytes, isWhole: request.complete });
      if (request.complete) answer(response);
    });
  };
const created = (response: ServerResponse) => {
  response
    .writeHead(201, { 'Content-Type': 'application/json', 'X-Powered-By': 'stub' })
    .end('{"photos":[]}');
};

const send = (body: Buffer<ArrayBuffer> | ReadableStream) =>
  fetch(gateway.url + PATH, {
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

/** Begins an upload and says no more. */
function begin(bytes: number) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${MANY_BYTES}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes));
  return socket;
}

describe('an upload', () => {
  test.each([
    ['of a service that reads at once', 0],
    ['of a service that reads slowly', 10],
  ])('%s arrives byte for byte, and its answer comes back', async (_name, pauseMs) => {
    gateway.stub.answerWith(reading(created, pauseMs));
    const bodies = [1, 2, 3].map(() => Buffer.from(randomBytes(MANY_BYTES)));
    const answers = await Promise.all(bodies.map(send));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers[0]!.headers.get('x-powered-by')).toBeNull();
    expect(answers[0]!.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answers[0]!.json()).toEqual({ photos: [] });
    expect(heard.map(({ digest }) => digest).sort()).toEqual(bodies.map(sha256).sort());
  });

  test('that does not say how long it is arrives as well', async () => {
    gateway.stub.answerWith(reading(created));
    const pieces = Array.from({ length: 40 }, () => Buffer.from(randomBytes(50_000)));
    expect((await send(ReadableStream.from(pieces))).status).toBe(201);
    expect(heard).toMatchObject([{ bytes: 2_000_000, digest: sha256(Buffer.concat(pieces)) }]);
  });

  test('that does not say that it is too long is refused, and the service is left', async () => {
    gateway.stub.answerWith(reading(created));
    const endless = async function* () {
      for (let at = 0; at < 70; at++) yield Buffer.alloc(1_000_000);
    };
    const answer = await send(ReadableStream.from(endless()));
    expect(await problemOf(answer)).toEqual([413, 'body-too-large']);
    await waitFor(() => heard.length > 0);
    expect(heard[0]).toMatchObject({ isWhole: false });
    expect(heard[0]!.bytes).toBeLessThanOrEqual(60_000_000);
  });

  test('whose sender leaves ends at the service, too', async () => {
    const arrived = Promise.withResolvers<void>();
    gateway.stub.answerWith((request, response) => {
      reading(created)(request, response);
      request.once('data', () => arrived.resolve());
    });
    const socket = begin(500_000);
    await arrived.promise;
    socket.destroy();
    await waitFor(() => heard.length > 0);
    expect(heard[0]!.isWhole).toBe(false);
  });

  test('of which a service does not want to know more gets its answer', async () => {
    gateway.stub.answerWith((request, response) => {
      request.once('data', () => response.writeHead(401).end('{}'));
    });
    const socket = begin(MANY_BYTES - 1);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401/);
    socket.destroy();
  });

  test('during which its service falls over is told so', async () => {
    gateway.stub.answerWith((request) => void request.once('data', () => request.destroy()));
    const answer = await send(Buffer.alloc(MANY_BYTES));
    expect(await problemOf(answer)).toEqual([503, 'unavailable']);
  });

  test('that nobody answers in time is told so', async () => {
    gateway.stub.answerWith(reading(() => undefined));
    const answer = await send(Buffer.alloc(100_000));
    expect(await problemOf(answer)).toEqual([503, 'timeout']);
  });

  test('whose answer breaks off is cut', async () => {
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
