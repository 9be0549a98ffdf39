import { describe, expect, test } from '@jest/globals';
import type { Commit, Incoming, Outgoing, Span } from '../adapters/kafka/client.ts';
import { all } from '../testing/all.ts';
import {
  type EventLine,
  ends,
  eventsOfKafka,
  marks,
  readEventLines,
  restoreEventsToKafka,
  type WaitingEvent,
} from './events.ts';
import { type Header, linesOf, openReader, readFrames, toFrame, withEnding } from './format.ts';

async function* each<T>(parts: readonly T[]) {
  yield* parts;
}

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('events of Kafka', () => {
  const span = (topic: string, low: number, high: number): Span => ({ topic, partition: 0, low, high });
  const at = (topic: string, offset: number): Commit => ({ topic, partition: 0, offset });

  const headersOf = (id: string, type: string, second: number) => ({
    ce_id: id,
    ce_type: type,
    ce_time: `2026-05-01T12:00:${String(second).padStart(2, '0')}.000Z`,
    ce_partitionkey: 'k',
    ce_sequence: '1',
    ce_dataschema: `urn:arboleda:event:${type}:1`,
  });
  type Messages = Record<string, { id?: string; type?: string; value?: string; key?: string }[]>;

  /** A fake broker. A message is an event of its topic's type, unless it says otherwise. */
  function aBroker(messages: Messages, commits: Record<string, Commit[]>) {
    return {
      topics: async () => Object.keys(messages),
      spans: async (topics: readonly string[]) =>
        topics.map((topic) => span(topic, 0, messages[topic]?.length ?? 0)),
      commits: async (group: string) => commits[group] ?? [],
      send: async () => undefined,
      read: async (wanted: readonly Span[]): Promise<Incoming[]> =>
        wanted.flatMap(({ topic, partition, low, high }) =>
          messages[topic]!.slice(low, high).map(({ id, type = topic, value = '{}', key = 'k' }, n) => ({
            topic,
            partition,
            offset: low + n,
            key,
            value,
            headers: id === undefined ? {} : headersOf(id, type, low + n),
          })),
        ),
    };
  }

  async function copied(messages: Messages, commits: Record<string, Commit[]>) {
    const broker = aBroker(messages, commits);
    const lines = await all(eventsOfKafka(broker, await marks(broker), await ends(broker)));
    const waiting = lines.filter((line): line is WaitingEvent => 'event' in line);
    return {
      waiting: waiting.map(({ event, groups }) => `${event.type} ${event.id}: ${groups.join(', ')}`),
      letters: lines.flatMap((line) => ('letter' in line ? [line.letter] : [])),
    };
  }

  const letter = (id: string, more: object = {}) => ({
    key: `letter of ${id}`,
    value: JSON.stringify({
      key: 'k',
      value: '{}',
      headers: headersOf(id, 'payment.succeeded', 0),
      error: 'no room',
      failedAt: '2026-05-01T12:00:00.000Z',
      ...more,
    }),
  });

  test('are those that a group had not handled at the marks, with the groups', async () => {
    const found = await copied(
      {
        'order.created': [{ id: 'c0' }, { id: 'c1' }, { id: 'c2' }],
        'payment.succeeded': [{ id: 'p0' }, { id: 'p1' }],
        // Nobody listens.
        'photo.uploaded': [{ id: 'u0' }],
        'orders.retry.soon': [
          { id: 'before', type: 'payment.succeeded' },
          { id: 'again', type: 'payment.succeeded' },
        ],
        'somebody.elses': [{ id: 'x' }],
      },
      {
        orders: [at('payment.succeeded', 1), at('orders.retry.soon', 1)],
        assignments: [at('order.created', 2)],
        notifications: [at('order.created', 1), at('payment.succeeded', 2)],
      },
    );
    expect(found.waiting.sort()).toEqual([
      'order.created c1: notifications',
      'order.created c2: assignments, notifications',
      'payment.succeeded again: orders',
      'payment.succeeded p1: orders',
    ]);
  });

  test('that were given up are kept, unless their group gets them again', async () => {
    const found = await copied(
      {
        'payment.succeeded': [{ id: 'one' }],
        'orders.dead-letters': [
          letter('one'),
          letter('before'),
          letter('later', { place: { topic: 'payment.succeeded', partition: 0, offset: 7 } }),
        ],
        'media.dead-letters': [letter('one')],
      },
      { orders: [at('payment.succeeded', 0)] },
    );
    expect(found.waiting).toEqual(['payment.succeeded one: orders']);
    expect(found.letters.map(({ id, owner, error, key }) => [id, owner, error, key])).toEqual([
      ['letter of before', 'orders', 'no room', 'k'],
      ['letter of one', 'media', 'no room', 'k'],
    ]);
  });

  function anEmptyBroker(high = 0) {
    const sent: Outgoing[] = [];
    const steps: string[] = [];
    return {
      sent,
      steps,
      ensureTopics: async () => undefined,
      spans: async (topics: readonly string[]) => topics.map((topic) => span(topic, 0, high)),
      join: async ({ group }: { group: string }) => ({
        commit: async (places: readonly Commit[]) =>
          void steps.push(`${group} begins at ${Math.max(...places.map(({ offset }) => offset))}`),
        leave: async () => undefined,
      }),
      send: async (messages: readonly Outgoing[]) => {
        steps.push('sent');
        sent.push(...messages);
      },
    };
  }
  const client = (broker: ReturnType<typeof anEmptyBroker>) =>
    broker as unknown as Parameters<typeof restoreEventsToKafka>[0];
  const event = {
    id: 'one',
    type: 'payment.succeeded',
    version: 1,
    occurredAt: '2026-05-01T12:00:00.000Z',
    key: 'k',
    sequence: 3,
    correlationId: 'c',
    data: { orderId: 'o' },
  };

  test('are published after every group stands at the beginning, and keep their dead letters', async () => {
    const broker = anEmptyBroker();
    const lines = [
      { event, groups: ['orders'] },
      {
        letter: {
          id: 'l1',
          kind: 'event' as const,
          owner: 'orders',
          task: 'payment.succeeded',
          key: 'k',
          payload: event,
          error: 'no room',
          failedAt: '2026-05-01 07:00:00.123456-05',
        },
      },
      {
        letter: {
          id: 'l2',
          kind: 'event' as const,
          owner: 'orders',
          task: 'payment.succeeded',
          key: 'k',
          payload: { id: 'two', type: 'payment.succeeded' },
          error: 'no data',
          failedAt: '2026-05-01T12:00:00.000Z',
        },
      },
    ];
    await restoreEventsToKafka(client(broker), 3, each(lines));
    expect(broker.steps.at(-1)).toBe('sent');
    expect(broker.steps.slice(0, -1).sort()).toEqual([
      'assignments begins at 0',
      'notifications begins at 0',
      'orders begins at 0',
      'payments begins at 0',
    ]);
    expect(broker.sent[0]).toMatchObject({ topic: 'payment.succeeded', key: 'k', value: '{"orderId":"o"}' });
    expect(broker.sent[0]!.headers).toMatchObject({ ce_id: 'one', ce_sequence: '3' });
    expect(broker.sent[1]).toMatchObject({ topic: 'orders.dead-letters', key: 'l1' });
    expect(JSON.parse(broker.sent[1]!.value!)).toMatchObject({
      key: 'k',
      value: '{"orderId":"o"}',
      error: 'no room',
      failedAt: '2026-05-01T12:00:00.123Z',
    });
    expect(JSON.parse(broker.sent[2]!.value!)).toMatchObject({
      headers: { ce_type: 'payment.succeeded' },
      value: 'null',
    });
  });

  test('wait for a broker that has just started', async () => {
    const broker = anEmptyBroker();
    let refusals = 2;
    const young = {
      ...broker,
      join: async (member: { group: string }) => {
        if (refusals-- > 0) throw new Error('The coordinator is loading');
        return broker.join(member);
      },
    };
    await restoreEventsToKafka(client(young as typeof broker), 3, each([]), 1);
    expect(broker.steps).toHaveLength(4);
  });

  test('are refused by a Kafka that already holds events', async () => {
    const broker = anEmptyBroker(2);
    await expect(restoreEventsToKafka(client(broker), 3, each([]))).rejects.toThrow('Kafka is not empty');
    expect(broker.sent).toEqual([]);
  });

  test.each<[string, EventLine[], string]>([
    ['no last line', [{ event, groups: [] }], 'break off'],
    ['a line too few', [{ end: 1 }], '0 of 1'],
  ])('with %s are no whole events', async (_what, lines, says) => {
    const texts = lines.map((line) => JSON.stringify(line));
    await expect(all(readEventLines(each(texts)))).rejects.toThrow(says);
  });
});

