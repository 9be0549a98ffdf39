import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openChangeFeed } from '../live/change-feed.ts';
import type { Records } from '../records.ts';
import { waitFor } from '../testing/wait.ts';

interface Tree {
  id: string;
  updatedAt: string;
  height: number;
  owner: string;
}

/** Trees shared by several replicas; `replica` opens one's feed. */
function openForest() {
  const kept = new Map<string, Tree>();
  const trees: Pick<Records<Tree>, 'change'> = {
    async change(id, decide) {
      const change = decide(kept.get(id));
      if (change) kept.set(id, change.record);
      return kept.get(id);
    },
  };
  const placeOf = ({ updatedAt, id }: Tree) => `${updatedAt} ${id}`;
  const changedSince = async (from: string, after: readonly [string, string] | undefined, limit: number) =>
    [...kept.values()]
      .filter((tree) => (after ? placeOf(tree) > after.join(' ') : tree.updatedAt >= from))
      .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
      .slice(0, limit);
  return {
    trees,
    changedSince,
    replica(options: { maxListeners?: number; clock?: () => Date } = {}) {
      let questions = 0;
      const { clock = () => new Date(), ...rest } = options;
      const feed = openChangeFeed<Tree>({
        clock,
        logger: pino({ level: 'silent' }),
        askEveryMs: 20,
        ...rest,
        changedSince(...asked) {
          questions++;
          return changedSince(...asked);
        },
        versionOf: ({ updatedAt, height }) => `${updatedAt} ${height}`,
      });
      const told = feed.withNotifications(trees);
      const grow = (id: string, owner = 'ana') =>
        told.change(id, (tree) => ({
          record: { id, owner, height: (tree?.height ?? 0) + 1, updatedAt: clock().toISOString() },
        }));
      return { feed, grow, questions: () => questions };
    },
  };
}

type Replica = ReturnType<ReturnType<typeof openForest>['replica']>;

const listening: { leave(): Promise<void> }[] = [];
// Also after a failure: a feed with listeners would run for ever.
afterEach(async () => void (await Promise.all(listening.splice(0).map((one) => one.leave()))));

/** Records the messages for an owner's trees. */
function listen({ feed }: Replica, owner = 'ana', who = owner) {
  const leaving = new AbortController();
  const received: { tree: string; height: number }[] = [];
  const messages = feed.listen({
    who,
    signal: leaving.signal,
    messageOf: (tree) => (tree.owner === owner ? { tree: tree.id, height: tree.height } : undefined),
  });
  const ended = (async () => {
    for await (const { data } of messages) received.push(data);
  })();
  const listener = {
    received,
    async leave() {
      leaving.abort();
      await ended;
    },
  };
  listening.push(listener);
  return listener;
}

