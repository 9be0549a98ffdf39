import { afterEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Writable } from 'node:stream';
import { aboutOrder, currentContext, withContext } from './context.ts';
import { crashPoint } from './crash-point.ts';
import { counter, openMetrics } from './http/metrics.ts';
import { openLogger } from './log.ts';
import { openReadinessCheck } from './readiness.ts';
import { openSpan, type SpanEnd, type SpanStart, traceBy, traced, traceHeaders } from './telemetry/trace.ts';

function openTestLog() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(JSON.parse(chunk.toString())), done()),
  });
  return { logger: openLogger('orders', 'info', stream), lines };
}

test('a line names its service, its level in words, and what it belongs to', () => {
  const { logger, lines } = openTestLog();
  withContext({ correlationId: 'visit-1' }, () => logger.warn({ orderId: 'o1' }, 'late'));
  logger.info('outside of any request');
  expect(lines).toMatchObject([
    { level: 'warn', service: 'orders', correlationId: 'visit-1', orderId: 'o1', msg: 'late' },
    { level: 'info', msg: 'outside of any request' },
  ]);
  expect(lines[1]).not.toHaveProperty('correlationId');
});

test('lines of a traced call name the trace', () => {
  const { logger, lines } = openTestLog();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  withContext({ correlationId: 'visit-1', traceparent }, () => logger.info('hello'));
  expect(lines[0]).toMatchObject({ correlationId: 'visit-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
});

test('lines of work about an order name it, also once it turns out which one that is', () => {
  const { logger, lines } = openTestLog();
  withContext({ correlationId: 'visit-1', orderId: 'o1' }, () => logger.info('hello'));
  withContext({ correlationId: 'visit-2' }, () => {
    logger.info('before');
    aboutOrder('o2');
    logger.info('after');
  });
  aboutOrder('nobody asks for it');
  logger.info('outside');
  expect(lines.map(({ orderId }) => orderId)).toEqual(['o1', undefined, 'o2', undefined]);
});

test('what people would not want to be read is not written', () => {
  const { logger, lines } = openTestLog();
  logger.info({ email: 'ana@example.com', token: 'abc123', customer: { email: 'ana@example.com' } }, 'hello');
  expect(JSON.stringify(lines)).not.toMatch(/ana@|abc123/);
});

test('an error is told with its causes, without the row that a driver quotes', () => {
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

/** What a process of its own writes. */
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
])('a process that %s has written what it had to say', (_, end) => {
  expect(written(`logger.info('last words'); ${end}`)).toEqual(['last words']);
});

test('many lines at a time come whole and in order', () => {
  expect(written(manyLines)).toEqual(MANY);
});

const KILL = `process.kill(process.pid, 'SIGKILL')`;

test('a line is there soon, even if the process is killed', () => {
  expect(written(`logger.info('before'); setTimeout(() => ${KILL}, 500);`)).toEqual(['before']);
});

test('a warning waits for no timer, nor does what came before it', () => {
  const program = `
    const later = setTimeout;
    globalThis.setTimeout = () => ({ unref() {} });
    logger.info('before');
    logger.warn('late');
    later(() => ${KILL}, 500);`;
  expect(written(program)).toEqual(['before', 'late']);
});

test('a crash point is passed in silence, and heard by who listens', () => {
  crashPoint('before-commit');
  const heard: unknown[] = [];
  const listen = (name: unknown) => void heard.push(name);
  subscribe('arboleda:crash-point', listen);
  crashPoint('published');
  unsubscribe('arboleda:crash-point', listen);
  crashPoint('handled');
  expect(heard).toEqual(['published']);
});

function openKit() {
  const lines: { level: string; msg: string }[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { readiness: openReadinessCheck(openLogger('orders', 'info', output)), lines };
}

const answers = async () => undefined;

const fails = async () => Promise.reject(new Error('refused'));

test('names each engine that does not answer, once', async () => {
  const { readiness } = openKit();
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'kafka', check: fails });
  readiness.add({ engine: 'minio', check: answers });
  expect(await readiness.ask()).toEqual(['kafka', 'mongodb']);
});

test('askers at the same time share an answer', async () => {
  const { readiness } = openKit();
  let asked = 0;
  readiness.add({ engine: 'kafka', check: async () => void asked++ });
  await Promise.all([readiness.ask(), readiness.ask()]);
  await readiness.ask();
  expect(asked).toBe(1);
});

test('the log tells when an engine goes away and when it is back, not every asking', async () => {
  const { readiness, lines } = openKit();
  let check = fails;
  readiness.add({ engine: 'kafka', check: () => check() });
  const askAnew = async () => {
    // Whatever is added makes the shared answer an old one.
    readiness.add({ engine: 'files', check: answers });
    return readiness.ask();
  };
  await askAnew();
  await askAnew();
  check = answers as typeof fails;
  expect(await askAnew()).toEqual([]);
  await askAnew();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'kafka does not answer'],
    ['info', 'kafka answers again'],
  ]);
});

describe('the trace in a line of the log', () => {
  interface Noted extends SpanStart {
    ended?: SpanEnd;
  }

  /** Names each span after its number. */
  function note(): Noted[] {
    const noted: Noted[] = [];
    traceBy({
      open(start) {
        const span: Noted = { ...start };
        const number = noted.push(span);
        return { traceparent: `span-${number}`, end: (how = {}) => void (span.ended = how) };
      },
      stop: () => Promise.resolve(),
    });
    return noted;
  }

  afterEach(() => traceBy(undefined));

  describe('while nobody traces', () => {
    test('work is done as it is', async () => {
      expect(openSpan({ name: 'a', kind: 'server' })).toBeUndefined();
      const context = { correlationId: 'c-1' };
      const seen = await withContext(context, () =>
        traced({ name: 'work', kind: 'internal' }, async () => currentContext()),
      );
      expect(seen).toBe(context);
    });

    test('nothing is told to others, not even of a trace that came from elsewhere', () => {
      withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () => expect(traceHeaders()).toEqual({}));
    });
  });

  describe('traced work', () => {
    test('comes under the running span, and what it causes under its own', async () => {
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

    test('comes under what is named as its cause before all else', async () => {
      const noted = note();
      await withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () =>
        traced({ name: 'handle', kind: 'consumer', parent: 'span-9' }, async () => undefined),
      );
      expect(noted[0]!.parent).toBe('span-9');
    });

    test('that fails says what kind of fault, not what the fault says', async () => {
      const noted = note();
      const failing = traced({ name: 'work', kind: 'internal' }, () =>
        Promise.reject(new TypeError('ana@example.org is no number')),
      );
      await expect(failing).rejects.toThrow(TypeError);
      expect(noted[0]!.ended).toEqual({ fault: 'TypeError' });
    });
  });
});

test('two services of one process each tell their own figures and those of the process, under their name', async () => {
  const [orders, media] = [openMetrics('orders'), openMetrics('media')];
  counter(orders, { name: 'orders_total', help: 'Orders', labels: [] }).inc();
  const [ofOrders, ofMedia] = [await orders.text(), await media.text()];
  expect(ofOrders).toContain('orders_total{service="orders"} 1');
  expect(ofMedia).not.toContain('orders_total');
  for (const [text, service] of [
    [ofOrders, 'orders'],
    [ofMedia, 'media'],
  ])
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(text).toMatch(new RegExp(`^${name}\\{service="${service}"\\} `, 'm'));
});
