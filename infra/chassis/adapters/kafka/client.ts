import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admin, type Consumer, type ConsumerConfig, Kafka, type KafkaMessage, logLevel, Partitioners, type Producer,
  type RetryOptions, type SASLOptions,
} from 'kafkajs'; // prettier-ignore
import type { Logger } from '../../log.ts';
import { openConnections } from './connections.ts';
import { gather } from './gather.ts';
import {
  type Commit, type Incoming, type Place, placeName, type Span, type TopicSpec,
} from './messages.ts'; // prettier-ignore
import { type Opened, renewable, within } from './renewable.ts';

/** How to reach the brokers. */
export interface KafkaConnection {
  brokers: string[];
  ssl: boolean;
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
  clientId?: string;
  /** How long a member of a group may be silent before the others take over what it had. */
  sessionMs?: number;
}

export interface MemberOptions {
  group: string;
  topics: string[];
  /** All messages of one partition, in order. */
  take(place: Place, messages: Incoming[]): void;
  /** The group has gathered: what this member is to read from now on. */
  assigned(places: Place[]): void;
  /** Said once; the member reads no more. */
  crashed(error: Error): void;
}

/** A reader in a group. It holds back until `begin`. */
export interface Member {
  begin(): void;
  seek(commits: readonly Commit[]): void;
  pause(place: Place): void;
  resume(place: Place): void;
  commit(commits: readonly Commit[]): Promise<void>;
  leave(): Promise<void>;
}

export type KafkaClient = ReturnType<typeof openKafkaClient>;

const ANSWER_MS = 10_000;
const PING_MS = 3_000;
const READ_MS = 15_000;
/** At the first start a broker on a small, busy machine takes a minute over hundreds of partitions. */
const CREATE_MS = 100_000;
const LEADERS_MS = 90_000;
const LOOK_AGAIN_MS = 250;
/** A fetch that waits for news holds up the resuming of a partition for that long. */
const FETCH_WAIT_MS = 100;
const LEFT = 'left';

const onlyExisting = { allowAutoTopicCreation: false, maxWaitTimeInMs: FETCH_WAIT_MS };

const SESSION_MS = 10_000;
/** Also how soon a member hears that the group gathers anew. */
const HEARTBEAT_MS = 400;

const retry: RetryOptions = { initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000, retries: 4 };
const incoming = (place: Place, message: KafkaMessage): Incoming => ({
  ...place,
  offset: Number(message.offset),
  key: message.key?.toString(),
  value: message.value?.toString(),
  headers: Object.fromEntries(
    Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
  ),
});

