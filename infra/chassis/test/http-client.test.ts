import { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { withContext } from '../context.ts';
import { openServiceClient } from '../http/client.ts';
import { openIdentity } from '../http/identity.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { TEST_SERVICE_SECRET } from '../testing/config.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const logger = pino({ level: 'silent' });
let server: HttpServer;
let answer: Answer;
const requests: IncomingMessage[] = [];
beforeAll(async () => {
  server = await listen(
    (request, response) => {
      requests.push(request);
      answer(request, response);
    },
    { host: '127.0.0.1', port: 0, stopWithinMs: 10 },
  );
});
afterAll(() => server.close());
beforeEach(() => void requests.splice(0));

const says =
  (status: number, body: unknown): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const client = (urls = { assignments: server.url, orders: server.url }) =>
  openServiceClient({ from: 'media', secret: TEST_SERVICE_SECRET, urls, logger, timeoutMs: 100 }).call;
const ask = (id = 'a1') => client()('GET /internal/assignments/{id}', { params: { id } });

const assignment = {
  assignmentId: 'a1',
  orderId: '0123456789abcdef01234567',
  workerId: 'w1',
  status: 'planted',
};

describe('a call to another service', () => {
  test('carries a token for it, the correlation id, and gives the answer', async () => {
    answer = says(200, assignment);
    const result = await withContext({ correlationId: 'visit-12345' }, () => ask('a/1?x'));
    expect(result).toEqual(assignment);
    const [request] = requests;
    expect(request!.url).toBe('/internal/assignments/a%2F1%3Fx');
    expect(request!.headers['x-correlation-id']).toBe('visit-12345');
    const identity = openIdentity({
      jwksUrl: server.url,
      serviceSecret: TEST_SERVICE_SECRET,
      service: 'assignments',
    });
    await expect(identity.service(request!.headers.authorization)).resolves.toBeUndefined();
  });

  test('carries its query', async () => {
    answer = says(200, { orders: [], counts: { all: 0, pending: 0, assigned: 0, planted: 0, completed: 0 } });
    await client()('GET /api/admin/orders/manage', {
      query: { status: 'planted', limit: 5, cursor: undefined },
    }).catch(() => {});
    expect(requests[0]!.url).toBe('/api/admin/orders/manage?status=planted&limit=5');
  });

  test('hands on a refusal that the contract names', async () => {
    answer = says(404, { type: 'not-found', status: 404 });
    await expect(ask()).rejects.toMatchObject({ type: 'not-found' });
  });

  test.each([
    ['takes us for a stranger', says(401, { type: 'unauthenticated' })],
    ['breaks', says(500, { type: 'internal' })],
    ['answers with a page', says(502, '<html>Bad gateway</html>')],
    ['answers with half of its words', says(200, '{"assignmentId":')],
    ['hangs up', (request) => void request.socket.destroy()],
    ['says nothing in time', () => {}],
    ['stops in the middle', (_request, response) => void response.writeHead(200).write('{')],
  ] satisfies [string, Answer][])(
    'is unavailable when the other %s, and never a log-out',
    async (_name, how) => {
      answer = how;
      const refusal = await ask().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Problem);
      expect(refusal).toMatchObject({ type: 'unavailable', retryAfterSeconds: 2 });
    },
  );

  test('is unavailable when nobody is there', async () => {
    const nobody = client({ assignments: 'http://127.0.0.1:1', orders: 'http://127.0.0.1:1' });
    await expect(nobody('GET /internal/assignments/{id}', { params: { id: 'a1' } })).rejects.toMatchObject({
      type: 'unavailable',
    });
  });

  test('to a service whose address was not configured is a mistake of ours', async () => {
    const { call } = openServiceClient({ from: 'media', secret: TEST_SERVICE_SECRET, urls: {}, logger });
    await expect(call('GET /api/stats')).rejects.toThrow('no address of orders is configured');
  });
});
