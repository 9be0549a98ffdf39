import { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { withContext } from '../context.ts';
import type { ServiceUrls } from '../config.ts';
import { openServiceClient, type ServiceClients } from '../http/client.ts';
import { openIdentity } from '../http/identity.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { TEST_SERVICE_KEYS } from '../testing/config.ts';
import { freePort } from '../testing/free-port.ts';
import { startTestIdentity, type TestIdentity } from '../testing/identity.ts';
import { waitFor } from '../testing/wait.ts';

const logger = pino({ level: 'silent' });

describe('calls to other services', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;

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

  const client = (
    urls: ServiceUrls = { assignments: server.url, orders: server.url },
    timeoutMs = 20_000, // A busy machine is no failure.
  ) => openServiceClient({ from: 'media', keys: TEST_SERVICE_KEYS, urls, logger, timeoutMs }).call;

  const ask = (id = 'a1', timeoutMs?: number) =>
    client(undefined, timeoutMs)('GET /internal/assignments/{id}', { params: { id } });

  const assignment = {
    assignmentId: 'a1',
    orderId: '0123456789abcdef01234567',
    workerId: 'w1',
    status: 'planted',
  };

  describe('a call to another service', () => {
    test('carries a service token and the correlation id, and returns the answer', async () => {
      answer = says(200, assignment);
      const result = await withContext({ correlationId: 'visit-12345' }, () => ask('a/1?x'));
      expect(result).toEqual(assignment);
      const [request] = requests;
      expect(request!.url).toBe('/internal/assignments/a%2F1%3Fx');
      expect(request!.headers['x-correlation-id']).toBe('visit-12345');
      const identity = openIdentity({
        jwksUrl: server.url,
        serviceKeys: TEST_SERVICE_KEYS,
        service: 'assignments',
      });
      await expect(identity.service(request!.headers.authorization, ['media'])).resolves.toBeUndefined();
    });

    test('returns a picture as it is', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8]));
      };
      const call = client({ media: server.url });
      const params = { filename: 'Zk3vX1qTz8mYw2LpQe7R9a.jpg' };
      const picture = await call('GET /api/photos/{filename}', { params, query: { w: '800' } });
      expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([0xff, 0xd8]);
      expect(requests[0]!.url).toBe('/api/photos/Zk3vX1qTz8mYw2LpQe7R9a.jpg?w=800');
    });

    test('carries its query', async () => {
      answer = says(200, {
        orders: [],
        counts: { all: 0, pending: 0, assigned: 0, planted: 0, completed: 0 },
      });
      await client()('GET /api/admin/orders/manage', {
        query: { status: 'planted', limit: 5, cursor: undefined },
      }).catch(() => {});
      expect(requests[0]!.url).toBe('/api/admin/orders/manage?status=planted&limit=5');
    });

    test('throws a problem that the contract declares', async () => {
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
      'is unavailable when the other %s, and logs nobody out',
      async (_name, how) => {
        answer = how;
        const refusal = await ask('a1', 100).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(Problem);
        expect(refusal).toMatchObject({ type: 'unavailable', retryAfterSeconds: 2 });
      },
    );

    test('is unavailable when nothing listens', async () => {
      const nobody = client({ assignments: 'http://127.0.0.1:1', orders: 'http://127.0.0.1:1' });
      await expect(nobody('GET /internal/assignments/{id}', { params: { id: 'a1' } })).rejects.toMatchObject({
        type: 'unavailable',
      });
    });

    test('fails without a configured address', async () => {
      const { call } = openServiceClient({ from: 'media', keys: TEST_SERVICE_KEYS, urls: {}, logger });
      await expect(call('GET /api/stats')).rejects.toThrow('no address of orders is configured');
    });
  });
});

describe('calls to replicas', () => {
  interface Replica {
    server: HttpServer;
    calls: number;
    answer: (request: IncomingMessage, response: ServerResponse) => void;
  }

  const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

  let port: number;

  let replicas: Replica[];

  let clients: ServiceClients;

  let lookUps: number;

  beforeEach(async () => {
    port = await freePort();
    lookUps = 0;
    replicas = await Promise.all(ADDRESSES.map((address) => startReplica(address)));
    clients = openServiceClient({
      from: 'payments',
      keys: TEST_SERVICE_KEYS,
      urls: { pricing: `http://pricing.test:${port}` },
      logger,
      follow: {
        resolve: async () => {
          lookUps += 1;
          return ADDRESSES;
        },
        everyMs: 50,
      },
    });
    // Replicas are not followed before the first call.
    expect(lookUps).toBe(0);
    await read().catch(() => undefined);
    await waitFor(() => lookUps > 3);
    for (const replica of replicas) replica.calls = 0;
  });

  afterEach(async () => {
    clients.close();
    for (const { server } of replicas) await server.close();
  });

  async function startReplica(host: string): Promise<Replica> {
    const replica: Omit<Replica, 'server'> = {
      calls: 0,
      answer: (_request, response) => void response.end('{}'),
    };
    const server = await listen(
      (request, response) => {
        response.setHeader('Content-Type', 'application/json');
        if (request.url === '/readyz') return void response.end('{}');
        running.calls += 1;
        running.answer(request, response);
      },
      { host, port, stopWithinMs: 10 },
    );
    const running = { ...replica, server };
    return running;
  }

  const read = () => clients.call('GET /api/pricing/dynamic');

  const write = () => clients.call('POST /internal/quotes', { body: { currency: 'USD', visitor: {} } });

  const calls = () => replicas.map((replica) => replica.calls);

  const hangUp = (request: IncomingMessage) => void request.socket.destroy();

  test('calls to a service go to its replicas in turn', async () => {
    for (let call = 0; call < 10; call += 1) await read();
    expect(calls()).toEqual([5, 5]);
  });

  test('a writing call goes to another replica when the connection is refused', async () => {
    await replicas[0]!.server.close();
    for (let call = 0; call < 4; call += 1) await expect(write()).resolves.toEqual({});
    expect(calls()).toEqual([0, 4]);
  });

  test('a reading call is repeated at another replica when its connection breaks', async () => {
    replicas[0]!.answer = hangUp;
    for (let call = 0; call < 4; call += 1) await expect(read()).resolves.toEqual({});
    expect(calls()[0]).toBeGreaterThan(0);
    expect(calls()[1]).toBe(4);
  });

  test('a writing call is never repeated when its connection breaks', async () => {
    for (const replica of replicas) replica.answer = hangUp;
    await expect(write()).rejects.toMatchObject({ type: 'unavailable' });
    expect(calls().sort()).toEqual([0, 1]);
  });

  test('fetches the public keys again when a replica of auth stops', async () => {
    const people: TestIdentity = await startTestIdentity();
    let asked = 0;
    replicas[0]!.answer = (request, response) => {
      asked += 1;
      if (asked === 1) return hangUp(request);
      void fetch(new URL(request.url!, people.jwksUrl)).then(async (keys) => response.end(await keys.text()));
    };
    const identity = openIdentity({
      jwksUrl: `${replicas[0]!.server.url}/internal/jwks`,
      serviceKeys: TEST_SERVICE_KEYS,
      service: 'orders',
    });
    const token = await people.token({ role: 'admin' });
    await expect(identity.person(`Bearer ${token}`, ['admin'])).resolves.toMatchObject({ role: 'admin' });
    await people.close();
  });
});