describe('frames', () => {
  const frames: [Header, Buffer][] = [
    [{ kind: 'object', key: 'a/b.jpg', contentType: 'image/jpeg' }, Buffer.from('one\ntwo\n{"end":')],
    [{ kind: 'sequence', name: 'orders.n', last: '9' }, Buffer.alloc(0)],
    [{ kind: 'rows', table: 'orders.orders', columns: 'id' }, Buffer.alloc(5_000, 10)],
  ];
  const whole = async () =>
    Buffer.concat(await all(withEnding(each(frames.map(([header, bytes]) => toFrame(header, bytes))))));

  test.each([1, 7, 100_000])('are read as they were written, in chunks of %d bytes', async (size) => {
    const found = await all(readFrames(inPieces(await whole(), size)));
    expect(found.map(({ header, bytes }) => [header, Buffer.from(bytes)])).toEqual(frames);
  });

  test('that end before the last one, or are fewer, are no whole backup', async () => {
    const bytes = await whole();
    const first = toFrame(...frames[0]!);
    for (const length of [0, 5, first.length, first.length - 1, bytes.length - 2])
      await expect(all(readFrames(inPieces(bytes.subarray(0, length), 64)))).rejects.toThrow('breaks off');
    await expect(all(readFrames(inPieces(bytes.subarray(first.length), 64)))).rejects.toThrow('2 of 3 parts');
  });

  test('may follow lines', async () => {
    const reader = openReader(each([Buffer.from('begin\ncopy\nres'), Buffer.from('t')]));
    expect([await reader.line(), await reader.line()]).toEqual(['begin', 'copy']);
    expect(Buffer.concat(await all(reader.rest())).toString()).toBe('rest');
  });
});

describe('lines', () => {
  test.each([1, 3, 1_000])('end at line feeds only, in chunks of %d bytes', async (size) => {
    const bytes = Buffer.from('{"a":"ñ\u2028x\r"}\n\nlast');
    expect(await all(linesOf(inPieces(bytes, size)))).toEqual(['{"a":"ñ\u2028x\r"}', '', 'last']);
  });
});
