import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Writable } from 'node:stream';
import { setContextOrder, currentContext, withContext } from './context.ts';
import { crashPoint } from './crash-point.ts';
import { counter, openMetrics } from './http/metrics.ts';
import { openLogger } from './log.ts';
import { openReadinessCheck } from './readiness.ts';
import {
  linkTrace,
  openSpan,
  type SpanEnd,
  type SpanStart,
  setTracing,
  traced,
  traceHeaders,
} from './telemetry/trace.ts';

function openTestLog() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(JSON.parse(chunk.toString())), done()),
  });
  return { logger: openLogger('orders', 'info', stream), lines };
}

test('a line names its service, its level and its correlation id', () => {
  const { logger, lines } = openTestLog();
  withContext({ correlationId: 'visit-1' }, () => logger.warn({ orderId: 'o1' }, 'late'));
  logger.info('outside of any request');
  expect(lines).toMatchObject([
    { level: 'warn', service: 'orders', correlationId: 'visit-1', orderId: 'o1', msg: 'late' },
    { level: 'info', msg: 'outside of any request' },
  ]);
  expect(lines[1]).not.toHaveProperty('correlationId');
});

test('a line of a traced request names the trace', () => {
  const { logger, lines } = openTestLog();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  withContext({ correlationId: 'visit-1', traceparent }, () => logger.info('hello'));
  expect(lines[0]).toMatchObject({ correlationId: 'visit-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
});

test('lines of work on an order name it, also when it is known only later', () => {
  const { logger, lines } = openTestLog();
  withContext({ correlationId: 'visit-1', orderId: 'o1' }, () => logger.info('hello'));
  withContext({ correlationId: 'visit-2' }, () => {
    logger.info('before');
    setContextOrder('o2');
    logger.info('after');
  });
  setContextOrder('nobody asks for it');
  logger.info('outside');
  expect(lines.map(({ orderId }) => orderId)).toEqual(['o1', undefined, 'o2', undefined]);
});

test('redacts personal data', () => {
  const { logger, lines } = openTestLog();
  const careless = { email: 'ana@example.com', token: 'abc123', customer: { email: 'ana@example.com' } };
  logger.info(careless as object, 'hello');
  expect(JSON.stringify(lines)).not.toMatch(/ana@|abc123/);
});

test('logs an error with its causes, without the row that a driver quotes', () => {
  const { logger, lines } = openTestLog();
  const driver = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com)',
  });
  logger.error({ err: new Error('could not register', { cause: driver }) }, 'failed');
  expect(lines[0]).toMatchObject({
    err: { message: 'could not register', cause: { message: 'duplicate key', code: '23505' } },
  });
  expect(JSON.stringify(lines)).not.toContain('ana@');
});

