import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
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

test('who looks at photos is counted by each gateway alone, without a question to the database', async () => {
  for (const { url } of gateways) {
    await request(url, 'POST /api/auth/customer/login', { body: {} });
    const { headers } = await request(url, 'GET /api/photos/{filename}', { params: { filename: 'a.jpg' } });
    expect(headers.get('ratelimit-remaining')).toBe('149');
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ key: string }>('select key from rate_limits');
  await client.end();
  expect(rows.filter(({ key }) => key.includes('login'))).toHaveLength(1);
  expect(rows.filter(({ key }) => key.includes('photos'))).toEqual([]);
});
