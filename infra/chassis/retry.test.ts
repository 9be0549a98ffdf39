import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { failFast, isConnectionError, openConnectRetry, refusedPassword } from './connect-retry.ts';
import { openPoisonMessageGuard } from './poison-message-guard.ts';
import { repeat } from './repeat.ts';
import { EVENT_RETRIES, JOB_RETRIES, retryDelayMs, type RetryPolicy } from './retry.ts';
import { gate } from './testing/gate.ts';
import { waitFor } from './testing/wait.ts';
import { openKeyedMutex, openLimit } from './concurrency.ts';

const logger = pino({ level: 'silent' });

const delays = (policy: RetryPolicy) =>
  Array.from({ length: policy.maxAttempts - 1 }, (_, n) => retryDelayMs(policy, n + 1)!);

const total = (some: number[]) => some.reduce((sum, one) => sum + one, 0);

describe('retries', () => {
  test('start with the given delays, double the last one, and stop growing at the maximum', () => {
    const policy = { maxAttempts: 7, delaysMs: [10, 50], maxDelayMs: 300 };
    expect(delays(policy)).toEqual([10, 50, 100, 200, 300, 300]);
  });

  test('end with the last attempt', () => {
    const policy = { maxAttempts: 3, delaysMs: [10], maxDelayMs: 300 };
    expect(retryDelayMs(policy, 2)).toBe(20);
    expect(retryDelayMs(policy, 3)).toBeUndefined();
    expect(retryDelayMs({ ...policy, maxAttempts: 1 }, 1)).toBeUndefined();
  });

  test('of events are fast at first, because an event of another topic is usually on its way', () => {
    expect(delays(EVENT_RETRIES).slice(0, 4)).toEqual([50, 200, 500, 1_000]);
  });

  test('of events outlast a restart, those of jobs an hour without a mail server', () => {
    expect(total(delays(EVENT_RETRIES))).toBeGreaterThan(2 * 60_000);
    expect(total(delays(JOB_RETRIES))).toBeGreaterThan(60 * 60_000);
  });
});

const coded = (code: string) => Object.assign(new Error('no'), { code });