/** Output of a separate process. */
function written(program: string): string[] {
  const whole = `
    import { openLogger } from '${new URL('log.ts', import.meta.url).href}';
    const logger = openLogger('orders', 'info');
    ${program}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', whole]);
  return [...stdout.toString().matchAll(/"msg":"([^"]*)"\}\n/g)].map(([, message]) => message!);
}

const MANY = Array.from({ length: 1_000 }, (_, number) => `line ${number}`);

const manyLines = `for (let number = 0; number < ${MANY.length}; number++) logger.info('line ' + number);`;

test.each([
  ['exits', 'process.exit(3)'],
  ['fails', 'throw new Error("unexpected")'],
  ['has nothing more to do', ''],
])('a process that %s has written all its lines', (_, end) => {
  expect(written(`logger.info('last words'); ${end}`)).toEqual(['last words']);
});

test('writes many concurrent lines whole and in order', () => {
  expect(written(manyLines)).toEqual(MANY);
});

const KILL = `process.kill(process.pid, 'SIGKILL')`;

test('writes a line soon, even if the process is killed', () => {
  expect(written(`logger.info('before'); setTimeout(() => ${KILL}, 500);`)).toEqual(['before']);
});

test('a warning is written at once, with the lines before it', () => {
  const program = `
    const later = setTimeout;
    globalThis.setTimeout = () => ({ unref() {} });
    logger.info('before');
    logger.warn('late');
    later(() => ${KILL}, 500);`;
  expect(written(program)).toEqual(['before', 'late']);
});

test('a crash point does nothing without a subscriber, and notifies one', () => {
  crashPoint('before-commit');
  const received: unknown[] = [];
  const listen = (name: unknown) => void received.push(name);
  subscribe('arboleda:crash-point', listen);
  crashPoint('published');
  unsubscribe('arboleda:crash-point', listen);
  crashPoint('handled');
  expect(received).toEqual(['published']);
});

function openKit() {
  const lines: { level: string; msg: string }[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { readiness: openReadinessCheck(openLogger('orders', 'info', output), 'orders'), lines };
}

const answers = async () => undefined;

const fails = async () => Promise.reject(new Error('refused'));

test('logs each engine that does not answer once', async () => {
  const { readiness } = openKit();
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'kafka', check: fails });
  readiness.add({ engine: 'minio', check: answers });
  expect(await readiness.ask()).toEqual({ waitingFor: ['kafka', 'mongodb'] });
});

test('gives the reason when an engine refuses the password of a running service', async () => {
  const { readiness } = openKit();
  const refuses = async () => Promise.reject(Object.assign(new Error('no'), { code: 18 }));
  readiness.add({ engine: 'mongodb', check: refuses });
  readiness.add({ engine: 'kafka', check: fails });
  expect(await readiness.ask()).toEqual({
    waitingFor: ['kafka', 'mongodb'],
    reason: 'orders cannot use mongodb, because it refuses the password in MONGODB_URL.',
  });
});

test('concurrent checks share a result', async () => {
  const { readiness } = openKit();
  let asked = 0;
  readiness.add({ engine: 'kafka', check: async () => void asked++ });
  await Promise.all([readiness.ask(), readiness.ask()]);
  await readiness.ask();
  expect(asked).toBe(1);
});

test('logs when an engine fails and when it recovers, not every check', async () => {
  const { readiness, lines } = openKit();
  let check = fails;
  readiness.add({ engine: 'kafka', check: () => check() });
  const askAnew = async () => {
    // Adding a dependency invalidates the shared result.
    readiness.add({ engine: 'files', check: answers });
    return readiness.ask();
  };
  await askAnew();
  await askAnew();
  check = answers as typeof fails;
  expect(await askAnew()).toEqual({ waitingFor: [] });
  await askAnew();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'kafka does not answer'],
    ['info', 'kafka answers again'],
  ]);
});

describe('the trace in a log line', () => {
  interface Noted extends SpanStart {
    ended?: SpanEnd;
  }

  const linked: [from: string, to: string][] = [];
  beforeEach(() => void linked.splice(0));

  /** Numbers the spans. */
  function note(): Noted[] {
    const noted: Noted[] = [];
    setTracing({
      open(start) {
        const span: Noted = { ...start };
        const number = noted.push(span);
        return { traceparent: `span-${number}`, end: (how = {}) => void (span.ended = how) };
      },
      link: (from, to) => void linked.push([from, to]),
      dropped: () => 0,
      stop: () => Promise.resolve(),
    });
    return noted;
  }

  afterEach(() => setTracing(undefined));

  describe('without tracing', () => {
    test('runs work unchanged', async () => {
      expect(openSpan({ name: 'a', kind: 'server' })).toBeUndefined();
      const context = { correlationId: 'c-1' };
      const seen = await withContext(context, () =>
        traced({ name: 'work', kind: 'internal' }, async () => currentContext()),
      );
      expect(seen).toBe(context);
    });

    test('sends no trace headers, not even those of an incoming trace', () => {
      withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () => expect(traceHeaders()).toEqual({}));
    });
  });

  describe('traced work', () => {
    test('is a child of the current span, and parent of what it causes', async () => {
      const noted = note();
      const inner = await withContext(
        { correlationId: 'c-1', causationId: 'e-1', traceparent: 'span-0' },
        () =>
          traced({ name: 'outer', kind: 'consumer' }, () =>
            traced({ name: 'inner', kind: 'client' }, async () => ({
              ...currentContext(),
              ...traceHeaders(),
            })),
          ),
      );
      expect(noted.map(({ name, parent }) => [name, parent])).toEqual([
        ['outer', 'span-0'],
        ['inner', 'span-1'],
      ]);
      expect(inner).toEqual({ correlationId: 'c-1', causationId: 'e-1', traceparent: 'span-2' });
    });

    test('prefers an explicit parent', async () => {
      const noted = note();
      await withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () =>
        traced({ name: 'handle', kind: 'consumer', parent: 'span-9' }, async () => undefined),
      );
      expect(noted[0]!.parent).toBe('span-9');
    });

    test('is linked to the trace in which its subject began, unless that is its own', () => {
      const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
      withContext({ correlationId: 'c-1', traceparent: trace('1') }, () => {
        linkTrace(trace('2'));
        note();
        for (const began of [undefined, null, trace('1'), trace('2')]) linkTrace(began);
      });
      linkTrace(trace('2'));
      expect(linked).toEqual([[trace('1'), trace('2')]]);
    });

    test('that fails names the kind of error, not its message', async () => {
      const noted = note();
      const failing = traced({ name: 'work', kind: 'internal' }, () =>
        Promise.reject(new TypeError('ana@example.org is no number')),
      );
      await expect(failing).rejects.toThrow(TypeError);
      expect(noted[0]!.ended).toEqual({ fault: 'TypeError' });
    });
  });
});

test('two services of one process each expose their own metrics and those of the process', async () => {
  const [orders, media] = [openMetrics('orders'), openMetrics('media')];
  counter(orders, { name: 'transfers_total', help: 'Orders', labels: [] }).inc();
  const [ofOrders, ofMedia] = [await orders.text(), await media.text()];
  expect(ofOrders).toContain('transfers_total{service="orders"} 1');
  expect(ofMedia).not.toContain('transfers_total');
  for (const [text, service] of [
    [ofOrders, 'orders'],
    [ofMedia, 'media'],
  ])
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(text).toMatch(new RegExp(`^${name}\\{service="${service}"\\} `, 'm'));
});
