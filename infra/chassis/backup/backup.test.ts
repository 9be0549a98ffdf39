import { describe, expect, test } from '@jest/globals';
import type { Commit, Incoming, Outgoing, Span } from '../adapters/kafka/client.ts';
import { all } from '../testing/all.ts';
import { dumpEvents, marks, restoreEvents } from './events.ts';
import { linesOf, readFrames, toFrame, toLastFrame } from './format.ts';

describe('events', () => {
  const span = (topic: string, low: number, high: number): Span => ({ topic, partition: 0, low, high });

  const at = (topic: string, offset: number): Commit => ({ topic, partition: 0, offset });

  /** A fake broker whose messages are named after their topic, partition and offset. */
  function aBroker(spans: Span[], commits: Record<string, Commit[]>) {
    return {
      topics: async () => spans.map(({ topic }) => topic),
      spans: async (topics: readonly string[]) => spans.filter(({ topic }) => topics.includes(topic)),
      commits: async (group: string) => commits[group] ?? [],
      read: async (wanted: readonly Span[]): Promise<Incoming[]> =>
        wanted.flatMap(({ topic, partition, low, high }) =>
          Array.from({ length: high - low }, (_, n) => ({
            topic,
            partition,
            offset: low + n,
            key: 'k',
            value: `${topic} ${low + n}`,
            headers: { due: '7' },
          })),
        ),
    };
  }

  const spans = [
    span('order.created', 0, 5),
    span('payment.succeeded', 2, 4),
    span('photo.uploaded', 0, 3),
    span('orders.retry.soon', 0, 2),
    span('orders.dead-letters', 0, 1),
    span('somebody.elses', 0, 9),
  ];

  const commits = {
    orders: [at('payment.succeeded', 3), at('orders.retry.soon', 1)],
    assignments: [at('order.created', 4)],
    notifications: [at('order.created', 3), at('payment.succeeded', 4)],
  };

  test('dumps subscriptions, and all events that were unhandled at the start', async () => {
    const broker = aBroker(spans, commits);
    const lines = await all(dumpEvents(broker, await marks(broker)));
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.filter(({ group }) => group)).toEqual([
      { group: 'assignments', topics: ['order.created'] },
      { group: 'notifications', topics: ['order.created', 'payment.succeeded'] },
      { group: 'orders', topics: ['payment.succeeded'] },
    ]);
    const messages = parsed.filter(({ topic }) => topic);
    expect(messages.map(({ value }) => value).sort()).toEqual([
      'order.created 3',
      'order.created 4',
      'orders.dead-letters 0',
      'orders.retry.soon 1',
      'payment.succeeded 3',
    ]);
    expect(messages[0]).toMatchObject({ key: 'k', headers: { due: '7' } });
    expect(parsed.at(-1)).toEqual({ end: { messages: 5 } });
  });

  test('drops retries and dead letters of events that their group gets again', async () => {
    const event = (id: string) => JSON.stringify({ id, type: 'payment.succeeded' });
    const buried = (id: string) => JSON.stringify({ key: 'k', value: event(id), error: 'e', failedAt: 'f' });
    const values: Record<string, string[]> = {
      'payment.succeeded': [event('one'), event('two')],
      'orders.retry.soon': [event('one'), event('before')],
      'orders.dead-letters': [buried('two'), buried('before'), buried('one'), 'no JSON', 'null'],
      // The group does not subscribe to payments, so it gets the event only as a dead letter.
      'media.dead-letters': [buried('two')],
    };
    const broker = {
      ...aBroker(
        Object.entries(values).map(([topic, { length }]) => span(topic, 0, length)),
        { orders: [at('payment.succeeded', 2)], notifications: [at('payment.succeeded', 0)] },
      ),
      read: async (wanted: readonly Span[]): Promise<Incoming[]> =>
        wanted.flatMap(({ topic, partition }) =>
          values[topic]!.map((value, offset) => ({ topic, partition, offset, key: 'k', value, headers: {} })),
        ),
    };
    const lines = await all(dumpEvents(broker, await marks(broker)));
    const kept = lines
      .map((line) => JSON.parse(line) as { topic?: string; value: string })
      .filter(({ topic }) => topic !== undefined)
      .map(({ topic, value }) => `${topic} ${value}`);
    const expected = [
      `media.dead-letters ${buried('two')}`,
      `orders.dead-letters ${buried('before')}`,
      'orders.dead-letters no JSON',
      'orders.dead-letters null',
      `orders.retry.soon ${event('before')}`,
      `payment.succeeded ${event('one')}`,
      `payment.succeeded ${event('two')}`,
    ];
    expect(kept.sort()).toEqual(expected.sort());
  });

  function anEmptyBroker(high = 0) {
    const sent: Outgoing[] = [];
    const said: string[] = [];
    let made: string[] = [];
    return {
      sent,
      said,
      ensureTopics: async (specs: readonly { topic: string }[]) =>
        void (made = [...made, ...specs.map(({ topic }) => topic)]),
      spans: async (topics: readonly string[]) =>
        topics.filter((topic) => made.includes(topic)).map((topic) => span(topic, 0, high)),
      join: async ({ group }: { group: string }) => ({
        commit: async (places: readonly Commit[]) =>
          void places.forEach(({ topic, offset }) => said.push(`${group} ${topic} ${offset}`)),
        leave: async () => void said.push(`${group} leaves`),
      }),
      send: async (messages: readonly Outgoing[]) => {
        said.push(`${messages.length} sent`);
        sent.push(...messages);
      },
    };
  }

  const client = (broker: ReturnType<typeof anEmptyBroker>) =>
    broker as unknown as Parameters<typeof restoreEvents>[0];

  async function* linesOf(...lines: object[]) {
    for (const line of lines) yield JSON.stringify(line);
  }

  test('commits every group at the beginning before it sends anything', async () => {
    const broker = anEmptyBroker();
    const message = { topic: 'payment.succeeded', key: 'k', value: 'v', headers: {} };
    await restoreEvents(
      client(broker),
      3,
      linesOf({ group: 'orders', topics: ['payment.succeeded'] }, message, { end: { messages: 1 } }),
    );
    expect(broker.said).toEqual(['orders payment.succeeded 0', 'orders leaves', '1 sent']);
    expect(broker.sent).toEqual([message]);
  });

  test('retries a broker that has just started', async () => {
    const broker = anEmptyBroker();
    let refusals = 2;
    const young = {
      ...broker,
      join: async (member: { group: string }) => {
        if (refusals-- > 0) throw new Error('The coordinator is loading');
        return broker.join(member);
      },
    };
    const lines = linesOf({ group: 'orders', topics: ['payment.succeeded'] }, { end: { messages: 0 } });
    await restoreEvents(client(young as typeof broker), 3, lines, 1);
    expect(broker.said).toEqual(['orders payment.succeeded 0', 'orders leaves']);
  });

  test.each([
    ['no last line', [{ topic: 'payment.succeeded', key: 'k', value: 'v', headers: {} }]],
    ['a message too few', [{ end: { messages: 1 } }]],
  ])('rejects events with %s as incomplete', async (_what, lines) => {
    await expect(restoreEvents(client(anEmptyBroker()), 3, linesOf(...lines))).rejects.toThrow(
      /^the events (break off|are not whole)/,
    );
  });

  test('rejects a Kafka that already holds events', async () => {
    const broker = anEmptyBroker(2);
    await expect(restoreEvents(client(broker), 3, linesOf())).rejects.toThrow('Kafka is not empty');
    expect(broker.sent).toEqual([]);
  });
});