test('recognises connection errors', () => {
  expect(isConnectionError(coded('ECONNREFUSED'))).toBe(true);
  expect(isConnectionError(coded('57P03'))).toBe(true);
  expect(isConnectionError(new Error('timeout exceeded when trying to connect'))).toBe(true);
  expect(
    isConnectionError(Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' })),
  ).toBe(true);
  expect(isConnectionError(coded('28P01'))).toBe(false);
  expect(isConnectionError(coded('42P01'))).toBe(false);
  expect(isConnectionError(new TypeError('x is not a function'))).toBe(false);
  expect(isConnectionError('ECONNREFUSED')).toBe(false);
  expect(isConnectionError(undefined)).toBe(false);
});

test('recognises a connection error as a cause', () => {
  expect(isConnectionError(new Error('could not open', { cause: coded('ENOTFOUND') }))).toBe(true);
  expect(isConnectionError(new AggregateError([new Error('one'), coded('ECONNREFUSED')]))).toBe(true);
});

const named = (name: string) => Object.assign(new Error('no'), { name });

test.each([
  ['postgres', coded('28P01'), 'DATABASE_URL'],
  ['mongodb', Object.assign(new Error('Authentication failed.'), { code: 18 }), 'MONGODB_URL'],
  ['kafka', named('KafkaJSSASLAuthenticationError'), 'KAFKA_PASSWORD'],
  ['minio', coded('SignatureDoesNotMatch'), 'S3_SECRET_KEY'],
  ['minio', coded('InvalidAccessKeyId'), 'S3_SECRET_KEY'],
  ['smtp', coded('EAUTH'), 'SMTP_URL'],
])('says which service and setting has the password that %s refuses', (engine, error, setting) => {
  const sentence = `media cannot use ${engine}, because it refuses the password in ${setting}.`;
  expect(refusedPassword('media', engine, error)).toBe(sentence);
  expect(refusedPassword('media', engine, new Error('reads nothing', { cause: error }))).toBe(sentence);
});

test('does not blame the password for other errors', () => {
  expect(refusedPassword('media', 'minio', coded('AccessDenied'))).toBeUndefined();
  expect(refusedPassword('media', 'postgres', coded('ECONNREFUSED'))).toBeUndefined();
  expect(refusedPassword('media', 'files', coded('EACCES'))).toBeUndefined();
});

const away = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

test('retries an engine that is unavailable, and names it meanwhile', async () => {
  const connectRetry = openConnectRetry(logger, 'orders');
  let tries = 0;
  const seen: string[][] = [];
  const opened = await connectRetry.open('kafka', async () => {
    seen.push(connectRetry.waitingFor());
    if (++tries < 3) throw away();
    return 'open';
  });
  expect(opened).toBe('open');
  expect(seen).toEqual([['kafka'], ['kafka'], ['kafka']]);
  expect(connectRetry.waitingFor()).toEqual([]);
});

test('retries an engine that refuses the password, and says so meanwhile', async () => {
  const connectRetry = openConnectRetry(logger, 'orders');
  const outcomes = [coded('28P01'), coded('28P01'), away()];
  const seen: unknown[] = [];
  await connectRetry.open('postgres', async () => {
    seen.push([connectRetry.waitingFor(), connectRetry.reason()]);
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
  });
  const reason = 'orders cannot use postgres, because it refuses the password in DATABASE_URL.';
  expect(seen).toEqual([
    [['postgres'], undefined],
    [['postgres'], reason],
    [['postgres'], reason],
    [['postgres'], undefined],
  ]);
  expect(connectRetry.reason()).toBeUndefined();
});

test('does not retry other errors', async () => {
  const connectRetry = openConnectRetry(logger, 'orders');
  let tries = 0;
  const opening = connectRetry.open('postgres', async () => {
    tries++;
    throw new Error('migration 001 has changed');
  });
  await expect(opening).rejects.toThrow('migration 001');
  expect(tries).toBe(1);
  expect(connectRetry.waitingFor()).toEqual([]);
});

test('fails fast at the first error', async () => {
  await expect(failFast.open('kafka', async () => Promise.reject(away()))).rejects.toThrow('refused');
});

test('repeats after a failure, one run at a time', async () => {
  let turns = 0;
  let running = 0;
  let most = 0;
  const repeated = repeat(
    1,
    async () => {
      most = Math.max(most, ++running);
      turns++;
      await Promise.resolve();
      running--;
      if (turns === 2) throw new Error('this once');
    },
    logger,
    'testing',
  );
  await waitFor(() => turns >= 5);
  await repeated.stop();
  expect(most).toBe(1);
});

test('stopping waits for the current run, and no other follows', async () => {
  const working = gate();
  let finished = 0;
  const repeated = repeat(
    1,
    async () => {
      await working.opened;
      finished++;
    },
    logger,
    'testing',
  );
  const stopping = repeated.stop().then(() => finished);
  working.open();
  expect(await stopping).toBe(1);
  await waitFor(() => new Promise<true>((resolve) => setImmediate(() => resolve(true))));
  expect(finished).toBe(1);
});

test('runs tasks of one key in order, also after a failure, without blocking other keys', async () => {
  const inTurn = openKeyedMutex();
  const first = gate();
  const done: string[] = [];
  const failing = inTurn('a', async () => {
    await first.opened;
    done.push('a1');
    throw new Error('a1 failed');
  });
  const next = inTurn('a', async () => done.push('a2'));
  const last = inTurn('a', async () => done.push('a3'));
  await inTurn('b', async () => done.push('b1'));
  first.open();
  await expect(failing).rejects.toThrow('a1 failed');
  await Promise.all([next, last]);
  expect(done).toEqual(['b1', 'a1', 'a2', 'a3']);
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

const LONG_MS = 60_000;

test('runs ordinary messages concurrently', async () => {
  const guard = openPoisonMessageGuard(LONG_MS);
  const [first, second] = [gate(), gate()];
  const begun: string[] = [];
  void guard.concurrently(async () => (begun.push('first'), first.opened));
  void guard.concurrently(async () => (begun.push('second'), second.opened));
  await settled();
  expect(begun).toEqual(['first', 'second']);
  first.open();
  second.open();
});

test('runs a suspect when nothing else is in progress, and nothing beside it', async () => {
  const guard = openPoisonMessageGuard(LONG_MS);
  const [before, suspect, second] = [gate(), gate(), gate()];
  const said: string[] = [];
  void guard.concurrently(async () => before.opened);
  void guard.exclusively(async (isAlone) => (said.push(`suspect ${isAlone}`), suspect.opened));
  void guard.exclusively(async (isAlone) => (said.push(`second ${isAlone}`), second.opened));
  void guard.concurrently(async () => void said.push('after'));
  await settled();
  expect(said).toEqual([]);
  before.open();
  await settled();
  expect(said).toEqual(['suspect true']);
  suspect.open();
  await settled();
  expect(said).toEqual(['suspect true', 'second true']);
  second.open();
  await settled();
  expect(said).toEqual(['suspect true', 'second true', 'after']);
});

test('a failure releases exclusivity like a success', async () => {
  const guard = openPoisonMessageGuard(LONG_MS);
  await expect(guard.exclusively(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(guard.concurrently(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let alone: boolean | undefined;
  await guard.exclusively(async (isAlone) => void (alone = isAlone));
  expect(alone).toBe(true);
});

test('a message that never ends does not block others for ever, nor lets a suspect count as alone', async () => {
  const guard = openPoisonMessageGuard(20);
  void guard.concurrently(() => new Promise(() => undefined));
  let alone: boolean | undefined;
  await guard.exclusively(async (isAlone) => void (alone = isAlone));
  expect(alone).toBe(false);

  const other = openPoisonMessageGuard(20);
  void other.exclusively(() => new Promise(() => undefined));
  let begun = false;
  await other.concurrently(async () => void (begun = true));
  expect(begun).toBe(true);
});

test('limits concurrency, first come first served, also after a failure', async () => {
  const limit = openLimit(2);
  const gates = Array.from({ length: 4 }, gate);
  const begun: number[] = [];
  const runs = gates.map((it, n) =>
    limit(async () => {
      begun.push(n);
      await it.opened;
      if (n === 1) throw new Error('failed');
    }),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]!.open();
  await expect(runs[1]).rejects.toThrow('failed');
  await waitFor(() => begun.length === 3);
  for (const it of gates) it.open();
  await Promise.allSettled(runs);
  expect(begun).toEqual([0, 1, 2, 3]);
});
