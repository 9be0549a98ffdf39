import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { completeEntry, withAudit } from '../audit/audit.ts';
import { currentContext, withContext } from '../context.ts';
import {
  type DeadLetters,
  type Letter,
  perform,
  readArguments,
  USAGE,
} from '../dead-letters/dead-letters.ts';
import { openLogger } from '../log.ts';
import type { EventHandler } from '../ports/event-bus.ts';
import { anOrderId, someEvent, someNewEvent } from '../testing/events.ts';
import { deliver } from './deliver.ts';
import { toEnvelope } from './envelope.ts';

const now = new Date('2026-05-01T12:00:00.000Z');

describe('an envelope', () => {
  test('states the key, the time and the causes of the event', () => {
    const orderId = anOrderId();
    const event = withContext({ correlationId: 'corr-1', causationId: 'cause-1' }, () =>
      toEnvelope(someNewEvent(orderId), 3, now),
    );
    expect(event).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      type: 'payment.failed',
      version: 1,
      occurredAt: '2026-05-01T12:00:00.000Z',
      key: orderId,
      sequence: 3,
      correlationId: 'corr-1',
      causationId: 'cause-1',
      data: someNewEvent(orderId).data,
    });
  });

  test('has a correlation id but no cause when no event led to it', () => {
    const event = toEnvelope(someNewEvent(anOrderId()), 0, now);
    expect('causationId' in event).toBe(false);
    expect(event.correlationId).not.toBe('');
  });

  test('names the current span while tracing is on', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const event = withContext({ correlationId: 'corr-1', traceparent }, () =>
      toEnvelope(someNewEvent(anOrderId()), 0, now),
    );
    expect(event.traceparent).toBe(traceparent);
    expect(toEnvelope(someNewEvent(anOrderId()), 0, now)).not.toHaveProperty('traceparent');
  });

  test('has a new id for each event', () => {
    const news = someNewEvent(anOrderId());
    expect(toEnvelope(news, 0, now).id).not.toBe(toEnvelope(news, 0, now).id);
  });

  test('is refused for unknown events', () => {
    expect(() => toEnvelope(someNewEvent('not an order'), 0, now)).toThrow();
    expect(() => toEnvelope(someNewEvent(anOrderId()), -1, now)).toThrow();
  });
});

const retries = { maxAttempts: 3, delaysMs: [20, 50], maxDelayMs: 50 };

const logger = pino({ level: 'silent' });

const fail: EventHandler = () => Promise.reject(new Error('not yet'));

/** Makes one attempt. @returns what became of the event */
async function attempt(event: unknown, handle: EventHandler, failed = 0) {
  const outcome: unknown[] = [];
  await deliver(
    {
      group: 'media',
      event,
      failed,
      retry: async (...again) => void outcome.push(['retry', ...again]),
      storeDeadLetter: async (error) => void outcome.push(['storeDeadLetter', String(error)]),
    },
    handle,
    { retries, logger },
  );
  return outcome;
}

test('an event that is handled needs nothing more', async () => {
  expect(await attempt(someEvent(), async () => undefined)).toEqual([]);
});

test('a handler runs in the context of its event and order', async () => {
  const event = someEvent();
  let context: unknown;
  await attempt(event, async () => void (context = currentContext()));
  expect(context).toMatchObject({
    correlationId: event.correlationId,
    causationId: event.id,
    orderId: event.key,
  });
});

test('what a handler changes is not audited as done by the admin who caused the event', async () => {
  const by = { kind: 'admin', id: 'ana' } as const;
  let entry: unknown = 'none yet';
  await withAudit({ by, action: 'order.edited' }, () =>
    attempt(someEvent(), async () => void (entry = completeEntry({ after: { trees: 5 } }, now))),
  );
  expect(entry).toBeUndefined();
});

