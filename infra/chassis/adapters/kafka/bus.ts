import { toCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import { type ArboledaEvent, parseEvent } from '@arboleda/contracts/events/index.ts';
import { openPoisonMessageGuard } from '../../poison-message-guard.ts';
import type { Logger } from '../../log.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { RetryPolicy } from '../../retry.ts';
import { SPANS } from '../../telemetry/names.ts';
import { inTrace, type SpanStart } from '../../telemetry/trace.ts';
import { type KafkaConnection, openKafkaClient, type Outgoing } from './client.ts';
import { type Group, lagOf, openGroup } from './consumer.ts';
import { openDeadLetters, openHandling } from './retries-and-dead-letters.ts';
import { eventTopics, groupTopics, isRetryTopic } from './topics.ts';

const STOP_WITHIN_MS = 8_000;

export interface KafkaBus extends EventBus {
  /** Stops consuming and waits for events in progress; publishing still works until close(). */
  leave(): Promise<void>;
}

/**
 * Events on Kafka: a topic per event type, and a consumer group per group.
 * @param parts.partitions of new topics; existing topics keep theirs
 * @throws when no broker answers
 */
export async function openKafkaBus(
  parts: KafkaConnection & {
    partitions: number;
    logger: Logger;
    retries: RetryPolicy;
    stopWithinMs?: number;
  },
): Promise<KafkaBus> {
  const { partitions, logger, retries, stopWithinMs = STOP_WITHIN_MS } = parts;
  const client = openKafkaClient(parts, logger);
  await client.ensureTopics(eventTopics(partitions)).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  const deadLetters = openDeadLetters(client);
  const guard = openPoisonMessageGuard();
  const groups = new Map<string, Group>();
  let leaving: Promise<unknown> | undefined;
  const leave = async () => {
    leaving ??= Promise.all([...groups.values()].map((group) => group.close()));
    await leaving;
  };

  const publishOne = (event: ArboledaEvent) =>
    inTrace(publishing(event.type), event.traceparent, () => client.send([toMessage(event)]));
  return {
    engine: 'kafka',
    async publish(events) {
      const once = new Map(events.map((event) => [event.id, parseEvent(event)]));
      if (once.size > 0) await Promise.all([...once.values()].map(publishOne));
    },
    async subscribe(group, handlers) {
      const before = groups.get(plainName(group));
      const own = groupTopics(group, partitions);
      await client.ensureTopics(own);
      const retryTopics = own.map(({ topic }) => topic).filter((topic) => isRetryTopic(group, topic));
      await before?.close();
      if (leaving) throw new Error('the event bus is closed');
      const opened = openGroup({
        client,
        group,
        topics: [...Object.keys(handlers), ...retryTopics],
        handling: (signal) => openHandling({ group, handlers, client, retries, logger, signal }),
        guard,
        logger,
        stopWithinMs,
      });
      groups.set(group, opened);
      await opened.joined;
    },
    waiting: (group) => lagOf(client, plainName(group)),
    deadLetters: deadLetters.list,
    replay: deadLetters.replay,
    discard: deadLetters.discard,
    async check() {
      for (const group of groups.values()) group.check();
      await client.ping();
    },
    leave,
    async close() {
      await leave();
      await client.close();
    },
  };
}

const publishing = (type: string): SpanStart => ({
  name: SPANS.publishEvent(type),
  kind: 'producer',
  attributes: {
    'messaging.system': 'kafka',
    'messaging.operation.type': 'send',
    'messaging.destination.name': type,
  },
});

const toMessage = (event: ArboledaEvent): Outgoing => ({
  topic: event.type,
  key: event.key,
  ...toCloudEvent(event),
});

function plainName(group: string): string {
  if (!/^[\w-]{1,64}$/.test(group)) throw new Error(`"${group}" cannot name a group`);
  return group;
}
