import { Kafka, logLevel } from 'kafkajs';
import { type Offsets, openBehind } from './behind.ts';

const LOOK_EVERY_MS = 1_000;

/** How far groups of consumers are, as the brokers tell. */
export interface Groups {
  /** Since when groups that are behind are so. */
  behindSince(): ReadonlyMap<string, number>;
  /** How many events are not handled. */
  lag(): Promise<number>;
  /** How many are in topics of dead letters. */
  deadLetters(): Promise<number>;
  close(): Promise<void>;
}

export async function watchGroups(brokers: string[], names: readonly string[]): Promise<Groups> {
  const admin = new Kafka({ brokers, clientId: 'checker', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const watched = names.map((name) => ({ name, since: openBehind() }));
  const behind = new Map<string, number>();
  let isClosed = false;

  /** Ends are asked for first: what comes meanwhile is handled of none. */
  const offsetsOf = async (groupId: string): Promise<{ ends: Offsets; handled: Offsets }> => {
    const topics = (await admin.fetchOffsets({ groupId })).map(({ topic }) => topic);
    const ends = new Map<string, number>();
    for (const topic of topics) {
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, Number(high));
    }
    const handled = new Map<string, number>();
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId })) {
      // A partition of which it has committed nothing yet says -1.
      for (const { partition, offset } of partitions)
        if (Number(offset) >= 0) handled.set(`${topic}/${partition}`, Number(offset));
    }
    return { ends, handled };
  };
  const look = async () => {
    for (const { name, since } of watched) {
      const at = Date.now();
      const offsets = await offsetsOf(name).catch(() => undefined);
      if (!offsets) continue;
      const time = since({ at, ...offsets });
      if (time === undefined) behind.delete(name);
      else behind.set(name, time);
    }
  };
  const watching = (async () => {
    while (!isClosed) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  return {
    behindSince: () => behind,
    async lag() {
      const all = await Promise.all(names.map(offsetsOf));
      const lagOf = ({ ends, handled }: { ends: Offsets; handled: Offsets }) =>
        [...handled].reduce(
          (sum, [partition, offset]) => sum + Math.max(0, (ends.get(partition) ?? 0) - offset),
          0,
        );
      return all.reduce((sum, offsets) => sum + lagOf(offsets), 0);
    },
    async deadLetters() {
      const topics = (await admin.listTopics()).filter((topic) => topic.endsWith('.dead-letters'));
      const offsets = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
      return offsets.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
    },
    async close() {
      isClosed = true;
      await watching;
      await admin.disconnect();
    },
  };
}
