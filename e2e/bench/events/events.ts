import { openKafkaBus } from '@arboleda/chassis/adapters/kafka/bus.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import type { EventBus } from '@arboleda/chassis/ports/event-bus.ts';
import { EVENT_RETRIES } from '@arboleda/chassis/retry.ts';
import { startKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import { someEvent } from '@arboleda/chassis/testing/events.ts';
import { startTestPostgres } from '@arboleda/chassis/testing/postgres.ts';
import { containersRun } from '@arboleda/cli/containers.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../report/table.ts';
import type { Figures } from '../bench.ts';
import { inRounds, percentile, pointOf, withSpread } from '../figures.ts';

const EVERY_MS = 20;

/** A publisher and a consumer on one engine. */
interface BusUnderTest {
  name: string;
  /** Publishes so many, 50 a second. @returns ms from publishing to the handler, for each. */
  measure(events: number): Promise<number[]>;
  close(): Promise<void>;
}

const logger = openLogger('bench', 'error');

async function openPostgresPair(): Promise<BusUnderTest> {
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

async function openKafkaPair(): Promise<BusUnderTest> {
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

const SHARES = [0.5, 0.99];

/** How soon an event that is published is in a handler's hands, on both buses in turn. */
export async function events({ quick }: { quick: boolean }): Promise<Figures> {
  const rounds = quick ? 1 : 5;
  const perRound = quick ? 50 : 500;
  // Containers take a minute to start, which is no quick proof.
  const withContainers = !quick && containersRun();
  const pairs = [await openPostgresPair(), ...(withContainers ? [await openKafkaPair()] : [])];
  let measured: Map<BusUnderTest, number[][]>;
  try {
    for (const pair of pairs) await pair.measure(perRound / 10);
    measured = await inRounds(rounds, pairs, (pair) => pair.measure(perRound));
  } finally {
    for (const pair of pairs) await pair.close();
  }
  const handled: Table = {
    title: 'Published → handler begins, ms',
    columns: ['bus', ...SHARES.map((share) => `p${100 * share}`)],
    rows: [...measured].map(([{ name }, seen]) => [
      name,
      ...SHARES.map((share) => withSpread(at(seen, share))),
    ]),
  };
  return {
    bench: 'events',
    work:
      `${rounds} rounds of ${perRound} events at 50 a second, in turn.` +
      (withContainers ? '' : ' Kafka is left out.'),
    tables: [handled],
    plot: {
      kind: 'bars',
      unit: 'ms from publishing to the handler',
      series: [...measured].map(([{ name }, seen]) => ({
        name,
        points: SHARES.map((share) => pointOf(`p${100 * share}`, at(seen, share))),
      })),
    },
  };
}

const at = (rounds: readonly (readonly number[])[], share: number): number[] =>
  rounds.map((durations) => percentile(durations, share));
