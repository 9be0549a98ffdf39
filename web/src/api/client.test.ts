import { expect, test } from '@jest/globals';
import { answer } from '../testing/server.ts';
import { call } from './client.ts';
import type { ApiProblem } from './problem.ts';

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
