import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { openClient, Refused, requestOf } from './client.ts';

const TOKEN = 'Zk3vX1qTz8mYw2LpQe7R9a';
afterEach(() => void jest.restoreAllMocks());

/** A client of a product that answers so. */
function clientOf(answer: (path: string) => Response) {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => answer(new URL(String(url)).pathname));
  return openClient('https://arboleda.test');
}

describe('a request', () => {
  test('has its parameters in the path and its query behind it, both as they may stand there', () => {
    const { url, init } = requestOf('GET /api/admin/orders/manage', {
      token: 'abc',
      query: { q: 'ana & co', status: undefined, limit: 5 },
    });
    expect([init.method, url]).toEqual(['GET', '/api/admin/orders/manage?q=ana+%26+co&limit=5']);
    expect(init.headers).toEqual({ Authorization: 'Bearer abc' });
    expect(requestOf('GET /api/track/{token}', { params: { token: 'a/b c' } }).url).toBe('/api/track/a%2Fb%20c');
  });

  test('says the version decided on, and by which key it happens once', () => {
    const { init } = requestOf('PUT /api/admin/orders/{id}', {
      params: { id: '65f0c0ffee65f0c0ff9f3c1a' },
      body: { trees: 6 },
      ifMatch: '3',
      idempotencyKey: 'key-0001',
      language: 'es',
    });
    expect(init.headers).toEqual({
      'Accept-Language': 'es',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key-0001',
      'If-Match': '"3"',
    });
    expect(init.body).toBe('{"trees":6}');
  });

  test('leaves it to a form to say its type', () => {
    const { init } = requestOf('POST /api/manual-payments/create-order', { body: new FormData() });
    expect(init.headers).toEqual({});
    expect(init.body).toBeInstanceOf(FormData);
  });
}); // prettier-ignore

describe('an answer', () => {
  test('is JSON, or a file', async () => {
    const call = clientOf((path) =>
      path.startsWith('/api/photos/')
        ? new Response('bytes', { headers: { 'Content-Type': 'image/jpeg' } })
        : Response.json({ treesPlanted: 7 }),
    );
    expect(await call('GET /api/stats')).toEqual({ treesPlanted: 7 });
    const photo = await call('GET /api/photos/{filename}', { params: { filename: `${TOKEN}.jpg` } });
    expect(await photo.text()).toBe('bytes');
  });

  test('is a refusal that names its problem, whoever answered', async () => {
    const call = clientOf((path) =>
      path === '/api/stats'
        ? new Response('<html>', { status: 502 })
        : Response.json({ type: 'not-found', status: 404 }, { status: 404 }),
    );
    const refusal = await call('GET /api/track/{token}', { params: { token: TOKEN } }).catch((error) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect([refusal.status, refusal.problem.type]).toEqual([404, 'not-found']);
    expect(await call('GET /api/stats').catch((error) => [error.status, error.problem])).toEqual([502, undefined]);
  });

  test('is a stream of messages, whatever pieces they come in', async () => {
    const sent = 'retry: 2000\n\n:\n\nevent: changed\ndata: {"orderId":"a"}\n\ndata: {"orderId":"ñ"}\n\n';
    const bytes = new TextEncoder().encode(sent);
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
        controller.close();
      },
    });
    const call = clientOf(() => new Response(pieces, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } }));
    const received = [];
    for await (const message of await call('GET /api/track/{token}/events', { params: { token: TOKEN } })) {
      received.push(message);
    }
    expect(received).toEqual([
      { event: 'changed', data: { orderId: 'a' } },
      { event: 'message', data: { orderId: 'ñ' } },
    ]);
  });
}); // prettier-ignore