test('logs each handled event once with its order, and an unhandled one not at all', async () => {
  const lines: Record<string, unknown>[] = [];
  const said = openLogger('media', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const delivery = (event: unknown) => ({
    group: 'media',
    event,
    failed: 0,
    retry: async () => undefined,
    storeDeadLetter: async () => undefined,
  });
  const event = someEvent();
  await deliver(delivery(event), async () => undefined, { retries, logger: said });
  await deliver(delivery(someEvent()), fail, { retries, logger: said });
  expect(lines).toEqual([
    expect.objectContaining({
      group: 'media',
      type: event.type,
      eventId: event.id,
      orderId: event.key,
      correlationId: event.correlationId,
      durationMs: expect.any(Number),
      msg: 'an event was handled',
    }),
  ]);
});

test('retries a failed event with growing delays, and dead-letters it after the last attempt', async () => {
  expect(await attempt(someEvent(), fail)).toEqual([['retry', 1, 20]]);
  expect(await attempt(someEvent(), fail, 1)).toEqual([['retry', 2, 50]]);
  expect(await attempt(someEvent(), fail, 2)).toEqual([['storeDeadLetter', 'Error: not yet']]);
});

test.each([
  ['that breaks its schema', { ...someEvent(), data: {} }, /orderId/],
  ['of a type nobody knows', { ...someEvent(), type: 'never.heard_of' }, /type/],
  ['of another version', { ...someEvent(), version: 2 }, /known in version 1, this is version 2/],
  ['that is none at all', 'a word', /object/],
])('dead-letters one %s at once, without calling its handler', async (_, event, reason) => {
  let asked = 0;
  const outcome = await attempt(event, async () => void asked++);
  expect(outcome).toEqual([['storeDeadLetter', expect.stringMatching(reason)]]);
  expect(asked).toBe(0);
});

test('throws what cannot be stored', async () => {
  const store = () => Promise.reject(new Error('away'));
  const delivery = { group: 'media', event: someEvent(), failed: 0, retry: store, storeDeadLetter: store };
  await expect(deliver(delivery, fail, { retries, logger })).rejects.toThrow('away');
});

const letter: Letter = {
  id: 'l1',
  kind: 'event',
  owner: 'orders',
  what: 'payment.succeeded',
  key: 'o1',
  failedAt: '2026-05-01T12:00:00.000Z',
  error: 'Error: no\n  such order',
  place: 'payment.succeeded/3@1204',
};

function someLetters(all: readonly Letter[] = [letter]) {
  const replayed: string[] = [];
  const discarded: string[] = [];
  const into = (list: string[]) => async (id: string) => {
    const isThere = all.some((one) => one.id === id);
    if (isThere) list.push(id);
    return isThere;
  };
  const letters: DeadLetters = {
    list: async (owner) => all.filter((one) => owner === undefined || one.owner === owner),
    replay: into(replayed),
    discard: into(discarded),
  };
  return { letters, replayed, discarded };
}

async function run(args: string[], letters: DeadLetters) {
  const said: string[] = [];
  const exitCode = await perform(readArguments(args), letters, (text) => said.push(text));
  return { exitCode, said: said.join('\n') };
}

describe('npm run dlq', () => {
  test.each([
    [],
    ['burn'],
    ['list', 'x'],
    ['replay'],
    ['replay', 'l1', '--all'],
    ['list', '--loud'],
    ['discard'],
    ['discard', 'l1', '--all'],
  ])('prints its usage for %j', (...args) => {
    expect(() => readArguments(args.flat())).toThrow(USAGE);
  });

  test('accepts an id that begins with a dash', () => {
    expect(readArguments(['replay', '-vQz', '--owner', 'media', '--4x'])).toMatchObject({
      command: 'replay',
      ids: ['-vQz', '--4x'],
      owner: 'media',
    });
  });

  test('lists owner, kind and reason of each letter', async () => {
    const { said } = await run(['list'], someLetters().letters);
    expect(said.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'kind', 'owner', 'what', 'where', 'failed', 'why'],
      [
        'l1',
        'event',
        'orders',
        'payment.succeeded o1',
        'payment.succeeded/3@1204',
        letter.failedAt,
        'Error: no such order',
      ],
    ]);
    expect((await run(['list', '--owner', 'media'], someLetters().letters)).said).toBe(
      'There are no dead letters.',
    );
    expect(JSON.parse((await run(['list', '--json'], someLetters().letters)).said)).toEqual([letter]);
  });

  test('replays the given ids, or all, and reports unknown ones', async () => {
    const named = someLetters();
    expect(await run(['replay', 'l1', 'l2'], named.letters)).toEqual({
      exitCode: 1,
      said: 'l1 is on its way again.\nl2 is not there.',
    });
    expect(named.replayed).toEqual(['l1']);
    const all = someLetters([letter, { ...letter, id: 'l2' }]);
    expect((await run(['replay', '--all'], all.letters)).exitCode).toBe(0);
    expect(all.replayed).toEqual(['l1', 'l2']);
    expect((await run(['replay', '--all', '--owner', 'media'], all.letters)).said).toBe(
      'There are no dead letters.',
    );
  });

  test('discards the given ids, or all, and reports unknown ones', async () => {
    const named = someLetters();
    expect(await run(['discard', 'l1', 'l2'], named.letters)).toEqual({
      exitCode: 1,
      said: 'l1 is discarded.\nl2 is not there.',
    });
    expect([named.discarded, named.replayed]).toEqual([['l1'], []]);
    const all = someLetters([letter, { ...letter, id: 'l2', owner: 'media' }]);
    expect((await run(['discard', '--all', '--owner', 'media'], all.letters)).exitCode).toBe(0);
    expect(all.discarded).toEqual(['l2']);
  });
});
