import { expect, test } from '@jest/globals';
import { someEvent } from '../../testing/events.ts';
import { openGraveyard, toDeadLetter, toGrave, tombstone } from './dead-letters.ts';
import type { Incoming, Outgoing } from './messages.ts';

const now = new Date('2026-05-01T12:00:00.000Z');
const failed = (value: string): Incoming => ({
  topic: 'payment.failed',
  partition: 0,
  offset: 3,
  key: 'k',
  value,
  headers: {},
});

/** The dead-letter topics of a broker, in memory. */
function fakeLog() {
  const log: Incoming[] = [];
  let reads = 0;
  return {
    append({ topic, key, value }: Outgoing) {
      const offset = log.filter((it) => it.topic === topic).length;
      log.push({ topic, partition: 0, offset, key, value: value ?? undefined, headers: {} });
    },
    reads: () => reads,
    client: {
      topics: async () => ['payment.failed', 'media.dead-letters', 'orders.dead-letters'],
      spans: async (topics: readonly string[]) =>
        topics.map((topic) => ({
          topic,
          partition: 0,
          low: 0,
          high: log.filter((it) => it.topic === topic).length,
        })),
      async read(spans: readonly { topic: string }[]) {
        reads += spans.length;
        return log.filter(({ topic }) => spans.some((span) => span.topic === topic));
      },
    },
  };
}

test('a dead letter tells the event as it came, the reason and the time', async () => {
  const log = fakeLog();
  const event = someEvent();
  log.append(toGrave('media', failed(JSON.stringify(event)), new Error('cannot digest'), now));
  const [buried] = await openGraveyard(log.client).list('media');
  expect(toDeadLetter(buried!)).toEqual({
    id: expect.any(String),
    group: 'media',
    event,
    error: 'Error: cannot digest',
    failedAt: '2026-05-01T12:00:00.000Z',
  });
});

test('what is not JSON is told as text', async () => {
  const log = fakeLog();
  log.append(toGrave('media', failed('not { json'), new Error('not JSON'), now));
  expect((await openGraveyard(log.client).list()).map(toDeadLetter)).toMatchObject([{ event: 'not { json' }]);
});

test('those of all groups come oldest first, without those that were erased', async () => {
  const log = fakeLog();
  const graveyard = openGraveyard(log.client);
  const at = (second: number) => new Date(now.getTime() + second * 1_000);
  log.append(toGrave('orders', failed('b'), new Error('b'), at(2)));
  log.append(toGrave('media', failed('a'), new Error('a'), at(1)));
  log.append(toGrave('media', failed('c'), new Error('c'), at(3)));
  const all = await graveyard.list();
  expect(all.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
  log.append(tombstone(all[0]!));
  expect((await graveyard.list()).map(({ value }) => value)).toEqual(['b', 'c']);
  expect((await graveyard.list('media')).map(({ value }) => value)).toEqual(['c']);
});

test('what has not changed is not read again', async () => {
  const log = fakeLog();
  const graveyard = openGraveyard(log.client);
  log.append(toGrave('media', failed('a'), new Error('a'), now));
  await graveyard.list();
  const before = log.reads();
  expect(await graveyard.list('media')).toHaveLength(1);
  expect(log.reads()).toBe(before);
});
