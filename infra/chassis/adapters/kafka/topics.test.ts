import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { openCaution } from '../../caution.ts';
import { EVENT_RETRIES } from '../../retry.ts';
import { freePort } from '../../testing/free-port.ts';
import { waitFor } from '../../testing/wait.ts';
import type { KafkaClient, Member, MemberOptions } from './client.ts';
import { openConnections } from './connections.ts';
import { openGroup } from './group.ts';
import type { Commit, Incoming, Place, Span } from './messages.ts';
import { renewable, within } from './renewable.ts';
import { lagOf, startingPoints } from './starting-points.ts';
import { deadLetterTopic, eventTopics, groupsOf, groupTopics, isRetryTopic, retryTopic } from './topics.ts';

test('every type of event has a topic of its name that keeps it for a month', () => {
  const topics = eventTopics(6);
  expect(topics.map(({ topic }) => topic).sort()).toEqual(Object.keys(EVENTS).sort());
  expect(topics[0]).toMatchObject({ partitions: 6, settings: { 'retention.ms': '2592000000' } });
});

describe('the topics in which a group waits', () => {
  test.each([
    [0, '1s'],
    [50, '1s'],
    [1_000, '1s'],
    [1_001, '10s'],
    [8_000, '10s'],
    [64_000, '100s'],
    [300_000, '1000s'],
  ])('%i ms are spent in the one of %s', (delayMs, tier) => {
    expect(retryTopic('orders', delayMs)).toBe(`orders.retry.${tier}`);
  });

  test('are few, and there is one for every delay', () => {
    const topics = groupTopics('orders', EVENT_RETRIES, 12).map(({ topic }) => topic);
    expect(topics).toEqual([
      'orders.retry.1s',
      'orders.retry.10s',
      'orders.retry.100s',
      'orders.retry.1000s',
      'orders.dead-letters',
    ]);
  });

  test('exist even when nothing is tried twice: a dead letter that is replayed needs one', () => {
    const topics = groupTopics('orders', { maxAttempts: 1, delaysMs: [], maxDelayMs: 0 }, 2);
    expect(topics.map(({ topic }) => topic)).toEqual(['orders.retry.1s', 'orders.dead-letters']);
  });

  test('are not those of a group with a longer name', () => {
    expect(isRetryTopic('orders', 'orders.retry.1s')).toBe(true);
    expect(isRetryTopic('orders', 'orders-archive.retry.1s')).toBe(false);
    expect(isRetryTopic('orders', 'order.created')).toBe(false);
  });
});

test('dead letters stay until they are erased, in one partition, which keeps their order', () => {
  const graves = groupTopics('orders', EVENT_RETRIES, 12).find(
    ({ topic }) => topic === deadLetterTopic('orders'),
  );
  expect(graves).toMatchObject({ partitions: 1, settings: { 'cleanup.policy': 'compact' } });
});

test('the groups are known by their dead letters', () => {
  expect(groupsOf(['order.created', 'orders.dead-letters', 'media.retry.1s', 'media.dead-letters'])).toEqual([
    'orders',
    'media',
  ]);
});

const span = (topic: string, partition: number, low: number, high: number): Span => ({
  topic,
  partition,
  low,
  high,
});

const clientOf = (spans: Span[], commits: Commit[]) => ({
  spans: async (topics: readonly string[]) => spans.filter(({ topic }) => topics.includes(topic)),
  commits: async () => commits,
});

test('a group begins at the end of a topic that is new to it', async () => {
  const client = clientOf([span('order.created', 0, 3, 9)], []);
  expect(await startingPoints(client, 'media', ['order.created'])).toEqual({
    begun: [{ topic: 'order.created', partition: 0, offset: 9 }],
    left: [],
  });
});

test('but at the beginning of a partition that its topic was given later', async () => {
  const client = clientOf(
    [span('order.created', 0, 3, 9), span('order.created', 1, 0, 4)],
    [{ topic: 'order.created', partition: 0, offset: 5 }],
  );
  const { begun } = await startingPoints(client, 'media', ['order.created']);
  expect(begun).toEqual([{ topic: 'order.created', partition: 1, offset: 0 }]);
});

