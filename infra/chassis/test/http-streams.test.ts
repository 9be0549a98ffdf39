import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-kit.ts';

let http: TestHttp;
afterEach(() => http.close());

const declared = { stream: z.object({ orderId: z.string() }), response: undefined };

test('messages arrive as server-sent events, what the contract does not name is left out', async () => {
  http = await startHttp({
    'GET /api/events': {
      declared,
      handle: async () =>
        (async function* () {
          yield { data: { orderId: 'a', email: 'ana@example.com' } };
          yield { event: 'changed', data: { orderId: 'b' } };
        })(),
    },
  });
  const response = await fetch(`${http.url}/api/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe(
    'retry: 2000\n\ndata: {"orderId":"a"}\n\nevent: changed\ndata: {"orderId":"b"}\n\n',
  );
});

test('a refusal before the first message is a problem as anywhere', async () => {
  http = await startHttp({ 'GET /api/events': { declared: { ...declared, access: ['admin'] } } });
  const response = await fetch(`${http.url}/api/events`);
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
});

test('what feeds a stream ends when its listener leaves', async () => {
  let left = false;
  http = await startHttp({
    'GET /api/events': {
      declared,
      handle: async ({ signal }) => {
        signal.addEventListener('abort', () => (left = true));
        return (async function* () {
          yield { data: { orderId: 'a' } };
          await new Promise(() => {});
        })();
      },
    },
  });
  const leaving = new AbortController();
  const response = await fetch(`${http.url}/api/events`, { signal: leaving.signal });
  await response.body!.getReader().read();
  expect(left).toBe(false);
  leaving.abort();
  expect(await waitFor(async () => left)).toBe(true);
});

test('a service that stops ends its streams, so that listeners ask another one', async () => {
  const stopping = new AbortController();
  http = await startHttp(
    {
      'GET /api/events': {
        declared,
        handle: async () =>
          (async function* () {
            yield { data: { orderId: 'a' } };
            await new Promise(() => {});
          })(),
      },
    },
    { stopping: stopping.signal },
  );
  const response = await fetch(`${http.url}/api/events`);
  const text = response.text();
  await sleep(0);
  stopping.abort();
  expect(await text).toContain('"orderId":"a"');
});