/** kafkajs, and nothing else of this product knows it. */
export function openKafkaClient(connection: KafkaConnection, logger: Logger) {
  const { brokers, ssl, sasl, clientId = 'arboleda', sessionMs = SESSION_MS } = connection;
  // What kafkajs calls an error it mostly mends by itself; what it does not mend is thrown, and told by whoever asked.
  const logCreator = () => (entry: { namespace: string; log: { message: string } }) =>
    logger.debug(`kafka: ${entry.namespace}: ${entry.log.message}`);
  // Each its own Kafka: readers made by one share what they believe is committed.
  const make = <T extends Admin | Producer | Consumer>(of: (kafka: Kafka) => T) => {
    const { end, ...connections } = openConnections(brokers);
    const kafka = new Kafka({
      clientId, ssl, retry, logCreator, ...connections,
      ...(sasl && { sasl: sasl as SASLOptions }),
      connectionTimeout: 3_000, requestTimeout: ANSWER_MS,
      logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    }); // prettier-ignore
    return { it: of(kafka), end };
  };
  const opened = async <T extends Admin | Producer>(of: (kafka: Kafka) => T): Promise<Opened<T>> => {
    const { it, end } = make(of);
    await it.connect();
    const shut = () => {
      end();
      return it.disconnect();
    };
    return { it, shut };
  };
  const reader = (options: ConsumerConfig) => {
    const { it: consumer, end } = make((kafka) => kafka.consumer({ ...options, ...onlyExisting }));
    // It says goodbye to its group first, for which it may have to connect.
    return { consumer, leave: () => consumer.disconnect().finally(end) };
  };

  const admin = renewable(() => opened((kafka) => kafka.admin()));
  const createPartitioner = Partitioners.DefaultPartitioner;
  const producer = renewable(() =>
    opened((kafka) => kafka.producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner, retry })),
  );

  return {
    ping: () => admin.use(PING_MS, (it) => it.describeCluster()).then(() => undefined),
    topics: () => admin.use(ANSWER_MS, (it) => it.listTopics()),
    /** Those that exist stay as they are. Resolves when every broker may be asked for them. */
    async ensureTopics(specs: readonly TopicSpec[]): Promise<void> {
      await admin.use(CREATE_MS, async (it) => {
        const existing = new Set(await it.listTopics());
        const missing = specs.filter(({ topic }) => !existing.has(topic));
        if (missing.length === 0) return;
        let refused: unknown;
        // Another process may have created some of them meanwhile: that is no failure, but looks like one here.
        await it
          .createTopics({ topics: missing.map(toTopicConfig), waitForLeaders: false })
          .catch((error: unknown) => (refused = error));
        await leadersOf(it, missing.map(({ topic }) => topic)).catch((error: unknown) => {
          throw refused ?? error;
        }); // prettier-ignore
      });
    },
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
    /** Of all topics a group has ever read. */
    commits: (groupId: string): Promise<Commit[]> =>
      admin.use(ANSWER_MS, async (it) =>
        (await it.fetchOffsets({ groupId }))
          .flatMap(({ topic, partitions }) =>
            partitions.map(({ partition, offset, metadata }) => ({
              topic,
              partition,
              offset: Number(offset),
              left: metadata === LEFT,
              note: metadata ?? '',
            })),
          )
          .filter(({ offset }) => offset >= 0),
      ),
    /** Resolves when all are stored, in this order within a key. */
    send: gather(async (messages) => {
      const byTopic = Map.groupBy(messages, ({ topic }) => topic);
      const topicMessages = [...byTopic].map(([topic, its]) => ({
        topic,
        messages: its.map(({ key, value, headers = {} }) => ({ key, value, headers })),
      }));
      await producer.use(ANSWER_MS, (it) => it.sendBatch({ topicMessages }));
    }),
    /** Everything the spans hold. */
    async read(spans: readonly Span[]): Promise<Incoming[]> {
      const open = new Map(
        spans.filter(({ low, high }) => low < high).map((span) => [placeName(span), span]),
      );
      if (open.size === 0) return [];
      const found: Incoming[] = [];
      const end = Promise.withResolvers<void>();
      const topics = [...new Set([...open.values()].map(({ topic }) => topic))];
      // Commits nothing, so the broker forgets this group as soon as its only member leaves.
      const { consumer, leave } = reader({ groupId: `reader-${randomUUID()}` });
      consumer.on('consumer.crash', ({ payload }) => end.reject(payload.error));
      try {
        await within(READ_MS, connectTo(consumer, topics));
        await consumer.run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            const place = { topic: batch.topic, partition: batch.partition };
            found.push(...batch.messages.map((message) => incoming(place, message)));
            const span = open.get(placeName(batch));
            if (span && Number(batch.lastOffset()) >= span.high - 1) open.delete(placeName(span));
            if (open.size === 0) end.resolve();
          },
        });
        await within(READ_MS, end.promise);
      } finally {
        await leave().catch(() => undefined);
      }
      return found;
    },
    /** Resolves when the group has gathered. @throws when it cannot. */
    async join({ group, topics, take, assigned, crashed }: MemberOptions): Promise<Member> {
      const { consumer, leave } = reader({
        groupId: group,
        sessionTimeout: sessionMs,
        heartbeatInterval: HEARTBEAT_MS,
        rebalanceTimeout: 15_000,
        maxBytesPerPartition: 256 * 1024,
        // A crash is final here: whoever joined hears of it and joins anew.
        retry: { ...retry, restartOnFailure: async () => false },
      });
      let failure: Error | undefined;
      consumer.on('consumer.crash', ({ payload }) => {
        failure = payload.error;
        crashed(payload.error);
      });
      consumer.on('consumer.group_join', ({ payload }) =>
        assigned(
          Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
            partitions.map((partition) => ({ topic, partition })),
          ),
        ),
      );
      try {
        await connectTo(consumer, topics);
        const joined = consumer.run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            const place = { topic: batch.topic, partition: batch.partition };
            take(place, batch.messages.map((message) => incoming(place, message)));
          },
        }); // prettier-ignore
        consumer.pause(topics.map((topic) => ({ topic })));
        await joined;
        if (failure) throw failure;
      } catch (error) {
        await leave().catch(() => undefined);
        throw error;
      }
      const only = ({ topic, partition }: Place) => [{ topic, partitions: [partition] }];
      // kafkajs refuses to steer what has just crashed or left: there is nothing to steer then.
      const steer = (act: () => void) => {
        try {
          act();
        } catch (error) {
          logger.debug({ err: error, group }, 'a reader that is gone cannot be steered');
        }
      };
      return {
        begin: () => steer(() => consumer.resume(topics.map((topic) => ({ topic })))),
        seek: (commits) =>
          commits.forEach(({ topic, partition, offset }) =>
            steer(() => consumer.seek({ topic, partition, offset: String(offset) })),
          ),
        pause: (place) => steer(() => consumer.pause(only(place))),
        resume: (place) => steer(() => consumer.resume(only(place))),
        async commit(commits) {
          if (failure) throw failure;
          await consumer.commitOffsets(
            commits.map(({ topic, partition, offset, left, note = '' }) => ({
              topic,
              partition,
              offset: String(offset),
              metadata: left ? LEFT : note,
            })),
          );
        },
        leave,
      };
    },
    async close(): Promise<void> {
      await Promise.all([producer.close(), admin.close()]);
    },
  };
}

async function connectTo(consumer: Consumer, topics: string[]): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
}

const toTopicConfig = ({ topic, partitions, settings }: TopicSpec) => ({
  topic,
  numPartitions: partitions,
  replicationFactor: -1,
  configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
});

/** Waits until all partitions have a leader. @throws when they do not get one in time. */
async function leadersOf(admin: Admin, topics: string[]): Promise<void> {
  const deadline = Date.now() + LEADERS_MS;
  for (;;) {
    let failure: unknown;
    try {
      const found = await admin.fetchTopicMetadata({ topics });
      if (found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) throw failure ?? new Error(`${topics.join(', ')}: not ready`);
    await sleep(LOOK_AGAIN_MS);
  }
}
