import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admin,
  type Consumer,
  type ConsumerConfig,
  Kafka,
  type KafkaMessage,
  logLevel,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs';
import type { Logger } from '../../log.ts';
import { openConnections, renewable, within } from './connections.ts';
import { sendInBatches } from './batching.ts';
import type { TopicSpec } from './topics.ts';

export interface KafkaConnection {
  brokers: string[];
  ssl: boolean;
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
  clientId?: string;
  /** Session timeout: after this silence the group reassigns a member's partitions. */
  sessionMs?: number;
}

export interface Place {
  topic: string;
  partition: number;
}

export interface Incoming extends Place {
  offset: number;
  key: string | undefined;
  value: string | undefined;
  headers: Readonly<Record<string, string>>;
}

export interface Outgoing {
  topic: string;
  key: string;
  /** null is a tombstone: it deletes the key from a compacted topic. */
  value: string | null;
  headers?: Record<string, string>;
}

/** Offsets of a partition: from `low` up to, but excluding, `high`. */
export interface Span extends Place {
  low: number;
  high: number;
}

/** The next offset of a group in a partition. */
export interface Commit extends Place {
  offset: number;
  /** Commit metadata, kept until the next commit. */
  note?: string;
}

export interface MemberOptions {
  group: string;
  topics: string[];
  /**
   * Messages of one partition, in order. @param pause stops reading the partition until the returned function is
   * called
   */
  take(place: Place, messages: Incoming[], pause: () => () => void): void;
  /** The partitions of this member, after each rebalance. */
  assigned(places: Place[]): void;
  /** Called once; the member reads no more. */
  crashed(error: Error): void;
}

/** A member of a consumer group. */
export interface Member {
  commit(commits: readonly Commit[]): Promise<void>;
  leave(): Promise<void>;
}

export type KafkaClient = ReturnType<typeof openKafkaClient>;

/** Commit metadata of a topic that the group has unsubscribed from. */
export const UNSUBSCRIBED = 'left';
export const placeName = ({ topic, partition }: Place): string => `${topic}/${partition}`;

const ANSWER_MS = 10_000;
const PING_MS = 3_000;
const READ_MS = 15_000;
/** On a small, busy machine the first start takes a minute to create hundreds of partitions. */
const CREATE_MS = 100_000;
const LEADERS_MS = 90_000;
const LOOK_AGAIN_MS = 250;
const SESSION_MS = 10_000;
/** Also how soon a member learns of a rebalance. */
const HEARTBEAT_MS = 400;
/** A waiting fetch delays the resumption of a paused partition by this. */
const FETCH_WAIT_MS = 100;
const RETRY = { initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000, retries: 4 };

