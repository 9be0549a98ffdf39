import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './kit.ts';

let database: TestDatabase;
let gateways: TestGateway[];
beforeAll(async () => {
  database = await createTestDatabase();
  const limits = { rateScale: 0.05, callsPerMinute: 40 };
  const open = () => startTestGateway({ limits, rateLimitDatabaseUrl: database.url });
  gateways = await Promise.all([open(), open()]);
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await database.drop();
});

/** So many calls at once, spread over both gateways: how many were let through. */
async function allowed(
  calls: number,
  key: 'POST /api/auth/customer/login' | 'GET /api/stats',
): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, call) =>
      request(gateways[call % 2]!.url, key, key.startsWith('POST') ? { body: {} } : {}),
    ),
  );
  for (const { status } of answers) expect([200, 429]).toContain(status);
  return answers.filter(({ status }) => status === 200).length;
}

test('a limit that an endpoint declares holds for two gateways together', async () => {
  expect(await allowed(20, 'POST /api/auth/customer/login')).toBe(3);
});

test('the guard against floods is each gateway’s own', async () => {
  // 40 a minute × 0.05, twice.
  expect(await allowed(20, 'GET /api/stats')).toBe(4);
});
