import { LEASE_HEADER, LEASE_MS } from '@arboleda/contracts/lease.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { startTestGateway, type TestGateway } from './kit.ts';

const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';
const ETAG = '"the photo"';
const PHOTO = randomBytes(50_000);
/** Longer than it takes to ask again, however slow the machine is; the gateway makes it no longer than LEASE_MS. */
const LONG_MS = '60000';

let gateway: TestGateway;
let leaseMs: string;
beforeEach(async () => {
  gateway = await startTestGateway({ metrics: { host: '127.0.0.1', port: 0 } });
  leaseMs = LONG_MS;
  gateway.stub.answerWith(show);
  await look();
  await look();
});
afterEach(() => gateway.close());

/** Shows the photo as media does. */
const show: RequestListener = (request, response) => {
  const head = { 'Cache-Control': 'public, max-age=60', ETag: ETAG, Vary: 'Accept', [LEASE_HEADER]: leaseMs };
  if (request.headers['if-none-match']?.includes(ETAG)) return void response.writeHead(304, head).end();
  response.writeHead(200, { ...head, 'Content-Length': PHOTO.length }).end(PHOTO);
};
const refuse: RequestListener = (_request, response) =>
  void response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{}');

async function look(headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(gateway.url + PATH, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
const asked = () => gateway.stub.requests.length;
/** Looks until its service is asked. */
const lookUntilAsked = async (headers: Record<string, string> = {}) => {
  const before = asked();
  return waitFor(async () => {
    const answer = await look(headers);
    return asked() > before && answer;
  });
};

describe('a photo that may be shown for a while', () => {
  test('is shown without asking, to each as they ask', async () => {
    await lookUntilAsked();
    const before = asked();
    const answers = await Promise.all([
      look(),
      look({ 'If-None-Match': ETAG }),
      look({ Range: 'bytes=10-19' }),
      look({ Range: 'bytes=10-19', 'If-Range': '"old"' }),
    ]);
    expect(asked()).toBe(before);
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 206, 200]);
    const bytes = [PHOTO, Buffer.alloc(0), PHOTO.subarray(10, 20), PHOTO];
    expect(answers.map((answer, at) => answer.bytes.equals(bytes[at]!))).toEqual([true, true, true, true]);
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        ...{ etag: ETAG, vary: 'Accept', 'cache-control': 'public, max-age=60', date: expect.any(String) },
        ...{ 'x-content-type-options': 'nosniff', 'ratelimit-limit': '3000' },
      });
      expect(headers.get(LEASE_HEADER)).toBeNull();
    }
    expect(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(4);
  });

  test('is counted each time, and nobody waits for an answer', async () => {
    const figures = async () => (await fetch(gateway.metricsUrl!)).text();
    const isOfPhotos = (line: string) =>
      line.startsWith('http_request_duration_seconds_count') &&
      ['{filename}"', 'status="200"'].every((label) => line.includes(label));
    const shown = async () => Number((await figures()).split('\n').find(isOfPhotos)?.split(' ').at(-1));
    const before = await shown();
    await look();
    await waitFor(async () => (await shown()) === before + 1);
    expect(await figures()).toMatch(/^gateway_calls_in_flight\{.*\} 0$/m);
  });

  test('is asked about once the while is over, and then no longer shown', async () => {
    gateway.stub.answerWith(refuse);
    const hiddenAt = performance.now();
    const statuses = new Set<number>();
    await waitFor(async () => {
      const { status } = await look();
      statuses.add(status);
      return status === 404;
    });
    // Whatever its service says, it is for no longer than who hides a photo waits.
    expect(performance.now() - hiddenAt).toBeLessThan(LEASE_MS + 1_000);
    expect([...statuses].at(-1)).toBe(404);
  });
});

describe('its service is asked each time', () => {
  const expectAsked = async (headers: Record<string, string>, method?: string) => {
    await lookUntilAsked();
    for (let time = 0; time < 2; time++) {
      const before = asked();
      await look(headers, method);
      await waitFor(() => asked() === before + 1);
    }
  };

  test('for who says who they are', () => expectAsked({ Authorization: 'Bearer x' }));
  test('for the head of a photo', () => expectAsked({}, 'HEAD'));
  test('for any version', () => expectAsked({ 'If-None-Match': '*' }));
  test('for parts that are not one of what is held', () => expectAsked({ Range: 'bytes=0-1,5-6' }));

  test.each(['', '0', '-1', 'long', 'NaN'])('when it says "%s"', async (said) => {
    leaseMs = said;
    await lookUntilAsked();
    await expectAsked({});
  });

  test('when it takes as long to say it', async () => {
    leaseMs = '10';
    gateway.stub.answerWith((request, response) => void setTimeout(() => show(request, response), 20));
    await lookUntilAsked();
    await expectAsked({});
  });
});

test('what is said to who says who they are is for nobody else', async () => {
  leaseMs = '0';
  await lookUntilAsked();
  leaseMs = LONG_MS;
  await look({ Authorization: 'Bearer x' });
  const before = asked();
  await look();
  expect(asked()).toBe(before + 1);
});

test('who can read something else is asked for anew', async () => {
  await lookUntilAsked();
  const before = asked();
  await look({ Accept: 'image/avif' });
  await look({ Accept: 'image/avif' });
  expect(asked()).toBe(before + 1);
});

test('nobody is told how long, and nobody can say it', async () => {
  const { headers } = await lookUntilAsked({ [LEASE_HEADER]: LONG_MS });
  expect(headers.get(LEASE_HEADER)).toBeNull();
  expect(gateway.stub.requests.at(-1)!.headers[LEASE_HEADER]).toBeUndefined();
  expect((await look({}, 'HEAD')).headers.get(LEASE_HEADER)).toBeNull();
});
