import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { Job } from '../ports/jobs.ts';
import { openServiceClient } from '../http/client.ts';
import { startTelemetry, type Telemetry } from '../telemetry/start.ts';
import { droppedSpans } from '../telemetry/trace.ts';
import { type ReceivedSpan, startCollector, type TestCollector } from '../testing/collector.ts';
import { anOrderId, someNewEvent } from '../testing/events.ts';
import { TEST_SERVICE_KEYS } from '../testing/config.ts';
import { openTestInbox, type TestInbox } from '../testing/inbox.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-harness.ts';

const OUTSIDE = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const TRACEPARENT = `00-${OUTSIDE.traceId}-${OUTSIDE.spanId}-01`;
const ROUTE = 'POST /api/orders';
/** A folder without migrations. */
const noMigrations = new URL('./', import.meta.url);

const aMail = {
  to: { name: 'Ana Pérez', address: 'ana@example.org' },
  subject: 'Gracias',
  html: '<p>Gracias</p>',
  text: 'Gracias',
  messageId: 'mail-1@arboleda.test',
};

let inbox: TestInbox;
let platform: TestPlatform;
let http: TestHttp;
/** The events at the end of the chain. */
let answered: ArboledaEvent[];
/** The traceparents of calls between services. */
const told: unknown[] = [];

/** A request stores an event; another service consumes it and publishes its own, which leads to a job and an email. */
beforeAll(async () => {
  inbox = await openTestInbox();
  platform = await openTestPlatform({ smtpUrl: inbox.smtpUrl });
  const orders = await openRecords('orders');
  http = await startHttp({
    'GET /api/stats': { handle: async ({ headers }) => void told.push(headers.traceparent) },
    [ROUTE]: {
      handle: async () => {
        const orderId = anOrderId();
        await orders(orderId, { events: [someNewEvent(orderId, 'placed')] });
        return { orderId };
      },
    },
  });
  const assignments = await openRecords('assignments');
  await platform.bus.subscribe('assignments', {
    'payment.failed': async ({ id, data }) => {
      if (data.reason === 'placed')
        await assignments(id, { events: [someNewEvent(data.orderId, 'answered')] });
    },
  });
  answered = [];
  const mails = await openRecords('notifications');
  await platform.bus.subscribe('notifications', {
    'payment.failed': async (event) => {
      if (event.data.reason !== 'answered') return;
      answered.push(event);
      await mails(event.id, { jobs: [{ name: 'send-mail', payload: {} }] });
    },
  });
  const jobs = platform.jobs('notifications');
  await jobs.handle('send-mail', () => platform.mailer().send(aMail));
}, 60_000);
afterAll(async () => {
  await http?.close();
  await platform?.close();
  await inbox?.close();
});

/** Stores the next step of the chain. */
async function openRecords(service: string) {
  const sql = await platform.sql(service, noMigrations);
  return (id: string, { events = [], jobs = [] }: { events?: NewEvent[]; jobs?: Job[] }) =>
    sql.transaction(async (tx) => {
      await tx.query('select $1::text', [id]);
      await tx.publish(events);
      await tx.enqueue(jobs);
    });
}

/** Calls this service from another one. */
const callStats = () => {
  const { call } = openServiceClient({
    from: 'media',
    keys: TEST_SERVICE_KEYS,
    urls: { orders: http.url },
    logger: pino({ level: 'silent' }),
  });
  return call('GET /api/stats');
};

const place = () => http.send('POST', '/api/orders', { headers: { traceparent: TRACEPARENT } });

describe('without a collector', () => {
  test('no trace headers are sent, although incoming requests have some', async () => {
    const before = (await inbox.mails()).length;
    await place();
    await waitFor(async () => (await inbox.mails()).length > before);
    expect(answered.at(-1)).not.toHaveProperty('traceparent');
    await callStats();
    expect(told).toEqual([undefined]);
  });

  test('OpenTelemetry is not loaded', async () => {
    const start = new URL('../telemetry/start.ts', import.meta.url).href;
    const app = new URL('../http/app.ts', import.meta.url).href;
    const loadedWith = async (endpoint: string) => {
      const code = `
        import { createRequire } from 'node:module';
        await import(${JSON.stringify(app)});
        const { startTelemetry } = await import(${JSON.stringify(start)});
        await startTelemetry({ service: 'orders', endpoint: process.argv[1] });
        const paths = Object.keys(createRequire(import.meta.url).cache);
        console.log(paths.filter((path) => path.includes('@opentelemetry')).length);
        process.exit();`;
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        code,
        '--',
        endpoint,
      ]);
      return Number(stdout);
    };
    expect(await loadedWith('http://127.0.0.1:1')).toBeGreaterThan(10);
    expect(await loadedWith('')).toBe(0);
  });
});