describe('frames', () => {
  const objects = [
    { key: 'a/b.jpg', contentType: 'image/jpeg', bytes: Buffer.from('one\ntwo\n{"key":') },
    { key: 'leer', contentType: 'text/plain', bytes: Buffer.alloc(0) },
    { key: 'c', contentType: 'image/png', bytes: Buffer.alloc(5_000, 10) },
  ];

  async function* inPieces(bytes: Uint8Array, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  const whole = (count: number) => Buffer.concat([...objects.map(toFrame), toLastFrame({ objects: count })]);

  test.each([1, 7, 100_000])('reads objects as they were written, in chunks of %d bytes', async (size) => {
    const found = await all(readFrames(inPieces(whole(objects.length), size)));
    expect(
      found.map(({ key, contentType, bytes }) => ({ key, contentType, bytes: Buffer.from(bytes) })),
    ).toEqual(objects);
  });

  test('rejects a stream that ends before its last line', async () => {
    const bytes = whole(objects.length);
    const afterFirst = toFrame(objects[0]!).length;
    for (const length of [0, 5, afterFirst, afterFirst - 1, bytes.length - 2])
      await expect(all(readFrames(inPieces(bytes.subarray(0, length), 64)))).rejects.toThrow('break off');
    await expect(all(readFrames(inPieces(whole(4), 64)))).rejects.toThrow('3 of 4 objects came');
  });
});

describe('lines', () => {
  async function* inPieces(text: string, size: number) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  test.each([1, 3, 1_000])('splits at line feeds only, in chunks of %d bytes', async (size) => {
    expect(await all(linesOf(inPieces('{"a":"ñ\u2028x\r"}\n\nlast', size)))).toEqual([
      '{"a":"ñ\u2028x\r"}',
      '',
      'last',
    ]);
    expect(await all(linesOf(inPieces('one\n', size)))).toEqual(['one']);
  });
});