describe('a change', () => {
  test('reaches listeners of its replica at once, and only once', async () => {
    const replica = openForest().replica();
    const ana = listen(replica);
    await replica.grow('oak');
    await replica.grow('oak');
    await waitFor(() => ana.received.some(({ height }) => height === 2));
    const askedMore = async () => {
      const questions = replica.questions();
      await waitFor(() => replica.questions() > questions + 3);
    };
    // A query that started before the change returns it again.
    await askedMore();
    const received = [...ana.received];
    expect(received.at(-1)).toEqual({ tree: 'oak', height: 2 });
    await askedMore();
    expect(ana.received).toEqual(received);
    await ana.leave();
  });

  test('reaches listeners of every other replica', async () => {
    const forest = openForest();
    const [here, there] = [forest.replica(), forest.replica()];
    const ana = listen(there);
    await here.grow('oak');
    await waitFor(() => ana.received.length === 1);
    await here.grow('oak');
    await waitFor(() => ana.received.length === 2);
    expect(ana.received).toEqual([
      { tree: 'oak', height: 1 },
      { tree: 'oak', height: 2 },
    ]);
    await ana.leave();
  });

  test('arrives from a replica whose clock is seconds behind', async () => {
    const forest = openForest();
    const here = forest.replica({ clock: () => new Date(Date.now() - 3_000) });
    const ana = listen(forest.replica());
    await here.grow('oak');
    await waitFor(() => ana.received.length === 1);
    await ana.leave();
  });

  test('reaches only its listeners', async () => {
    const replica = openForest().replica();
    const [ana, bruno] = [listen(replica, 'ana'), listen(replica, 'bruno')];
    await replica.grow('oak', 'bruno');
    await waitFor(() => bruno.received.length === 1);
    expect(ana.received).toEqual([]);
    await Promise.all([ana.leave(), bruno.leave()]);
  });

  test('arrives for each of many concurrent changes', async () => {
    const forest = openForest();
    const [here, there] = [forest.replica(), forest.replica()];
    const ana = listen(there);
    const names = Array.from({ length: 1_200 }, (_, n) => `tree-${n}`);
    await Promise.all(names.map((name) => here.grow(name)));
    await waitFor(() => ana.received.length === names.length);
    await ana.leave();
  });

  test('from just before reaches a late listener, whoever listened before', async () => {
    const replica = openForest().replica();
    const bruno = listen(replica, 'bruno');
    await replica.grow('oak', 'ana');
    await replica.grow('elm', 'bruno');
    await waitFor(() => bruno.received.length === 1);
    const ana = listen(replica, 'ana');
    await waitFor(() => ana.received.length === 1);
    expect(ana.received).toEqual([{ tree: 'oak', height: 1 }]);
    await Promise.all([ana.leave(), bruno.leave()]);
  });

  test('that a decision did not make is not sent', async () => {
    const { trees, replica } = openForest();
    const here = replica();
    await here.grow('oak');
    const ana = listen(here);
    await waitFor(() => ana.received.length === 1);
    await here.feed.withNotifications(trees).change('oak', () => undefined);
    const questions = here.questions();
    await waitFor(() => here.questions() > questions + 2);
    expect(ana.received).toHaveLength(1);
    await ana.leave();
  });
});

describe('the store', () => {
  test('is not queried without listeners, and once for all of them', async () => {
    const replica = openForest().replica();
    await replica.grow('oak');
    expect(replica.questions()).toBe(0);
    const everybody = Array.from({ length: 10 }, () => listen(replica));
    await waitFor(() => everybody.every(({ received }) => received.length === 1));
    expect(replica.questions()).toBeLessThan(10);
    await Promise.all(everybody.map((one) => one.leave()));
    expect(replica.feed.listeners()).toBe(0);
  });

  test('is queried again after a failure', async () => {
    const { trees, changedSince } = openForest();
    let isAway = true;
    const feed = openChangeFeed<Tree>({
      changedSince: (...asked) => (isAway ? Promise.reject(new Error('away')) : changedSince(...asked)),
      clock: () => new Date(),
      logger: pino({ level: 'silent' }),
      askEveryMs: 20,
      versionOf: ({ updatedAt }) => updatedAt,
    });
    const leaving = new AbortController();
    const messages = feed.listen({ who: 'ana', signal: leaving.signal, messageOf: ({ id }) => id });
    const first = messages[Symbol.asyncIterator]().next();
    await trees.change('oak', () => ({
      record: { id: 'oak', owner: 'ana', height: 1, updatedAt: new Date().toISOString() },
    }));
    isAway = false;
    expect((await first).value).toEqual({ data: 'oak' });
    leaving.abort();
  });
});

describe('listeners', () => {
  test('are limited; the next one is asked to come back', async () => {
    const replica = openForest().replica({ maxListeners: 2 });
    const two = [listen(replica, 'ana'), listen(replica, 'bruno')];
    expect(() => listen(replica, 'carla')).toThrow(
      expect.objectContaining({ type: 'unavailable', retryAfterSeconds: 15 }),
    );
    await two[0]!.leave();
    await Promise.all([listen(replica, 'carla').leave(), two[1]!.leave()]);
  });

  test('of one person are limited too', async () => {
    const replica = openForest().replica();
    const own = Array.from({ length: 20 }, () => listen(replica, 'ana'));
    expect(() => listen(replica, 'ana')).toThrow(expect.objectContaining({ type: 'too-many-requests' }));
    const bruno = listen(replica, 'bruno');
    await Promise.all([...own, bruno].map((one) => one.leave()));
  });
});
