import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openKafkaBus } from '../adapters/kafka/bus.ts';
import { eventBusConformance } from '../conformance/event-bus.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { RetryPolicy } from '../retry.ts';
import { startKafka, type TestKafka } from '../testing/containers/kafka.ts';

const retries: RetryPolicy = { maxAttempts: 3, delaysMs: [20, 100], maxDelayMs: 200 };
const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

let kafka: TestKafka;
beforeAll(async () => {
  kafka = await startKafka();
}, 120_000);
afterAll(() => kafka.stop());

eventBusConformance(async () => {
  const opened: EventBus[] = [];
  return {
    attempts: retries.maxAttempts,
    async connect() {
      const bus = await openKafkaBus({ brokers: kafka.brokers, ssl: false, partitions: 3, logger, retries });
      opened.push(bus);
      return bus;
    },
    close: async () => void (await Promise.all(opened.map((bus) => bus.close()))),
  };
});
