import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openKafkaBus } from '../adapters/kafka/bus.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { startKafka, type TestKafka } from '../testing/containers/kafka.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
/** On a busy machine a broker starts slowly, and then waits for the members it knew before. */
const PATIENCE_MS = 120_000;
const TEST_MS = 300_000;

let kafka: TestKafka;
let bus: EventBus;
beforeAll(async () => {
  kafka = await startKafka();
}, 120_000);
afterAll(() => kafka.stop());
beforeEach(async () => {
  const retries = { maxAttempts: 3, delaysMs: [20], maxDelayMs: 20 };
  bus = await openKafkaBus({ brokers: kafka.brokers, ssl: false, partitions: 3, logger, retries });
});
afterEach(() => bus.close());

test(
  'a restart of the broker loses nothing, and meanwhile the bus reports that it is unhealthy',
  async () => {
    const received = new Set<string>();
    await bus.subscribe('steady', { 'payment.failed': async (event) => void received.add(event.id) });
    const sent: string[] = [];
    let enough = false;
    const publishing = (async () => {
      while (!enough) {
        const event = someEvent();
        await publishAsAnOutbox(event);
        sent.push(event.id);
      }
    })();
    await waitFor(() => received.size > 20, PATIENCE_MS);
    await kafka.halt();
    await waitFor(async () => !(await isWell()));
    // Long enough for its readers to give up.
    await waitFor(async () => /reads nothing/.test(await complaint()), PATIENCE_MS);
    await kafka.start();
    const before = sent.length;
    await waitFor(() => sent.length > before + 20, PATIENCE_MS);
    enough = true;
    await publishing;
    await waitFor(() => sent.every((id) => received.has(id)), PATIENCE_MS);
    await waitFor(isWell, PATIENCE_MS);
    await waitFor(async () => (await bus.waiting('steady')) === 0);
  },
  TEST_MS,
);

test(
  'an event that fails while the broker is down is retried when it is back',
  async () => {
    const handling = gate();
    let attempts = 0;
    await bus.subscribe('failing', {
      'payment.failed': async () => {
        if (++attempts > 1) return;
        await handling.opened;
        throw new Error('not yet');
      },
    });
    await publishAsAnOutbox(someEvent());
    await waitFor(() => attempts === 1);
    await kafka.halt();
    handling.open();
    await waitFor(async () => /reads nothing/.test(await complaint()), PATIENCE_MS);
    await kafka.start();
    await waitFor(() => attempts >= 2, PATIENCE_MS);
    await waitFor(async () => (await bus.waiting('failing')) === 0, PATIENCE_MS);
    expect(await bus.deadLetters('failing')).toEqual([]);
  },
  TEST_MS,
);

test(
  'publishing and the health check time out when the broker does not answer',
  async () => {
    const received: string[] = [];
    await bus.subscribe('patient', { 'payment.failed': async (event) => void received.push(event.id) });
    const [first, second] = [someEvent(anOrderId()), someEvent(anOrderId())];
    await publishAsAnOutbox(first);
    await waitFor(() => received.includes(first.id));
    await kafka.pause();
    await expect(bus.check()).rejects.toThrow();
    await expect(bus.publish([second])).rejects.toThrow();
    await kafka.resume();
    await waitFor(isWell, PATIENCE_MS);
    await publishAsAnOutbox(second);
    await waitFor(() => received.includes(second.id), PATIENCE_MS);
  },
  TEST_MS,
);

/** Tries until it is stored: for seconds after an outage, a broker may name no controller. */
const publishAsAnOutbox = (event: ArboledaEvent) =>
  waitFor(() => bus.publish([event]).then(() => true), PATIENCE_MS);

const complaint = () => bus.check().then(() => '', String);
const isWell = async () => (await complaint()) === '';
