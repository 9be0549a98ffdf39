import { fromCloudEvent, toCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import { type ArboledaEvent, EVENTS } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { EventHandlers } from '../../ports/event-bus.ts';
import { someEvent } from '../../testing/events.ts';
import type { Incoming, Outgoing } from './client.ts';
import { dueAt, openDeadLetters, openHandling } from './retries-and-dead-letters.ts';
import { eventTopics, groupTopics, isRetryTopic } from './topics.ts';

describe('topics', () => {
  test('of events are named after their types and keep them for a month', () => {
    const topics = eventTopics(6);
    expect(topics.map(({ topic }) => topic).sort()).toEqual(Object.keys(EVENTS).sort());
    expect(topics[0]).toMatchObject({ partitions: 6, settings: { 'retention.ms': '2592000000' } });
  });

  test('of a group have few partitions, and dead letters stay in one partition until they are deleted', () => {
    expect(groupTopics('orders', 12)).toMatchObject([
      { topic: 'orders.retry.soon', partitions: 3 },
      { topic: 'orders.retry.later', partitions: 3 },
      { topic: 'orders.dead-letters', partitions: 1, settings: { 'cleanup.policy': 'compact' } },
    ]);
  });

  test('of a group differ from those of a group with a longer name', () => {
    expect(isRetryTopic('orders', 'orders.retry.soon')).toBe(true);
    expect(isRetryTopic('orders', 'orders-archive.retry.soon')).toBe(false);
    expect(isRetryTopic('orders', 'order.created')).toBe(false);
  });
});

const incoming = (value: string | undefined, more: Partial<Incoming> = {}): Incoming => ({
  topic: 'payment.failed',
  partition: 0,
  offset: 3,
  key: 'k',
  value,
  headers: {},
  ...more,
});

/** An event as it comes from a topic. */
const incomingEvent = (event: ArboledaEvent, { headers, ...more }: Partial<Incoming> = {}): Incoming => {
  const message = toCloudEvent(event);
  return incoming(message.value, { ...more, headers: { ...message.headers, ...headers } });
};

function opened(handlers: EventHandlers, failures = 0) {
  const sent: Outgoing[] = [];
  const stop = new AbortController();
  let refuse = failures;
  const { handle, storeDeadLetter } = openHandling({
    group: 'media',
    handlers,
    client: {
      async send(messages) {
        if (refuse-- > 0) throw new Error('away');
        sent.push(...messages);
      },
    },
    retries: { maxAttempts: 2, delaysMs: [60_000], maxDelayMs: 60_000 },
    logger: pino({ level: 'silent' }),
    signal: stop.signal,
  });
  return { handle, storeDeadLetter, sent, stop };
}

const failing: EventHandlers = { 'payment.failed': () => Promise.reject(new Error('not yet')) };

describe('an event that a group cannot handle', () => {
  test('is stored unchanged until its retry is due', async () => {
    const { handle, sent } = opened(failing);
    const known = someEvent();
    const event = { ...known, data: { ...known.data, more: 'a field of a later version' } };
    const before = Date.now();
    await handle(incomingEvent(event, { headers: { ce_later: 'an attribute of a later version' } }));
    expect(sent).toMatchObject([
      { topic: 'media.retry.later', key: 'k', headers: { failed: '1', ce_later: expect.any(String) } },
    ]);
    const { value, headers = {} } = sent[0]!;
    expect(fromCloudEvent({ headers, value: value! })).toEqual(event);
    expect(dueAt(incoming(value!, { headers }))).toBeGreaterThanOrEqual(before + 60_000);
  });

  test('becomes a dead letter after the last attempt', async () => {
    const { handle, sent } = opened(failing);
    const message = incomingEvent(someEvent(), { topic: 'media.retry.later', headers: { failed: '1' } });
    await handle(message);
    expect(sent).toMatchObject([{ topic: 'media.dead-letters' }]);
    const { value, headers } = message;
    expect(JSON.parse(sent[0]!.value!)).toMatchObject({ key: 'k', value, headers, error: 'Error: not yet' });
  });

  test('is stored as soon as the broker takes it, and never dropped', async () => {
    const { handle, sent } = opened(failing, 1);
    await handle(incomingEvent(someEvent()));
    expect(sent).toHaveLength(1);
  });

  test('is delivered again when the process stops before it is stored', async () => {
    const { handle, sent, stop } = opened(failing, Infinity);
    const handling = handle(incomingEvent(someEvent()));
    stop.abort();
    await expect(handling).rejects.toThrow();
    expect(sent).toEqual([]);
  });
});

test('an event in a retry topic is handled, unless its type is no longer subscribed', async () => {
  const received: string[] = [];
  const interested = opened({ 'payment.failed': async ({ id }) => void received.push(id) });
  const indifferent = opened({});
  const event = someEvent();
  const waited = incomingEvent(event, { topic: 'media.retry.soon' });
  await interested.handle(waited);
  await indifferent.handle(waited);
  expect(received).toEqual([event.id]);
  expect([...interested.sent, ...indifferent.sent]).toEqual([]);
});

test('an event in the topic of another type is not handled', async () => {
  const received: string[] = [];
  const { handle, sent } = opened({ 'payment.failed': async ({ id }) => void received.push(id) });
  await handle(incomingEvent(someEvent(), { topic: 'order.created', headers: { failed: '1' } }));
  expect(JSON.parse(sent[0]!.value!)).toMatchObject({
    error: expect.stringContaining('does not belong in order.created'),
  });
  expect(received).toEqual([]);
});

describe('dead letters', () => {
  /** A fake log of dead-letter topics. */
  function aLog() {
    const log: Incoming[] = [];
    let reads = 0;
    const highOf = (topic: string) => log.filter((it) => it.topic === topic).length;
    const send = async (messages: readonly Outgoing[]) => {
      for (const { topic, key, value, headers = {} } of messages)
        log.push({ topic, partition: 0, offset: highOf(topic), key, value: value ?? undefined, headers });
    };
    const client = {
      topics: async () => ['payment.failed', 'media.dead-letters', 'orders.dead-letters'],
      spans: async (topics: readonly string[]) =>
        topics.map((topic) => ({ topic, partition: 0, low: 0, high: highOf(topic) })),
      async read(spans: readonly { topic: string }[]) {
        reads += spans.length;
        return log.filter(({ topic }) => spans.some((span) => span.topic === topic));
      },
      send,
    };
    const storeDeadLetter = async (group: string, message: Incoming, error: string) => {
      const { storeDeadLetter: keep } = openHandling({
        group,
        handlers: {},
        client,
        retries: { maxAttempts: 1, delaysMs: [], maxDelayMs: 0 },
        logger: pino({ level: 'silent' }),
        signal: new AbortController().signal,
      });
      await keep(message, new Error(error));
    };
    return { log, storeDeadLetter, reads: () => reads, letters: openDeadLetters(client) };
  }

  test('contain the original event, the reason, the time and the place', async () => {
    const { letters, storeDeadLetter } = aLog();
    const event = someEvent();
    await storeDeadLetter('media', incomingEvent(event), 'cannot digest');
    expect(await letters.list('media')).toEqual([
      {
        id: expect.any(String),
        group: 'media',
        event,
        error: 'Error: cannot digest',
        failedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        place: { topic: 'payment.failed', partition: 0, offset: 3 },
      },
    ]);
  });

  test('contain invalid JSON as text', async () => {
    const { letters, storeDeadLetter } = aLog();
    await storeDeadLetter('media', incoming('not { json'), 'not JSON');
    expect(await letters.list()).toMatchObject([{ event: 'not { json' }]);
  });

  test('are listed for all groups without discarded ones, and read again only after a change', async () => {
    const { letters, storeDeadLetter, reads } = aLog();
    await storeDeadLetter('orders', incoming('not { a'), 'a');
    await storeDeadLetter('media', incoming('not { b'), 'b');
    const both = await letters.list();
    expect(both.map(({ event }) => event).sort()).toEqual(['not { a', 'not { b']);
    const before = reads();
    const [own] = await letters.list('media');
    expect(reads()).toBe(before);
    expect([await letters.discard(own!.id), await letters.discard(own!.id)]).toEqual([true, false]);
    expect(await letters.list()).toEqual(both.filter(({ group }) => group === 'orders'));
  });

  test('are sent to their group again at once, with all attempts, when replayed', async () => {
    const { letters, storeDeadLetter, log } = aLog();
    const message = incomingEvent(someEvent());
    await storeDeadLetter('media', message, 'a');
    const [letter] = await letters.list();
    expect(await letters.replay(letter!.id)).toBe(true);
    const again = log.find(({ topic }) => topic === 'media.retry.soon')!;
    expect(again).toMatchObject({
      key: 'k',
      value: message.value,
      headers: { ...message.headers, failed: '0' },
    });
    expect(dueAt(again)).toBeLessThanOrEqual(Date.now());
    expect(await letters.list()).toEqual([]);
    expect(await letters.replay(letter!.id)).toBe(false);
  });
});