/** The only module that knows kafkajs. */
export function openKafkaClient(connection: KafkaConnection, logger: Logger) {
  const { brokers, ssl, sasl, clientId = 'arboleda', sessionMs = SESSION_MS } = connection;
  // kafkajs recovers from most errors that it logs; it throws the others.
  const logCreator = () => (entry: { namespace: string; log: { message: string } }) =>
    logger.debug(`kafka: ${entry.namespace}: ${entry.log.message}`);
  // One Kafka instance each: consumers of one instance share their view of committed offsets.
  const make = <T extends Admin | Producer | Consumer>(of: (kafka: Kafka) => T) => {
    const { end, ...connections } = openConnections(brokers);
    const kafka = new Kafka({
      ...connections,
      ...(sasl && { sasl: sasl as SASLOptions }),
      clientId,
      ssl,
      retry: RETRY,
      connectionTimeout: 3_000,
      requestTimeout: ANSWER_MS,
      logCreator,
      logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    });
    return { it: of(kafka), end };
  };
  const opened = async <T extends Admin | Producer>(of: (kafka: Kafka) => T) => {
    const { it, end } = make(of);
    await it.connect();
    const shut = () => {
      end();
      return it.disconnect();
    };
    return { it, shut };
  };
  const reader = (config: ConsumerConfig) => {
    const onlyExisting = { allowAutoTopicCreation: false, maxWaitTimeInMs: FETCH_WAIT_MS };
    const { it: consumer, end } = make((kafka) => kafka.consumer({ ...config, ...onlyExisting }));
    // Leaving the group may need a connection.
    return { consumer, leave: () => consumer.disconnect().finally(end) };
  };
  /** @throws the error of a crash before the consumer has joined */
  const run = async (consumer: Consumer, topics: string[], take: MemberOptions['take']): Promise<void> => {
    let failure: Error | undefined;
    consumer.on('consumer.crash', ({ payload }) => (failure = payload.error));
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch: { topic, partition, messages }, pause }) =>
        take(
          { topic, partition },
          messages.map((message) => toIncoming({ topic, partition }, message)),
          pause,
        ),
    });
    if (failure) throw failure;
  };

  const admin = renewable(() => opened((kafka) => kafka.admin()));
  const createPartitioner = Partitioners.DefaultPartitioner;
  const producer = renewable(() =>
    opened((kafka) => kafka.producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner })),
  );

  return {
    ping: () => admin.use(PING_MS, (it) => it.describeCluster()).then(() => undefined),
    topics: () => admin.use(ANSWER_MS, (it) => it.listTopics()),
    /** Creates missing topics and leaves existing ones. Resolves when all partitions have leaders. */
    ensureTopics: (specs: readonly TopicSpec[]): Promise<void> =>
      admin.use(CREATE_MS, async (it) => {
        const existing = new Set(await it.listTopics());
        const topics = specs.filter(({ topic }) => !existing.has(topic)).map(toTopicConfig);
        if (topics.length === 0) return;
        const deadline = Date.now() + LEADERS_MS;
        let refused: unknown;
        // Fails when another process creates some of them at the same time; only missing leaders are an error.
        await it.createTopics({ topics, waitForLeaders: false }).catch((error: unknown) => (refused = error));
        while (!(await haveLeaders(it, topics))) {
          if (Date.now() > deadline) throw refused ?? new Error('topics that were made have no leaders');
          await sleep(LOOK_AGAIN_MS);
        }
      }),
    spans: (topics: readonly string[]): Promise<Span[]> =>
      admin.use(ANSWER_MS, async (it) => {
        const spansOf = async (topic: string) =>
          (await it.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
            topic,
            partition,
            low: Number(low),
            high: Number(high),
          }));
        return (await Promise.all(topics.map(spansOf))).flat();
      }),
    /** Commits of all topics that the group reads. */
    commits: (groupId: string): Promise<Commit[]> =>
      admin.use(ANSWER_MS, async (it) => {
        const topics = await it.fetchOffsets({ groupId });
        return topics
          .flatMap(({ topic, partitions }) => partitions.map((its) => ({ topic, ...its })))
          .map(({ offset, metadata, ...place }) => ({
            ...place,
            offset: Number(offset),
            note: metadata ?? '',
          }))
          .filter(({ offset, note }) => offset >= 0 && note !== UNSUBSCRIBED);
      }),
    /** Resolves when all are stored; keeps the order within a key. */
    send: sendInBatches<Outgoing>(async (messages) => {
      const byTopic = Map.groupBy(messages, ({ topic }) => topic);
      const topicMessages = [...byTopic].map(([topic, its]) => ({
        topic,
        messages: its.map(({ key, value, headers = {} }) => ({ key, value, headers })),
      }));
      await producer.use(ANSWER_MS, (it) => it.sendBatch({ topicMessages }));
    }),
    /** Reads the messages of the spans, and no others. */
    async read(spans: readonly Span[]): Promise<Incoming[]> {
      const wanted = new Map(
        spans.filter(({ low, high }) => low < high).map((span) => [placeName(span), span]),
      );
      const unread = new Map(wanted);
      if (unread.size === 0) return [];
      const topics = [...new Set([...unread.values()].map(({ topic }) => topic))];
      const found: Incoming[] = [];
      const end = Promise.withResolvers<void>();
      // It commits nothing, so the broker forgets the group as soon as its only member leaves.
      const { consumer, leave } = reader({ groupId: `reader-${randomUUID()}` });
      consumer.on('consumer.crash', ({ payload }) => end.reject(payload.error));
      const take = (place: Place, messages: Incoming[]) => {
        const span = wanted.get(placeName(place));
        if (!span) return;
        // The first batches come from the beginning, and the last go beyond the end.
        found.push(...messages.filter(({ offset }) => offset >= span.low && offset < span.high));
        if (messages.at(-1)!.offset >= span.high - 1) unread.delete(placeName(place));
        if (unread.size === 0) end.resolve();
      };
      try {
        const begun = run(consumer, topics, take).then(() => {
          for (const { topic, partition, low } of wanted.values())
            if (low > 0) consumer.seek({ topic, partition, offset: String(low) });
        });
        await within(READ_MS, Promise.all([end.promise, begun]));
      } finally {
        await leave().catch(() => undefined);
      }
      return found;
    },
    /** Resolves when the member has joined. @throws when it cannot */
    async join({ group, topics, take, assigned, crashed }: MemberOptions): Promise<Member> {
      const { consumer, leave } = reader({
        groupId: group,
        sessionTimeout: sessionMs,
        heartbeatInterval: HEARTBEAT_MS,
        rebalanceTimeout: 15_000,
        maxBytesPerPartition: 256 * 1024,
        // After a crash the caller joins again, not kafkajs.
        retry: { ...RETRY, restartOnFailure: async () => false },
      });
      consumer.on('consumer.crash', ({ payload }) => crashed(payload.error));
      consumer.on('consumer.group_join', ({ payload }) =>
        assigned(
          Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
            partitions.map((partition) => ({ topic, partition })),
          ),
        ),
      );
      try {
        await run(consumer, topics, take);
      } catch (error) {
        await leave().catch(() => undefined);
        throw error;
      }
      return {
        commit: (commits) =>
          consumer.commitOffsets(
            commits.map(({ topic, partition, offset, note = '' }) => ({
              topic,
              partition,
              offset: String(offset),
              metadata: note,
            })),
          ),
        leave,
      };
    },
    async close(): Promise<void> {
      await Promise.all([producer.close(), admin.close()]);
    },
  };
}

const toIncoming = (place: Place, { offset, key, value, headers = {} }: KafkaMessage): Incoming => ({
  ...place,
  offset: Number(offset),
  key: key?.toString(),
  value: value?.toString(),
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
});

const toTopicConfig = ({ topic, partitions, settings }: TopicSpec) => ({
  topic,
  numPartitions: partitions,
  replicationFactor: -1,
  configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
});

async function haveLeaders(admin: Admin, specs: readonly { topic: string }[]): Promise<boolean> {
  const topics = specs.map(({ topic }) => topic);
  const found = await admin.fetchTopicMetadata({ topics }).catch(() => undefined);
  return found?.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0)) ?? false;
}
