import { Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How soon an engine hands a message from one connection to another, with nothing of ours between. @returns ms of each */
export type Floor = (messages: number) => Promise<number[]>;

const EVERY_MS = 20;

/** NOTIFY on one connection of PostgreSQL, heard on another that listens. */
export const notifyFloor =
  (databaseUrl: string): Floor =>
  async (messages) => {
    const clients = [databaseUrl, databaseUrl].map((connectionString) => new pg.Client({ connectionString }));
    const [speaker, listener] = clients as [pg.Client, pg.Client];
    for (const client of clients) await client.connect();
    await listener.query('listen bench');
    const durations: number[] = [];
    for (let at = 0; at < messages; at++) {
      const startedAt = performance.now();
      const heard = once(listener, 'notification');
      await speaker.query("select pg_notify('bench', $1)", [String(at)]);
      await heard;
      durations.push(performance.now() - startedAt);
      await sleep(EVERY_MS);
    }
    for (const client of clients) await client.end();
    return durations;
  };

/** Produced with every acknowledgement, as our events are, and consumed by a group of its own. */
export const kafkaFloor =
  (brokers: string[]): Floor =>
  async (messages) => {
    const kafka = new Kafka({ brokers, clientId: 'floor', logLevel: logLevel.NOTHING });
    const topic = `floor-${Date.now()}`;
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
    const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    let heard: (value: string) => void = () => undefined;
    await consumer.run({ eachMessage: async ({ message }) => heard(String(message.value)) });
    const producer = kafka.producer();
    await producer.connect();
    const send = async (value: string): Promise<number> => {
      const startedAt = performance.now();
      const arrived = new Promise<void>((resolve) => {
        heard = (one) => void (one === value && resolve());
      });
      await producer.send({ topic, acks: -1, messages: [{ value }] });
      await arrived;
      return performance.now() - startedAt;
    };
    // The first waits until the group has its partitions.
    await send('warm-up');
    const durations: number[] = [];
    for (let at = 0; at < messages; at++) {
      durations.push(await send(String(at)));
      await sleep(EVERY_MS);
    }
    await Promise.all([producer.disconnect(), consumer.disconnect()]);
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
    return durations;
  };
