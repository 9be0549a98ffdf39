import { LEASE_HEADER, LEASE_MS } from '@arboleda/contracts/lease.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { get as httpGet, type RequestListener } from 'node:http';
import { type GatewayParts, startTestGateway, type TestGateway } from './kit.ts';

const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';
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
    const leaving = httpGet(gateway.url + PATH, { headers: { accept: '*/*' } }).on('error', () => undefined);
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