test('and at the beginning of what it put aside itself', async () => {
  const client = clientOf([span('media.retry.1s', 0, 2, 8)], []);
  const { begun } = await startingPoints(client, 'media', ['media.retry.1s']);
  expect(begun).toEqual([{ topic: 'media.retry.1s', partition: 0, offset: 2 }]);
});

test('a topic it does not ask for any more is left, and begun anew when it asks again', async () => {
  const spans = [span('order.created', 0, 0, 9), span('order.planted', 0, 0, 7)];
  const before: Commit[] = [
    { topic: 'order.created', partition: 0, offset: 5 },
    { topic: 'media.retry.1s', partition: 0, offset: 1 },
  ];
  const { left } = await startingPoints(clientOf(spans, before), 'media', ['order.planted']);
  expect(left).toEqual([{ topic: 'order.created', partition: 0, offset: 5, left: true }]);

  const again = await startingPoints(clientOf(spans, left), 'media', ['order.created']);
  expect(again).toEqual({ begun: [{ topic: 'order.created', partition: 0, offset: 9 }], left: [] });
});

test('the ends are asked for before what is committed: what comes in between must not be skipped', async () => {
  const asked: string[] = [];
  await startingPoints(
    {
      spans: async () => (asked.push('spans'), []),
      commits: async () => (asked.push('commits'), []),
    },
    'media',
    [],
  );
  expect(asked).toEqual(['spans', 'commits']);
});

test('what waits lies between where the group is and the end, without what was left or is no longer kept', async () => {
  const client = clientOf(
    [span('a', 0, 0, 10), span('a', 1, 6, 10), span('b', 0, 0, 50)],
    [
      { topic: 'a', partition: 0, offset: 7 },
      { topic: 'a', partition: 1, offset: 2 },
      { topic: 'b', partition: 0, offset: 0, left: true },
    ],
  );
  expect(await lagOf(client, 'media')).toBe(3 + 4);
});

const place: Place = { topic: 'order.created', partition: 0 };

const message = (offset: number): Incoming => ({ ...place, offset, key: 'k', value: '', headers: {} });

/** A broker with one partition, whose readers a test can crash. */
function fakeClient(refusals = 0) {
  const readers: MemberOptions[] = [];
  const committed: Commit[] = [];
  const said: string[] = [];
  let refuse = refusals;
  const client: Pick<KafkaClient, 'join' | 'spans' | 'commits'> = {
    spans: async () => [{ ...place, low: 0, high: 7 }],
    commits: async () => committed.slice(-1),
    async join(options) {
      if (refuse-- > 0) throw new Error('the coordinator is loading');
      readers.push(options);
      options.assigned([place]);
      const member: Member = {
        begin: () => void said.push('begin'),
        seek: (commits) => commits.forEach(({ offset }) => said.push(`seek ${offset}`)),
        pause: () => undefined,
        resume: () => undefined,
        commit: async (commits) => void committed.push(...commits),
        leave: async () => void said.push('leave'),
      };
      return member;
    },
  };
  return { client, readers, committed, said, refuseOnce: () => (refuse = 1) };
}

async function joined(fake: ReturnType<typeof fakeClient>) {
  const handled: number[] = [];
  const group = await openGroup({
    client: fake.client,
    group: 'media',
    topics: [place.topic],
    logger: pino({ level: 'silent' }),
    handle: async ({ offset }) => void handled.push(offset),
    bury: async () => undefined,
    caution: openCaution(),
    dueAt: () => 0,
    atOnce: 4,
    stopWithinMs: 1_000,
  });
  return { group, handled };
}

test('a new group writes down where it begins before it reads', async () => {
  const fake = fakeClient();
  const { group } = await joined(fake);
  expect(fake.committed).toEqual([{ ...place, offset: 7 }]);
  expect(fake.said).toEqual(['seek 7', 'begin']);
  await group.close();
});

test('what is done is committed soon, and what was done last on closing', async () => {
  const fake = fakeClient();
  const { group, handled } = await joined(fake);
  fake.readers[0]!.take(place, [message(7)]);
  await waitFor(() => fake.committed.some(({ offset }) => offset === 8));
  fake.readers[0]!.take(place, [message(8)]);
  await group.close();
  expect(handled).toEqual([7, 8]);
  expect(fake.committed.at(-1)).toEqual({ ...place, offset: 9 });
  expect(fake.said.at(-1)).toBe('leave');
});

