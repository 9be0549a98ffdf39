import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { LEASE_HEADER, LEASE_MS } from '@arboleda/contracts/lease.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import type { CallCounter, Rule } from '../limits/counter.ts';
import { openMemoryCounter } from '../limits/memory.ts';
import { openPostgresCounter } from '../limits/postgres.ts';
import { startTestGateway, type TestGateway } from './kit.ts';

describe('limits of two gateways', () => {
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
});

describe('calls that are counted', () => {
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

  let passedMs = 0;

  describe.each<[string, () => CallCounter, (ms: number) => void]>([
    ['in memory', () => openMemoryCounter(() => performance.now() + passedMs), (ms) => void (passedMs += ms)],
    // Its rows end by the real time.
    ['in PostgreSQL', () => openPostgresCounter(database.url, silent), () => undefined],
  ])('a counter %s', (_where, open, pass) => {
    test('allows as many calls as the rule says, and tells what is left', async () => {
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

    test('allows no call too many when they come at once', async () => {
      const counter = keep(open());
      const rule = ruleOf({ max: 5 });
      expect(await allowed(Array.from({ length: 40 }, () => counter.count(rule, '203.0.113.1')))).toBe(5);
    });

    test('begins anew when the window is over', async () => {
      const counter = keep(open());
      const rule = ruleOf({ max: 1, windowSeconds: 1 });
      await counter.count(rule, '203.0.113.1');
      expect((await counter.count(rule, '203.0.113.1')).isAllowed).toBe(false);
      pass(1_000);
      await waitFor(async () => (await counter.count(rule, '203.0.113.1')).isAllowed);
    });
  });

  describe('gateways on one database', () => {
    test('that start at the same time all make their table', async () => {
      await asOperator.query('drop table if exists rate_limits');
      const counters = Array.from({ length: 6 }, () => keep(openPostgresCounter(database.url, silent)));
      const rule = ruleOf({ max: 6 });
      const counts = await Promise.all(counters.map((counter) => counter.count(rule, '203.0.113.1')));
      expect(counts.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test('together allow exactly as many calls as the rule says', async () => {
      const [one, other] = [
        keep(openPostgresCounter(database.url, silent)),
        keep(openPostgresCounter(database.url, silent)),
      ];
      const rule = ruleOf({ max: 10 });
      const calls = Array.from({ length: 40 }, (_, call) =>
        (call % 2 ? one : other).count(rule, '203.0.113.1'),
      );
      expect(await allowed(calls)).toBe(10);
    });

    test('go on counting together when one is restarted', async () => {
      const rule = ruleOf({ max: 2 });
      for (const expected of [true, true, false]) {
        const counter = keep(openPostgresCounter(database.url, silent));
        expect((await counter.count(rule, '203.0.113.1')).isAllowed).toBe(expected);
      }
    });
  });

  describe('a database that is away', () => {
    const logs: { msg: string }[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
    const told = (what: RegExp) => logs.filter(({ msg }) => what.test(msg)).length;

    test('refuses nobody: the gateway counts for itself, says so once, and comes back', async () => {
      const counter = keep(openPostgresCounter(database.url, logger, { awayMs: 50 }));
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
      // The table knows one call of before; memory would refuse.
      await waitFor(async () => (await counter.count(rule, '203.0.113.1')).isAllowed);
      await counter.count(later, '203.0.113.1');
      expect(told(/alone/)).toBe(1);
      expect(told(/together again/)).toBe(1);
    });

    test('does not hold calls up when it only keeps silent', async () => {
      const sockets: { destroy(): void }[] = [];
      const server: Server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
      await waitFor(() => server.listening);
      const { port } = server.address() as { port: number };
      const url = `postgres://nobody@127.0.0.1:${port}/none`;
      const counter = openPostgresCounter(url, silent, { answerWithinMs: 50, awayMs: 600_000 });
      for (let call = 0; call < 20; call += 1) await counter.count(ruleOf(), '203.0.113.1');
      // The first one waits, the others do not ask.
      expect(sockets).toHaveLength(1);
      for (const socket of sockets) socket.destroy();
      server.close();
      await counter.close();
    });
  });
});

describe('what may be shown for a while', () => {
  const PATH = '/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg?w=320';

  const ETAG = '"the photo"';

  const PHOTO = randomBytes(50_000);

  /** The gateway makes it no longer than LEASE_MS. */
  const LONG_MS = '60000';

  let gateway: TestGateway;

  let leaseMs: string;

  let now = 0;

  beforeEach(async () => {
    gateway = await startTestGateway({ metrics: { host: '127.0.0.1', port: 0 }, now: () => now });
    leaseMs = LONG_MS;
    gateway.stub.answerWith(show);
    await look();
    await look();
  });

  afterEach(() => gateway.close());

  /** Shows the photo as media does. */
  const show: RequestListener = (request, response) => {
    const head = {
      'Cache-Control': 'public, max-age=60',
      ETag: ETAG,
      Vary: 'Accept',
      [LEASE_HEADER]: leaseMs,
    };
    if (request.headers['if-none-match']?.includes(ETAG)) return void response.writeHead(304, head).end();
    response.writeHead(200, { ...head, 'Content-Length': PHOTO.length }).end(PHOTO);
  };

  const refuse: RequestListener = (_request, response) =>
    void response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{}');

  async function look(headers: Record<string, string> = {}, method = 'GET') {
    const response = await fetch(gateway.url + PATH, { method, headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  }

  const asked = () => gateway.stub.requests.length;

  /** Looks when no lease holds any more: its service is asked. */
  const lookAnew = async (headers: Record<string, string> = {}) => {
    now += LEASE_MS;
    const before = asked();
    const answer = await look(headers);
    await waitFor(() => asked() === before + 1);
    return answer;
  };

  describe('a photo that may be shown for a while', () => {
    test('is shown without asking, to each as they ask', async () => {
      await lookAnew();
      const before = asked();
      const answers = await Promise.all([
        look(),
        look({ 'If-None-Match': ETAG }),
        look({ Range: 'bytes=10-19' }),
        look({ Range: 'bytes=10-19', 'If-Range': '"old"' }),
      ]);
      expect(asked()).toBe(before);
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 206, 200]);
      const bytes = [PHOTO, Buffer.alloc(0), PHOTO.subarray(10, 20), PHOTO];
      expect(answers.map((answer, at) => answer.bytes.equals(bytes[at]!))).toEqual([true, true, true, true]);
      for (const { headers } of answers) {
        expect(Object.fromEntries(headers)).toMatchObject({
          ...{ etag: ETAG, vary: 'Accept', 'cache-control': 'public, max-age=60', date: expect.any(String) },
          ...{ 'x-content-type-options': 'nosniff', 'ratelimit-limit': '3000' },
        });
        expect(headers.get(LEASE_HEADER)).toBeNull();
      }
      expect(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(4);
    });

    test('is counted each time, and nobody waits for an answer', async () => {
      const figures = async () => (await fetch(gateway.metricsUrl!)).text();
      const isOfPhotos = (line: string) =>
        line.startsWith('http_request_duration_seconds_count') &&
        ['{filename}"', 'status="200"'].every((label) => line.includes(label));
      const shown = async () => Number((await figures()).split('\n').find(isOfPhotos)?.split(' ').at(-1));
      const before = await shown();
      await look();
      await waitFor(async () => (await shown()) === before + 1);
      expect(await figures()).toMatch(/^gateway_calls_in_flight\{.*\} 0$/m);
    });

    test('is asked about once the while is over, and then no longer shown', async () => {
      await lookAnew();
      gateway.stub.answerWith(refuse);
      now += LEASE_MS - 1;
      expect((await look()).status).toBe(200);
      now += 1;
      expect((await look()).status).toBe(404);
    });
  });

  describe('its service is asked each time', () => {
    const expectAsked = async (headers: Record<string, string>, method?: string) => {
      await lookAnew();
      for (let time = 0; time < 2; time++) {
        const before = asked();
        await look(headers, method);
        await waitFor(() => asked() === before + 1);
      }
    };

    test('for who says who they are', () => expectAsked({ Authorization: 'Bearer x' }));
    test('for the head of a photo', () => expectAsked({}, 'HEAD'));
    test('for any version', () => expectAsked({ 'If-None-Match': '*' }));
    test('for parts that are not one of what is held', () => expectAsked({ Range: 'bytes=0-1,5-6' }));

    test.each(['', '0', '-1', 'long', 'NaN'])('when it says "%s"', async (said) => {
      leaseMs = said;
      await lookAnew();
      await expectAsked({});
    });

    test('when it takes as long to say it', async () => {
      leaseMs = '10';
      gateway.stub.answerWith((request, response) => {
        now += 10;
        show(request, response);
      });
      await lookAnew();
      await expectAsked({});
    });
  });

  test('what is said to who says who they are is for nobody else', async () => {
    leaseMs = '0';
    await lookAnew();
    leaseMs = LONG_MS;
    await look({ Authorization: 'Bearer x' });
    const before = asked();
    await look();
    expect(asked()).toBe(before + 1);
  });

  test('who can read something else is asked for anew', async () => {
    await lookAnew();
    const before = asked();
    await look({ Accept: 'image/avif' });
    await look({ Accept: 'image/avif' });
    expect(asked()).toBe(before + 1);
  });

  test('nobody is told how long, and nobody can say it', async () => {
    const { headers } = await lookAnew({ [LEASE_HEADER]: LONG_MS });
    expect(headers.get(LEASE_HEADER)).toBeNull();
    expect(gateway.stub.requests.at(-1)!.headers[LEASE_HEADER]).toBeUndefined();
    expect((await look({}, 'HEAD')).headers.get(LEASE_HEADER)).toBeNull();
  });
});
