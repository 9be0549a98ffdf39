import { type ArboledaEvent, parseEvent } from '@arboleda/contracts/events/index.ts';
import { openCaution } from '../../caution.ts';
import type { Logger } from '../../log.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { RetryPolicy } from '../../retry.ts';
import { type KafkaConnection, openKafkaClient } from './client.ts';
import { openGraveyard, toDeadLetter, tombstone } from './dead-letters.ts';
import { type Group, openGroup } from './group.ts';
import { dueAt, openHandling, toRetry } from './handling.ts';
import type { Outgoing } from './messages.ts';
import { eventTopics, groupTopics, isRetryTopic } from './topics.ts';
import { lagOf } from './starting-points.ts';

/** Events of a group that a replica handles at once. */
const AT_ONCE = 32;
const STOP_WITHIN_MS = 8_000;

export interface KafkaBus extends EventBus {
  /** Takes no more events and waits for those in hand; it can still publish until it is closed. */
  leave(): Promise<void>;
}

/**
 * Events on Kafka: a topic for each type, a consumer group for each group.
 * @param parts.partitions of topics that are created; those that exist keep theirs.
 * @throws when no broker answers.
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
  const graveyard = openGraveyard(client);
  const caution = openCaution();
  const groups = new Map<string, Promise<Group>>();
  const checks = new Map<string, () => void>();
  let leaving: Promise<void> | undefined;

  const open = async (group: string, handlers: Parameters<EventBus['subscribe']>[1]): Promise<Group> => {
    const own = groupTopics(group, retries, partitions);
    await client.ensureTopics(own);
    // Also those of an earlier policy: something may wait there.
    const waitingPlaces = (await client.topics()).filter((topic) => isRetryTopic(group, topic));
    const abandoned = new AbortController();
    const handling = openHandling({ group, handlers, client, retries, logger, signal: abandoned.signal });
    const topics = [...Object.keys(handlers), ...waitingPlaces];
    const opened = await openGroup({
      client,
      group,
      topics,
      logger,
      ...handling,
      caution,
      dueAt,
      atOnce: AT_ONCE,
      stopWithinMs,
    });
    return {
      check: opened.check,
      async close() {
        await opened.close();
        abandoned.abort();
      },
    };
  };

  const publish = async (events: readonly ArboledaEvent[]) => {
    const once = new Map(events.map((event) => [event.id, parseEvent(event)]));
    if (once.size > 0) await client.send([...once.values()].map(toMessage));
  };
  const letterOf = async (id: string) => (await graveyard.list()).find((grave) => grave.id === id);
  const leave = () =>
    (leaving ??= (async () => {
      const opened = await Promise.allSettled(groups.values());
      await Promise.all(opened.map(async (group) => group.status === 'fulfilled' && group.value.close()));
    })());

  return {
    engine: 'kafka',
    publish,
    async subscribe(group, handlers) {
      if (leaving) throw new Error('the event bus is closed');
      const previous = groups.get(plainName(group));
      checks.set(group, () => {
        throw new Error(`"${group}" reads nothing yet`);
      });
      const next = (async () => {
        await previous?.then((it) => it.close()).catch(() => undefined);
        return open(group, handlers);
      })();
      groups.set(group, next);
      checks.set(group, (await next).check);
    },
    waiting: (group) => lagOf(client, plainName(group)),
    deadLetters: async (group) => (await graveyard.list(group)).map(toDeadLetter),
    async replay(deadLetterId) {
      const grave = await letterOf(deadLetterId);
      if (!grave) return false;
      const { group, key, value } = grave;
      await client.send([toRetry(group, { key, value, headers: {} }, 0, 0, new Date())]);
      await client.send([tombstone(grave)]);
      return true;
    },
    async discard(deadLetterId) {
      const grave = await letterOf(deadLetterId);
      if (grave) await client.send([tombstone(grave)]);
      return grave !== undefined;
    },
    async check() {
      for (const checkGroup of checks.values()) checkGroup();
      await client.ping();
    },
    leave,
    async close() {
      await leave();
      await client.close();
    },
  };
}

const toMessage = (event: ArboledaEvent): Outgoing => ({
  topic: event.type,
  key: event.key,
  value: JSON.stringify(event),
  headers: {
    id: event.id,
    correlationId: event.correlationId,
    ...(event.traceparent && { traceparent: event.traceparent }),
  },
});

function plainName(group: string): string {
  if (!/^[\w-]{1,64}$/.test(group)) throw new Error(`"${group}" cannot name a group`);
  return group;
}