test('a broker that is not ready yet is asked again', async () => {
  const fake = fakeClient(2);
  const { group } = await joined(fake);
  expect(() => group.check()).not.toThrow();
  await group.close();
});

test('a crashed reader is replaced, however often that takes, and said to be missing meanwhile', async () => {
  const fake = fakeClient();
  const { group, handled } = await joined(fake);
  fake.refuseOnce();
  fake.readers[0]!.crashed(new Error('no broker'));
  expect(() => group.check()).toThrow('"media" reads nothing: no broker');
  await waitFor(() => fake.readers.length === 2);
  await waitFor(() => {
    group.check();
    return true;
  });
  fake.readers[1]!.take(place, [message(7)]);
  await waitFor(() => handled.includes(7));
  await group.close();
});

test('a reader that crashes after closing is not replaced', async () => {
  const fake = fakeClient();
  const { group } = await joined(fake);
  await group.close();
  fake.readers[0]!.crashed(new Error('late'));
  expect(fake.readers).toHaveLength(1);
  expect(() => group.check()).not.toThrow();
});

function counted() {
  const shut: number[] = [];
  let opened = 0;
  const it = renewable(async () => {
    const mine = ++opened;
    return { it: mine, shut: async () => void shut.push(mine) };
  });
  return { it, shut };
}

test('what works is opened once', async () => {
  const { it, shut } = counted();
  expect(await it.use(1_000, async (n) => n)).toBe(1);
  expect(await it.use(1_000, async (n) => n)).toBe(1);
  await it.close();
  expect(shut).toEqual([1]);
});

test('after a failure the next use gets another, and the broken one is shut', async () => {
  const { it, shut } = counted();
  const broken = it.use(1_000, () => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
  expect(await it.use(1_000, async (n) => n)).toBe(2);
  expect(shut).toEqual([1]);
});

test('two that fail on the same one do not shut its successor', async () => {
  const { it, shut } = counted();
  const fail = () => it.use(1_000, () => Promise.reject(new Error('broken')));
  await Promise.allSettled([fail(), fail()]);
  expect(await it.use(1_000, async (n) => n)).toBe(2);
  expect(shut).toEqual([1]);
});

test('what cannot be opened is tried again at the next use', async () => {
  let tries = 0;
  const it = renewable(async () => {
    if (++tries === 1) throw new Error('away');
    return { it: 'here', shut: async () => undefined };
  });
  await expect(it.use(1_000, async (found) => found)).rejects.toThrow('away');
  expect(await it.use(1_000, async (found) => found)).toBe('here');
});

test('one that does not answer is given up', async () => {
  const { it } = counted();
  await expect(it.use(5, () => new Promise(() => undefined))).rejects.toThrow('no answer within 5 ms');
  expect(await it.use(1_000, async (n) => n)).toBe(2);
});

test('a closed one is not opened again', async () => {
  const { it, shut } = counted();
  await it.close();
  await expect(it.use(1_000, async (n) => n)).rejects.toThrow('closed');
  expect(shut).toEqual([]);
});

test('work that is done in time is passed on', async () => {
  expect(await within(1_000, Promise.resolve('done'))).toBe('done');
});

test('a client that still tries to connect gives up at the end, and opens no other connection', async () => {
  // Where nobody listens.
  const { end, brokers, socketFactory } = openConnections([`127.0.0.1:${await freePort()}`]);
  let opened = 0;
  const counted: typeof socketFactory = (to) => {
    const socket = socketFactory(to);
    opened++;
    return socket;
  };
  const retry = { initialRetryTime: 10, maxRetryTime: 10, retries: 10_000 };
  const kafka = new Kafka({ brokers, socketFactory: counted, retry, logLevel: logLevel.NOTHING });
  const failure = kafka.admin().connect().catch((error: unknown) => error); // prettier-ignore
  await waitFor(() => opened >= 3);
  end();
  const before = opened;
  expect(await failure).toBeInstanceOf(Error);
  expect(opened).toBe(before);
});
