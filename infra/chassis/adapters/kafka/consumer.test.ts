import { afterEach, describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import {
  MAX_CRASHES_ALONE,
  openPoisonMessageGuard,
  SUSPECT_AFTER_CRASHES,
} from '../../poison-message-guard.ts';
import { gate } from '../../testing/gate.ts';
import { waitFor } from '../../testing/wait.ts';
import {
  type Commit,
  type Incoming,
  UNSUBSCRIBED,
  type MemberOptions,
  type Place,
  placeName,
  type Span,
} from './client.ts';
import { type Group, lagOf, openGroup } from './consumer.ts';

const here: Place = { topic: 'order.created', partition: 0 };
const there: Place = { topic: 'order.created', partition: 1 };
const message = (offset: number, key = `key ${offset}`, place = here): Incoming => ({
  ...place,
  offset,
  key,
  value: '',
  headers: {},
});
const span = (topic: string, partition: number, low: number, high: number): Span => ({
  topic,
  partition,
  low,
  high,
});

let opened: Group[] = [];
afterEach(async () => {
  await Promise.all(opened.map((group) => group.close()));
  opened = [];
});

/** A fake broker with the commits and the readers of the group "media". */
function aBroker({ spans = [span(here.topic, 0, 0, 5), span(there.topic, 1, 0, 5)], refusals = 0 } = {}) {
  const stored = new Map<string, Commit>();
  const readers: MemberOptions[] = [];
  const paused = new Set<string>();
  let writes = 0;
  const client = {
    spans: async (topics: readonly string[]) => spans.filter(({ topic }) => topics.includes(topic)),
    commits: async () => [...stored.values()].filter(({ note }) => note !== UNSUBSCRIBED),
    async join(options: MemberOptions) {
      if (refusals-- > 0) throw new Error('the coordinator is loading');
      readers.push(options);
      options.assigned([here, there]);
      return {
        async commit(commits: readonly Commit[]) {
          writes++;
          for (const commit of commits)
            stored.set(placeName(commit), { ...stored.get(placeName(commit)), ...commit });
        },
        leave: async () => undefined,
      };
    },
  };
  const broker = {
    client,
    readers,
    paused,
    commit: (commit: Commit) => stored.set(placeName(commit), commit),
    stored: (place = here) => stored.get(placeName(place)),
    offset: (place = here) => stored.get(placeName(place))?.offset,
    note: () => JSON.parse(stored.get(placeName(here))!.note!) as unknown,
    writes: () => writes,
    give(place: Place, ...messages: Incoming[]) {
      const pause = () => {
        paused.add(placeName(place));
        return () => void paused.delete(placeName(place));
      };
      readers.at(-1)!.take(place, messages, pause);
    },
  };
  return broker;
}

async function join(
  broker: ReturnType<typeof aBroker>,
  handle: (message: Incoming) => Promise<void> = async () => undefined,
  { topics = [here.topic], deadLetters = [] as number[], stopWithinMs = 1_000 } = {},
): Promise<Group> {
  const storeDeadLetter = async ({ offset }: Incoming) => void deadLetters.push(offset);
  const group = openGroup({
    client: broker.client,
    group: 'media',
    topics,
    handling: () => ({ handle, storeDeadLetter }),
    guard: openPoisonMessageGuard(60_000),
    logger: pino({ level: 'silent' }),
    stopWithinMs,
  });
  opened.push(group);
  await group.joined;
  return group;
}

describe('the start of a group', () => {
  test('is the end of a topic that is new to the group', async () => {
    const broker = aBroker({ spans: [span(here.topic, 0, 3, 9)] });
    await join(broker);
    expect(broker.offset()).toBe(9);
  });

  test('is the beginning of a partition that was added to a known topic', async () => {
    const broker = aBroker({ spans: [span(here.topic, 0, 3, 9), span(here.topic, 1, 0, 4)] });
    broker.commit({ ...here, offset: 5 });
    await join(broker);
    expect([broker.offset(), broker.offset(there)]).toEqual([5, 0]);
  });

  test('is the beginning of its own retry topics', async () => {
    const broker = aBroker({ spans: [span('media.retry.soon', 0, 2, 8)] });
    await join(broker, undefined, { topics: ['media.retry.soon'] });
    expect(broker.offset({ topic: 'media.retry.soon', partition: 0 })).toBe(2);
  });

  test('forgets a topic that is no longer subscribed, and starts at its end when it is subscribed again', async () => {
    const broker = aBroker({ spans: [span(here.topic, 0, 0, 9), span('order.planted', 0, 0, 7)] });
    broker.commit({ ...here, offset: 5 });
    broker.commit({ topic: 'media.retry.soon', partition: 0, offset: 1 });
    await join(broker, undefined, { topics: ['order.planted'] });
    expect(broker.stored()).toEqual({ ...here, offset: 5, note: UNSUBSCRIBED });
    expect(broker.stored({ topic: 'media.retry.soon', partition: 0 })?.note).toBeUndefined();
    broker.commit({ ...here, offset: 5, note: UNSUBSCRIBED });
    await join(broker);
    expect(broker.offset()).toBe(9);
  });

  test('counts as waiting what lies between its offset and the end, without expired messages', async () => {
    const broker = aBroker({ spans: [span('a', 0, 0, 10), span('a', 1, 6, 10)] });
    broker.commit({ topic: 'a', partition: 0, offset: 7 });
    broker.commit({ topic: 'a', partition: 1, offset: 2 });
    expect(await lagOf(broker.client, 'media')).toBe(3 + 4);
  });
});

describe('a reader that crashes', () => {
  test('is replaced, and reported as missing meanwhile', async () => {
    const broker = aBroker();
    const handled: number[] = [];
    const group = await join(broker, async ({ offset }) => void handled.push(offset));
    const before = broker.readers.length;
    broker.readers.at(-1)!.crashed(new Error('no broker'));
    await waitFor(() => {
      expect(() => group.check()).toThrow('"media" reads nothing: no broker');
      return true;
    });
    await waitFor(() => broker.readers.length > before);
    await waitFor(() => (group.check(), true));
    broker.give(here, message(5));
    await waitFor(() => handled.includes(5));
  });

  test('is not replaced after closing', async () => {
    const broker = aBroker();
    const group = await join(broker);
    await group.close();
    const before = broker.readers.length;
    broker.readers.at(-1)!.crashed(new Error('late'));
    await nextTurn();
    expect(broker.readers).toHaveLength(before);
    expect(() => group.check()).not.toThrow();
  });

  test('retries a broker that is not ready', async () => {
    const group = await join(aBroker({ refusals: 1 }));
    expect(() => group.check()).not.toThrow();
  });

  test('reports that the group was closed before it could join', async () => {
    const joining = join(aBroker({ refusals: Infinity }));
    await waitFor(() => opened.length === 1);
    await opened[0]!.close();
    await expect(joining).rejects.toThrow('"media" is closed');
  });
});

describe('messages that were taken', () => {
  test('are committed up to the first that is not done', async () => {
    const slow = gate();
    const broker = aBroker();
    await join(broker, ({ offset }) => (offset === 6 ? slow.opened : Promise.resolve()));
    broker.give(here, message(5), message(6), message(7));
    await waitFor(() => broker.offset() === 6);
    slow.open();
    await waitFor(() => broker.offset() === 8);
  });

  test('wait for earlier ones of their key only', async () => {
    const slow = gate();
    const begun: number[] = [];
    const broker = aBroker();
    await join(broker, async ({ offset }) => {
      begun.push(offset);
      if (offset === 5) await slow.opened;
    });
    broker.give(here, message(5, 'a'), message(6, 'a'), message(7, 'b'));
    await waitFor(() => begun.includes(7));
    expect(begun).toEqual([5, 7]);
    slow.open();
    await waitFor(() => broker.offset() === 8);
    expect(begun).toEqual([5, 7, 6]);
  });

  test('are not handled twice when they are read again after a rebalance', async () => {
    const handled: number[] = [];
    const broker = aBroker();
    await join(broker, async ({ offset }) => void handled.push(offset));
    broker.give(here, message(5), message(6));
    broker.readers.at(-1)!.assigned([here]);
    broker.give(here, message(5), message(6), message(7));
    await waitFor(() => broker.offset() === 8);
    expect(handled).toEqual([5, 6, 7]);
  });

  test('are neither started nor committed after their partition was lost', async () => {
    const slow = gate();
    const begun: number[] = [];
    const broker = aBroker();
    await join(broker, async ({ offset }) => {
      begun.push(offset);
      await slow.opened;
    });
    broker.give(here, message(5, 'one key'), message(6, 'one key'));
    await waitFor(() => begun.length === 1);
    broker.readers.at(-1)!.assigned([there]);
    slow.open();
    broker.give(there, message(5, 'k', there));
    await waitFor(() => broker.offset(there) === 6);
    expect([begun, broker.offset()]).toEqual([[5, 5], 5]);
  });

  test('are handled again in a partition that was lost and returned, or in a topic that was recreated', async () => {
    const handled: number[] = [];
    const broker = aBroker();
    await join(broker, async ({ offset }) => void handled.push(offset));
    const { assigned } = broker.readers.at(-1)!;
    broker.give(here, message(50));
    await waitFor(() => broker.offset() === 51);
    assigned([]);
    assigned([here]);
    broker.give(here, message(50));
    await waitFor(() => handled.length === 2);
    await waitFor(() => broker.offset() === 51);
    broker.give(here, message(0));
    await waitFor(() => broker.offset() === 1);
    expect(handled).toEqual([50, 50, 0]);
  });

  test('pause their partition at a limit, until half of them are done', async () => {
    const rest = gate();
    const first = gate();
    const broker = aBroker();
    await join(broker, ({ offset }) => (offset < 250 ? first.opened : rest.opened));
    broker.give(here, ...Array.from({ length: 499 }, (_, n) => message(n)));
    expect(broker.paused.size).toBe(0);
    broker.give(here, message(499));
    expect([...broker.paused]).toEqual([placeName(here)]);
    first.open();
    await waitFor(() => broker.paused.size === 0);
    broker.give(here, ...Array.from({ length: 250 }, (_, n) => message(500 + n)));
    expect(broker.paused.size).toBe(1);
    // kafkajs keeps a partition paused after it is reassigned.
    broker.readers.at(-1)!.assigned([there]);
    expect(broker.paused.size).toBe(0);
    rest.open();
  });

  test('wait until they are due, while later ones pass', async () => {
    const handled: number[] = [];
    const broker = aBroker();
    await join(broker, async ({ offset }) => void handled.push(offset));
    const later = { ...message(5), headers: { due: String(Date.now() + 100) } };
    broker.give(here, later, message(6));
    await waitFor(() => broker.offset() === 7);
    expect(handled).toEqual([6, 5]);
  });

  test('hold back the commit when they fail', async () => {
    const broker = aBroker();
    const handled: number[] = [];
    const group = await join(broker, async ({ offset }) => {
      if (offset === 6) throw new Error('stopping');
      handled.push(offset);
    });
    broker.give(here, message(5), message(6), message(7));
    await waitFor(() => handled.length === 2);
    await group.close();
    expect(broker.offset()).toBe(6);
  });

  test('are finished on closing, while no others are started', async () => {
    const slow = gate();
    const begun: number[] = [];
    const broker = aBroker();
    const group = await join(broker, async ({ offset }) => {
      begun.push(offset);
      await slow.opened;
    });
    broker.give(here, message(5, 'one key'), message(6, 'one key'));
    await waitFor(() => begun.length === 1);
    const closing = group.close();
    broker.give(there, message(5, 'k', there));
    slow.open();
    await closing;
    expect([begun, broker.offset()]).toEqual([[5], 6]);
  });
});

describe('a message that kills its process', () => {
  /** Simulates a crash: work on the poison message never ends, and the process reports nothing more. */
  async function dieOf(poison: number, broker: ReturnType<typeof aBroker>, deadLetters: number[]) {
    let isDead = false;
    const { client } = broker;
    const mortal = {
      ...broker,
      client: {
        ...client,
        join: async (options: MemberOptions) => {
          const member = await client.join(options);
          return {
            ...member,
            commit: async (its: readonly Commit[]) => (isDead ? undefined : member.commit(its)),
          };
        },
      },
    };
    const handle = async ({ offset }: Incoming) => {
      if (offset !== poison) return;
      isDead = true;
      await new Promise(() => undefined);
    };
    await join(mortal, handle, { deadLetters, stopWithinMs: 1 });
    const first = broker.offset()!;
    broker.give(here, ...[5, 6, 7].filter((offset) => offset >= first).map((offset) => message(offset)));
    await waitFor(() => isDead || deadLetters.length > 0);
  }

  test('becomes a dead letter after crashes with nothing else in progress, and no other message does', async () => {
    const broker = aBroker();
    const deadLetters: number[] = [];
    // Nothing before it is committed.
    for (let deaths = 1; deaths <= SUSPECT_AFTER_CRASHES; deaths++) {
      await dieOf(5, broker, deadLetters);
      expect(broker.note()).toEqual({ starts: deaths, alone: 0 });
    }
    for (let deaths = 1; deaths <= MAX_CRASHES_ALONE; deaths++) {
      await dieOf(5, broker, deadLetters);
      expect(broker.note()).toMatchObject({ alone: deaths });
    }
    expect(deadLetters).toEqual([]);
    await dieOf(5, broker, deadLetters);
    await waitFor(() => broker.offset() === 8);
    expect(deadLetters).toEqual([5]);
    expect(broker.note()).toEqual({ starts: 0, alone: 0 });
  });

  test('clears the messages before it, handled one by one', async () => {
    const broker = aBroker();
    broker.commit({ ...here, offset: 5, note: JSON.stringify({ starts: SUSPECT_AFTER_CRASHES, alone: 0 }) });
    const deadLetters: number[] = [];
    await dieOf(6, broker, deadLetters);
    expect([broker.offset(), broker.note()]).toEqual([6, { starts: 0, alone: 1 }]);
  });

  test('does not block a broker that keeps no commit metadata', async () => {
    const handled: number[] = [];
    const broker = aBroker();
    const { client } = broker;
    let isAway = false;
    const commits = async () => (isAway ? Promise.reject(new Error('away')) : client.commits());
    await join(
      { ...broker, client: { ...client, commits } },
      async ({ offset }) => void handled.push(offset),
    );
    isAway = true;
    broker.readers.at(-1)!.assigned([here]);
    broker.give(here, message(5));
    await waitFor(() => handled.includes(5));
  });
});
