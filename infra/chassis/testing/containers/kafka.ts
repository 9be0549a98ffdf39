import { randomBytes } from 'node:crypto';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';

export const KAFKA_IMAGE = 'apache/kafka:4.1.0';

/** A broker that loses its data when it is removed. */
export interface TestKafka {
  brokers: string[];
  /** Freezes it: connections stay open, nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops it gracefully; topics are kept for the next `start`. */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface KafkaPorts {
  port?: number;
  reachedAt?: number;
}

const HALT_SECONDS = 15;

/** @param reachedAt the local port that clients connect to, if a proxy lies before the broker's own `port` */
export async function startKafka({ port, reachedAt }: KafkaPorts = {}): Promise<TestKafka> {
  // The broker advertises its address, so the port must be known before the start.
  port ??= await freePort();
  const { container: engine, info } = await getContainerRuntimeClient();
  // The proxy runs on this machine, wherever the containers are.
  const address =
    reachedAt === undefined ? `${info.containerRuntime.host}:${port}` : `127.0.0.1:${reachedAt}`;
  const container = await new GenericContainer(KAFKA_IMAGE)
    .withEnvironment(settings(address, port))
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(120_000)
    .start();
  const broker = engine.getById(container.getId());
  return {
    brokers: [address],
    pause: async () => void (await broker.pause()),
    resume: async () => void (await broker.unpause()),
    halt: async () => void (await broker.stop({ t: HALT_SECONDS })),
    start: async () => void (await broker.start()),
    stop: async () => void (await container.stop()),
  };
}

/** The image drops its defaults as soon as one variable is set, so these are all settings of a single KRaft node. */
const settings = (address: string, port: number) => ({
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
  KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${address}`,
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
  CLUSTER_ID: randomBytes(16).toString('base64url'),
  KAFKA_LOG_DIRS: '/tmp/kafka-logs',
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  KAFKA_NUM_PARTITIONS: '3',
  KAFKA_DEFAULT_REPLICATION_FACTOR: '1',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '3',
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
  KAFKA_HEAP_OPTS: '-Xms256m -Xmx512m',
});
