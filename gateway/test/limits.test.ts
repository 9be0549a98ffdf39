import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { type CallCounter, openMemoryCounter, openPostgresCounter, type Rule } from '../limits/counters.ts';
import { startTestGateway, type TestGateway } from './harness.ts';

/** On a busy machine the database may take seconds, after which a gateway would count alone. */
const PATIENT_MS = 25_000;

describe('limits of two gateways', () => {
  let database: TestDatabase;

  let gateways: TestGateway[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const limits = { rateScale: 0.05, callsPerMinute: 40, countWithinMs: PATIENT_MS };
    const open = () => startTestGateway({ limits, rateLimitDatabaseUrl: database.url });
    gateways = await Promise.all([open(), open()]);
  });

  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await database.drop();
  });

  /** Sends calls spread over both gateways. @returns how many were allowed */
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

  test('a declared limit is shared by two gateways', async () => {
    expect(await allowed(20, 'POST /api/auth/customer/login')).toBe(3);
  });

  test('the flood limit is per gateway', async () => {
    // 40 a minute × 0.05, twice.
    expect(await allowed(20, 'GET /api/stats')).toBe(4);
  });

  test('requests for photos are counted per gateway, without the database', async () => {
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
});

describe('counters', () => {
  const silent = pino({ level: 'silent' });

  let database: TestDatabase;

  let asOperator: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    asOperator = new pg.Pool({ connectionString: database.url, max: 1 });
    asOperator.on('error', () => undefined);
  });

  afterAll(async () => {
    await asOperator.end();
    await database.drop();
  });

  const opened: CallCounter[] = [];

  const keep = (counter: CallCounter) => {
    opened.push(counter);
    return counter;
  };

  afterEach(async () => {
    for (const counter of opened.splice(0)) await counter.close();
  });

  let rules = 0;

  const ruleOf = (parts: Partial<Rule> = {}): Rule => ({
    name: `POST /api/rule-${(rules += 1)}`,
    max: 3,
    windowSeconds: 600,
    ...parts,
  });

  const allowed = async (calls: Promise<{ isAllowed: boolean }>[]) =>
    (await Promise.all(calls)).filter(({ isAllowed }) => isAllowed).length;

  const openPatientCounter = () => openPostgresCounter(database.url, silent, { countWithinMs: PATIENT_MS });

  describe.each<[string, () => CallCounter]>([
    ['in memory', () => openMemoryCounter()],
    ['in PostgreSQL', openPatientCounter],
  ])('a counter %s', (_where, open) => {
    test('allows as many calls as the rule says, and reports the rest', async () => {
      const counter = keep(open());
      const rule = ruleOf();
      for (const remaining of [2, 1, 0]) {
        expect(await counter.count(rule, '203.0.113.1')).toMatchObject({ isAllowed: true, remaining });
      }
      const refused = await counter.count(rule, '203.0.113.1');
      expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
      expect(refused.msLeft).toBeGreaterThan(590_000);
      expect(refused.msLeft).toBeLessThanOrEqual(600_000);
    });

    test('keeps callers and rules apart', async () => {
      const counter = keep(open());
      const [one, other] = [ruleOf({ max: 1 }), ruleOf({ max: 1 })];
      expect((await counter.count(one, '203.0.113.1')).isAllowed).toBe(true);
      expect((await counter.count(one, '203.0.113.2')).isAllowed).toBe(true);
      expect((await counter.count(other, '203.0.113.1')).isAllowed).toBe(true);
      expect((await counter.count(one, '203.0.113.1')).isAllowed).toBe(false);
    });

    test('never exceeds the limit under concurrency', async () => {
      const counter = keep(open());
      const rule = ruleOf({ max: 5 });
      expect(await allowed(Array.from({ length: 40 }, () => counter.count(rule, '203.0.113.1')))).toBe(5);
    });

    test('starts again when the window ends', async () => {
      const counter = keep(open());
      const rule = ruleOf({ max: 1, windowSeconds: 1 });
      const isAllowed = async () => (await counter.count(rule, '203.0.113.1')).isAllowed;
      await waitFor(async () => !(await isAllowed()));
      await waitFor(isAllowed);
    });
  });

  describe('gateways on one database', () => {
    test('create their table when they start at once', async () => {
      await asOperator.query('drop table if exists rate_limits');
      const counters = Array.from({ length: 6 }, () => keep(openPatientCounter()));
      const rule = ruleOf({ max: 6 });
      const counts = await Promise.all(counters.map((counter) => counter.count(rule, '203.0.113.1')));
      expect(counts.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test('together allow exactly as many calls as the rule says', async () => {
      const [one, other] = [keep(openPatientCounter()), keep(openPatientCounter())];
      const rule = ruleOf({ max: 10 });
      const calls = Array.from({ length: 40 }, (_, call) =>
        (call % 2 ? one : other).count(rule, '203.0.113.1'),
      );
      expect(await allowed(calls)).toBe(10);
    });

    test('go on counting together when one restarts', async () => {
      const rule = ruleOf({ max: 2 });
      for (const expected of [true, true, false]) {
        const counter = keep(openPatientCounter());
        expect((await counter.count(rule, '203.0.113.1')).isAllowed).toBe(expected);
      }
    });
  });

  describe('an unavailable database', () => {
    const logs: { msg: string }[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
    const logged = (what: RegExp) => logs.filter(({ msg }) => what.test(msg)).length;

    test('refuses nobody: the gateway counts alone, logs it once, and recovers', async () => {
      const counter = keep(
        openPostgresCounter(database.url, logger, { countWithinMs: PATIENT_MS, retryAfterMs: 50 }),
      );
      const [rule, later] = [ruleOf({ max: 3 }), ruleOf({ max: 1 })];
      await counter.count(rule, '203.0.113.1');
      const name = new URL(database.url).pathname.slice(1);
      const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
      await admin.connect();
      await admin.query(`alter database ${name} allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const counts = await Promise.all(Array.from({ length: 5 }, () => counter.count(rule, '203.0.113.1')));
      expect(counts.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
      // The table has one earlier call; memory would refuse.
      await waitFor(async () => (await counter.count(rule, '203.0.113.1')).isAllowed);
      await counter.count(later, '203.0.113.1');
      expect(logged(/alone/)).toBe(1);
      expect(logged(/together again/)).toBe(1);
    });

    test('does not delay calls when it does not answer', async () => {
      const sockets: { destroy(): void }[] = [];
      const server: Server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
      await waitFor(() => server.listening);
      const { port } = server.address() as { port: number };
      const url = `postgres://nobody@127.0.0.1:${port}/none`;
      const counter = openPostgresCounter(url, silent, { countWithinMs: 50, retryAfterMs: 600_000 });
      for (let call = 0; call < 20; call += 1) await counter.count(ruleOf(), '203.0.113.1');
      // The first call waits, the others do not query.
      expect(sockets).toHaveLength(1);
      for (const socket of sockets) socket.destroy();
      server.close();
      await counter.close();
    });
  });
});