describe('with a collector', () => {
  let collector: TestCollector;
  let telemetry: Telemetry | undefined;
  beforeAll(async () => {
    collector = await startCollector();
    telemetry = await startTelemetry({ service: 'arboleda', endpoint: collector.endpoint });
    const before = (await inbox.mails()).length;
    await place();
    await waitFor(async () => (await inbox.mails()).length > before);
    await collector.span('send mail');
  }, 40_000);
  afterAll(async () => {
    await telemetry?.stop();
    await collector?.close();
  });

  test('a request, its events, its job and its email form one trace, each under its cause', () => {
    const mail = collector.spans.find(({ name }) => name === 'send mail')!;
    const line: ReceivedSpan[] = [];
    for (let span: ReceivedSpan | undefined = mail; span;) {
      line.unshift(span);
      span = collector.spans.find(({ spanId }) => spanId === line[0]!.parentId);
    }
    expect(line.map(({ service, name }) => [service, name])).toEqual([
      ['orders', ROUTE],
      ['assignments', 'process payment.failed'],
      ['notifications', 'process payment.failed'],
      ['notifications', 'job send-mail'],
      ['notifications', 'send mail'],
    ]);
    expect(new Set(line.map(({ version }) => version))).toEqual(new Set([VERSION]));
    expect(line[0]!.parentId).toBe(OUTSIDE.spanId);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([OUTSIDE.traceId]));
    expect(line[0]!.attributes).toMatchObject({ 'http.route': ROUTE, 'http.response.status_code': '200' });
    // The order's id finds all its spans: the request, its consumers, and what followed.
    const orderId = answered.at(-1)!.key;
    for (const span of line) expect(span.attributes).toMatchObject({ 'arboleda.order.id': orderId });
  });

  test('a call between services is part of the trace at both ends', async () => {
    await callStats();
    const sent = await waitFor(
      () => collector.spans.find((span) => span.service === 'media' && span.name === 'GET /api/stats'),
      15_000,
    );
    const taken = await waitFor(() => collector.spans.find((span) => span.parentId === sent.spanId), 15_000);
    expect(taken).toMatchObject({ service: 'orders', name: 'GET /api/stats', traceId: sent.traceId });
    expect(told.at(-1)).toBe(`00-${sent.traceId}-${sent.spanId}-01`);
  });

  test('statements and transactions are spans below what makes them, and pollers make none', () => {
    const route = collector.spans.find(({ name }) => name === ROUTE)!;
    const ofSql = collector.spans.filter(({ name }) => name.startsWith('postgresql '));
    expect(ofSql.filter(({ parentId }) => parentId === route.spanId)).toEqual([
      expect.objectContaining({
        service: 'orders',
        name: 'postgresql transaction',
        attributes: expect.objectContaining({ 'db.system.name': 'postgresql', 'db.namespace': 'orders' }),
      }),
    ]);
    expect(ofSql.filter(({ parentId }) => parentId === '')).toEqual([]);
  });

  test('spans contain no personal data', () => {
    expect(JSON.stringify(collector.spans)).not.toMatch(/ana|example\.org|Gracias/i);
  });

  test('an invalid traceparent starts a new trace', async () => {
    const seen = new Set(collector.spans);
    await http.send('POST', '/api/orders', { headers: { traceparent: '00-nonsense' } });
    const span = await waitFor(
      () => collector.spans.find((each) => each.name === ROUTE && !seen.has(each)),
      15_000,
    );
    expect([span.parentId, span.traceId === OUTSIDE.traceId]).toEqual(['', false]);
  });

  test('a second start in the same process has no effect', async () => {
    expect(await startTelemetry({ service: 'other', endpoint: collector.endpoint })).toBeUndefined();
  });
});

test('an unavailable collector blocks nobody, and what it misses is counted', async () => {
  const telemetry = await startTelemetry({ service: 'arboleda', endpoint: 'http://127.0.0.1:1' });
  expect((await place()).status).toBe(200);
  await waitFor(() => droppedSpans() > 0);
  await telemetry!.stop();
});
