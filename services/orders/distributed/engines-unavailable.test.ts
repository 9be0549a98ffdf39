import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import {
  TEST_CERTIFICATES,
  TEST_ORDER_TOKEN_SECRET,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { startKafka, type TestKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import {
  startPostgresContainer,
  type TestPostgresContainer,
} from '@arboleda/chassis/testing/containers/postgres.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { startTestIdentity, type TestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { RunningService } from '@arboleda/chassis/service.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startOrders } from '../service.ts';
import { payment } from '../test/builders.ts';
import { enveloped } from '../test/fixture.ts';

jest.setTimeout(400_000);

/** Engines start slowly on a busy machine. */
const ENGINE_START_MS = 120_000;

let kafka: TestKafka;
let postgres: TestPostgresContainer;
let identity: TestIdentity;
let url: string;
let starting: Promise<RunningService>;
beforeAll(async () => {
  [kafka, postgres, identity] = await Promise.all([
    startKafka(),
    startPostgresContainer(),
    startTestIdentity(),
  ]);
});
afterAll(async () => {
  await starting?.then((service) => service.close());
  await identity?.close();
  await Promise.all([kafka?.stop(), postgres?.stop()]);
});

const config = () => testServiceConfig({ databaseUrl: postgres.url, jwksUrl: identity.jwksUrl });
const engines = () => ({
  ...config().platform,
  kafka: { brokers: kafka.brokers, ssl: false, partitions: 2 },
});
const readiness = async () => {
  const response = await fetch(new URL('/readyz', url));
  return [response.status, ((await response.json()) as { waitingFor?: string[] }).waitingFor];
};
const expectReadiness = (expected: unknown) =>
  waitFor(async () => {
    expect(await readiness()).toEqual(expected);
    return true;
  }, ENGINE_START_MS);

async function pay() {
  const broker = { ...engines(), databaseUrl: undefined };
  const platform = await openPlatform(broker, openLogger('test', 'silent'));
  const paid = payment();
  // A broker that has just started may name no controller yet.
  await waitFor(() => platform.bus.publish([enveloped(paid)]).then(() => true));
  await platform.close();
  return paid.data.orderToken;
}
const order = (token: string) => request(url, 'GET /api/track/{token}', { params: { token } });

test('starts without its broker and database, reports what it waits for, and works once they are up', async () => {
  await Promise.all([kafka.halt(), postgres.halt()]);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  starting = startOrders({
    ...config(),
    port,
    platform: engines(),
    orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
    statsBaselineTrees: 0,
    statsCacheMs: 0,
    organisation: ORGANISATION,
    ...TEST_CERTIFICATES,
  });
  await expectReadiness([503, ['kafka']]);
  expect((await fetch(new URL('/livez', url))).status).toBe(200);
  await kafka.start();
  await expectReadiness([503, ['postgres']]);
  await postgres.start();
  await expectReadiness([200, undefined]);
  const token = await pay();
  await waitFor(async () => (await order(token)).status === 200, ENGINE_START_MS);
});

test('answers 503 with Retry-After while the database is down, and catches up on events afterwards', async () => {
  const before = await pay();
  await waitFor(async () => (await order(before)).status === 200, ENGINE_START_MS);
  await postgres.halt();
  const answer = await order(before);
  expect([answer.status, answer.body.type]).toEqual([503, 'unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectReadiness([503, ['postgres']]);
  const meanwhile = await pay();
  await postgres.start();
  await expectReadiness([200, undefined]);
  await waitFor(async () => (await order(meanwhile)).status === 200, ENGINE_START_MS);
});

test('keeps answering while the broker is down', async () => {
  const token = await pay();
  await waitFor(async () => (await order(token)).status === 200, ENGINE_START_MS);
  await kafka.halt();
  await expectReadiness([503, ['kafka']]);
  expect((await order(token)).status).toBe(200);
  await kafka.start();
  await expectReadiness([200, undefined]);
});
