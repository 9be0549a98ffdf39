import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { personToken } from '../testing/identity.ts';
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

const endless = async () =>
  (async function* () {
    yield { data: { orderId: 'a' } };
    await new Promise(() => {});
  })();

describe('a listener whose session', () => {
  const listen = async (token: string) =>
    fetch(`${http.url}/api/events`, { headers: { Authorization: `Bearer ${token}` } });
  const start = async () => {
    const routes = {
      'GET /api/events': { declared: { ...declared, access: ['admin'] as const }, handle: endless },
    };
    http = await startHttp(routes, { askAgainMs: 50 });
  };

  test('was ended hears nothing more within seconds', async () => {
    await start();
    const ofAnother = await listen(await http.identity.token({ role: 'admin', id: 'admin-2' }));
    const response = await listen(await http.identity.token({ role: 'admin' }));
    http.identity.endSessions('admin-1', 1);
    expect(await response.text()).toContain('"orderId":"a"');
    const reader = ofAnother.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
  }, 20_000);

  test('expires hears nothing more', async () => {
    await start();
    const soon = personToken({ role: 'admin' }).setExpirationTime('2s');
    const response = await listen(await http.identity.sign(soon));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"orderId":"a"');
  }, 20_000);
});

test('who asks for the head of a stream does not listen', async () => {
  let left = false;
  http = await startHttp({
    'GET /api/events': {
      declared,
      handle: async ({ signal }) => {
        signal.addEventListener('abort', () => (left = true));
        return endless();
      },
    },
  });
  const response = await fetch(`${http.url}/api/events`, { method: 'HEAD' });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await waitFor(async () => left)).toBe(true);
});
