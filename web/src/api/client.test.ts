import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { answer } from '../testing/server.ts';
import { call, READ_DEADLINE_MS } from './client.ts';
import type { ApiProblem } from './problem.ts';

afterEach(() => void jest.useRealTimers());

test('a key of the contract becomes an address with its parameters and query', async () => {
  const requests = answer({
    'GET /api/track/{token}': () => ({ body: { shortId: '7F3A9C' } }),
    'GET /api/pricing/packages': () => ({ body: {} }),
  });
  expect(await call('GET /api/track/{token}', { params: { token: 'a/b c' } })).toEqual({
    shortId: '7F3A9C',
  });
  await call('GET /api/pricing/packages', { query: { currency: 'COP' } });
  await call('GET /api/pricing/packages', { query: { currency: undefined } });
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/track/a%2Fb%20c',
    '/api/pricing/packages?currency=COP',
    '/api/pricing/packages',
  ]);
});

test('a body goes as JSON with the headers of the caller', async () => {
  const requests = answer({ 'POST /api/auth/customer/login': () => ({ body: {} }) });
  await call('POST /api/auth/customer/login', {
    body: { email: 'sofia@correo.co', password: 'x' },
    headers: { 'idempotency-key': 'k' },
  });
  expect(requests[0]!.body).toEqual({ email: 'sofia@correo.co', password: 'x' });
  expect(requests[0]!.headers).toMatchObject({ 'Content-Type': 'application/json', 'idempotency-key': 'k' });
});

test('a refusal is a problem with its slug, fields and reference', async () => {
  answer({
    'GET /api/stats': () => ({
      status: 422,
      body: {
        type: 'validation-failed', title: 'Please check the marked fields.', status: 422, correlationId: 'c-1',
        errors: [{ path: 'email', message: 'Invalid' }],
      },
    }),
  }); // prettier-ignore
  const problem = await call('GET /api/stats').catch((error: ApiProblem) => error);
  expect(problem).toMatchObject({
    type: 'validation-failed', status: 422, correlationId: 'c-1', message: 'Please check the marked fields.',
    fields: [{ path: 'email', message: 'Invalid' }],
  }); // prettier-ignore
});

test('a refusal says when to ask again', async () => {
  answer({ 'GET /api/stats': () => ({ status: 429, headers: { 'retry-after': '30' } }) });
  await expect(call('GET /api/stats')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 30 });
});

test('a page of a proxy in place of an answer is an unknown problem, no answer at all a network one', async () => {
  answer({ 'GET /api/stats': () => ({ status: 502, body: undefined }) });
  await expect(call('GET /api/stats')).rejects.toMatchObject({ type: 'unknown', status: 502 });
  answer({ 'GET /api/stats': () => 'lost' });
  await expect(call('GET /api/stats')).rejects.toMatchObject({ type: 'network', status: 0 });
});

describe('a server that says nothing', () => {
  const settled = async (promise: Promise<unknown>, ms: number): Promise<unknown> => {
    let outcome: unknown = 'waits';
    promise.then(
      (value) => (outcome = value),
      (error: unknown) => (outcome = error),
    );
    await jest.advanceTimersByTimeAsync(ms);
    return outcome;
  };

  test('is waited for until the deadline, and is then a network problem that came late', async () => {
    jest.useFakeTimers();
    answer({ 'GET /api/stats': () => 'never', 'GET /api/config': () => 'never' });
    const asked = call('GET /api/stats');
    expect(await settled(asked, READ_DEADLINE_MS - 1)).toBe('waits');
    expect(await settled(asked, 1)).toMatchObject({ type: 'network', status: 0, isLate: true });
    const longer = call('GET /api/config', { timeoutMs: 60_000 });
    expect(await settled(longer, READ_DEADLINE_MS)).toBe('waits');
    expect(await settled(longer, 60_000)).toMatchObject({ isLate: true });
  });

  test('is no problem to whoever has called the request off', async () => {
    answer({ 'GET /api/stats': () => 'never' });
    const interest = new AbortController();
    const asked = call('GET /api/stats', { signal: interest.signal });
    interest.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('in the middle of its answer counts as none; a file that has begun may take its time', async () => {
    jest.useFakeTimers();
    const bytes = new Promise<Blob>((resolve) => setTimeout(() => resolve(new Blob(['photo'])), 60_000));
    /** Headers at once, the rest with the request's own end or after a minute. */
    const halting = (type: string, init: RequestInit) => ({
      ok: true,
      status: 200,
      headers: new Headers({ 'content-type': type }),
      json: () =>
        new Promise((_, reject) => init.signal!.addEventListener('abort', () => reject(init.signal!.reason))),
      blob: () => bytes,
    });
    globalThis.fetch = ((url: string, init: RequestInit) =>
      Promise.resolve(halting(url.endsWith('stats') ? 'application/json' : 'image/jpeg', init))) as never;
    expect(await settled(call('GET /api/stats'), READ_DEADLINE_MS)).toMatchObject({
      type: 'network',
      isLate: true,
    });
    const file = call('GET /api/admin/photos/{filename}', { params: { filename: 'a.jpg' } });
    expect(await settled(file, READ_DEADLINE_MS)).toBe('waits');
    expect(await settled(file, 60_000)).toBeInstanceOf(Blob);
  });
});
