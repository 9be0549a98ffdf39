import { freePort } from '../testing/free-port.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { openServiceClient, type ServiceClients } from '../http/client.ts';
import { openIdentity } from '../http/identity.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { TEST_SERVICE_SECRET } from '../testing/config.ts';
import { type TestIdentity, startTestIdentity } from '../testing/identity.ts';
import { waitFor } from '../testing/wait.ts';

interface Replica {
  server: HttpServer;
  calls: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

const ADDRESSES = ['127.0.0.1', '127.0.0.2'];
const logger = pino({ level: 'silent' });
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
    secret: TEST_SERVICE_SECRET,
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
  // Nothing is followed before it is called.
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
const write = () => clients.call('POST /internal/quotes', { body: { currency: 'USD' } });
const calls = () => replicas.map((replica) => replica.calls);
const hangUp = (request: IncomingMessage) => void request.socket.destroy();

test('calls to a service go to its replicas in turn', async () => {
  for (let call = 0; call < 10; call += 1) await read();
  expect(calls()).toEqual([5, 5]);
});

test('a call that writes goes to another replica when the first one refuses the connection', async () => {
  await replicas[0]!.server.close();
  for (let call = 0; call < 4; call += 1) await expect(write()).resolves.toEqual({});
  expect(calls()).toEqual([0, 4]);
});

test('a call that only reads is made again at another replica when its connection breaks', async () => {
  replicas[0]!.answer = hangUp;
  for (let call = 0; call < 4; call += 1) await expect(read()).resolves.toEqual({});
  expect(calls()[0]).toBeGreaterThan(0);
  expect(calls()[1]).toBe(4);
});

test('a call that writes is never made twice when its connection breaks', async () => {
  for (const replica of replicas) replica.answer = hangUp;
  await expect(write()).rejects.toMatchObject({ type: 'unavailable' });
  expect(calls().sort()).toEqual([0, 1]);
});

test('the keys of people’s tokens are asked for again when a replica of auth stops as it is asked', async () => {
  const people: TestIdentity = await startTestIdentity();
  let asked = 0;
  replicas[0]!.answer = (request, response) => {
    asked += 1;
    if (asked === 1) return hangUp(request);
    void fetch(people.jwksUrl).then(async (keys) => response.end(await keys.text()));
  };
  const identity = openIdentity({
    jwksUrl: `${replicas[0]!.server.url}/internal/jwks`,
    serviceSecret: TEST_SERVICE_SECRET,
    service: 'orders',
  });
  const token = await people.token({ role: 'admin' });
  await expect(identity.person(`Bearer ${token}`, ['admin'])).resolves.toMatchObject({ role: 'admin' });
  await people.close();
});
