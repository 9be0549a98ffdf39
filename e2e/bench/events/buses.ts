import { openKafkaBus } from '@arboleda/chassis/adapters/kafka/bus.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import type { EventBus } from '@arboleda/chassis/ports/event-bus.ts';
import { EVENT_RETRIES } from '@arboleda/chassis/retry.ts';
import { startKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import { someEvent } from '@arboleda/chassis/testing/events.ts';
import { startTestPostgres } from '@arboleda/chassis/testing/postgres.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 20;

/** A publisher and a consumer on one engine. */
export interface BusUnderTest {
  name: string;
  /** Publishes so many, 50 a second. @returns ms from publishing to the handler, for each. */
  measure(events: number): Promise<number[]>;
  close(): Promise<void>;
}

const logger = openLogger('bench', 'error');

export async function openPostgresPair(): Promise<BusUnderTest> {
  const postgres = await startTestPostgres();
  const config = { databaseUrl: postgres.url, objectsDir: '', smtpUrl: 'smtp://127.0.0.1:1', mailFrom: '' };
  const publisher = await openPlatform(config, logger);
  const handler = await openPlatform(config, logger);
  return openPair('PostgreSQL', publisher.bus, handler.bus, async () => {
    await handler.close();
    await publisher.close();
    await postgres.stop();
  });
}

export async function openKafkaPair(): Promise<BusUnderTest> {
  const kafka = await startKafka();
  const config = { brokers: kafka.brokers, ssl: false, partitions: 12, logger, retries: EVENT_RETRIES };
  const publisher = await openKafkaBus(config);
  const handler = await openKafkaBus(config);
  return openPair('Kafka', publisher, handler, async () => {
    await handler.close();
    await publisher.close();
    await kafka.stop();
  });
}

async function openPair(
  name: string,
  publisher: EventBus,
  handler: EventBus,
  close: () => Promise<void>,
): Promise<BusUnderTest> {
  const publishedAt = new Map<string, number>();
  let durations: number[] = [];
  await handler.subscribe('bench', {
    'payment.failed': async ({ id }) => void durations.push(performance.now() - publishedAt.get(id)!),
  });
  return {
    name,
    async measure(events) {
      durations = [];
      for (let n = 0; n < events; n++) {
        const event = someEvent();
        publishedAt.set(event.id, performance.now());
        void publisher.publish([event]);
        await sleep(EVERY_MS);
      }
      while (durations.length < events) await sleep(EVERY_MS);
      publishedAt.clear();
      return durations;
    },
    close,
  };
}
