import { fromCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '../../events/deliver.ts';
import type { Logger } from '../../log.ts';
import type { DeadLetter, EventHandler, EventHandlers } from '../../ports/event-bus.ts';
import type { RetryPolicy } from '../../retry.ts';
import type { Incoming, KafkaClient, Outgoing } from './client.ts';
import { deadLetterTopic, groupOf, isDeadLetterTopic, isRetryTopic, retryTopic } from './topics.ts';

const FAILED = 'failed';
const DUE = 'due';
const STORE_AGAIN_MS = 1_000;

/** Earliest time to handle a message, in milliseconds since 1970. */
export const dueAt = (message: Incoming): number => Number(message.headers[DUE] ?? 0);

/** A copy of the message for the retry topic. */
const toRetry = (
  group: string,
  { key, value, headers }: Pick<Incoming, 'key' | 'value' | 'headers'>,
  failed: number,
  delayMs: number,
): Outgoing => ({
  topic: retryTopic(group, delayMs),
  key: key ?? '',
  value: value ?? '',
  headers: { ...headers, [FAILED]: String(failed), [DUE]: String(Date.now() + delayMs) },
});

/**
 * Handles one message of a group. Both functions resolve when the effect, the retry or the dead letter is stored,
 * and keep trying while the brokers are unavailable. @throws when the group is closed meanwhile
 */
export interface Handling {
  handle(message: Incoming): Promise<void>;
  storeDeadLetter(message: Incoming, error: unknown): Promise<void>;
}

export function openHandling(parts: {
  group: string;
  handlers: EventHandlers;
  client: Pick<KafkaClient, 'send'>;
  retries: RetryPolicy;
  logger: Logger;
  signal: AbortSignal;
}): Handling {
  const { group, handlers, client, retries, logger, signal } = parts;

  const store = async (message: Outgoing) => {
    for (;;) {
      try {
        return await client.send([message]);
      } catch (error) {
        logger.warn({ err: error, group }, 'what a group could not handle is not stored yet');
        await sleep(STORE_AGAIN_MS, undefined, { signal });
      }
    }
  };
  const keep = (message: Incoming, error: unknown) => store(toDeadLetter(group, message, error));
  const giveUp = (message: Incoming, error: unknown) => {
    logger.error({ err: error, group }, 'an event became a dead letter');
    return keep(message, error);
  };
  return {
    storeDeadLetter: giveUp,
    async handle(message) {
      let event: unknown;
      try {
        event = fromCloudEvent({ headers: message.headers, value: message.value ?? '' });
      } catch (error) {
        return giveUp(message, new Error(`not JSON: ${(error as Error).message}`));
      }
      const handle: EventHandler = async (parsed) => {
        if (!isRetryTopic(group, message.topic) && parsed.type !== message.topic) {
          throw new Error(`${parsed.type} does not belong in ${message.topic}`);
        }
        // The group has dropped this type while the event waited for its retry.
        await (handlers[parsed.type as EventType] as EventHandler | undefined)?.(parsed);
      };
      const delivery = {
        group,
        event,
        failed: Number(message.headers[FAILED] ?? 0),
        retry: (failed: number, delayMs: number) => store(toRetry(group, message, failed, delayMs)),
        storeDeadLetter: (error: unknown) => keep(message, error),
      };
      await deliver(delivery, handle, { retries, logger });
    },
  };
}

/**
 * Value of a message in a dead-letter topic: the original message, and why it failed. Its key is the dead letter's
 * id.
 */
export interface DeadLetterValue extends Pick<DeadLetter, 'error' | 'failedAt' | 'place'> {
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
}

interface StoredDeadLetter extends DeadLetterValue {
  id: string;
  group: string;
}

function toDeadLetter(group: string, message: Incoming, error: unknown): Outgoing {
  const { key = '', value = '', headers, topic, partition, offset } = message;
  const failedAt = new Date().toISOString();
  const letter: DeadLetterValue = {
    key,
    value,
    headers,
    error: String(error),
    failedAt,
    place: { topic, partition, offset },
  };
  return { topic: deadLetterTopic(group), key: randomUUID(), value: JSON.stringify(letter) };
}

/** Dead letters of all groups. */
export function openDeadLetters(client: Pick<KafkaClient, 'topics' | 'spans' | 'read' | 'send'>) {
  /** Cached per topic until the topic grows. */
  const known = new Map<string, { high: number; letters: StoredDeadLetter[] }>();

  const all = async (group?: string): Promise<StoredDeadLetter[]> => {
    const wanted =
      group === undefined ? isDeadLetterTopic : (topic: string) => topic === deadLetterTopic(group);
    const topics = (await client.topics()).filter(wanted);
    const news = (await client.spans(topics)).filter(({ topic, high }) => known.get(topic)?.high !== high);
    const messages = Map.groupBy(await client.read(news), ({ topic }) => topic);
    for (const { topic, high } of news)
      known.set(topic, { high, letters: withoutTombstones(groupOf(topic), messages.get(topic) ?? []) });
    return topics
      .flatMap((topic) => known.get(topic)?.letters ?? [])
      .sort((a, b) => a.failedAt.localeCompare(b.failedAt));
  };
  /** @returns false when there is no dead letter with this id */
  const remove = async (id: string, first: (found: StoredDeadLetter) => Promise<void>): Promise<boolean> => {
    const found = (await all()).find((one) => one.id === id);
    if (!found) return false;
    await first(found);
    await client.send([{ topic: deadLetterTopic(found.group), key: id, value: null }]);
    return true;
  };

  return {
    /** Oldest first. */
    list: async (group?: string): Promise<DeadLetter[]> =>
      (await all(group)).map(({ key: _, value, headers, ...letter }) => ({
        ...letter,
        event: eventOrText(headers, value) as ArboledaEvent,
      })),
    /** Sends it to its group again. */
    replay: (id: string) =>
      remove(id, ({ group, key, value, headers }) =>
        client.send([toRetry(group, { key, value, headers }, 0, 0)]),
      ),
    discard: (id: string) => remove(id, async () => undefined),
  };
}

/** Messages that no tombstone has deleted. */
function withoutTombstones(group: string, messages: readonly Incoming[]): StoredDeadLetter[] {
  const letters = new Map<string, StoredDeadLetter>();
  for (const { key = '', value } of messages) {
    if (value) letters.set(key, { id: key, group, ...(JSON.parse(value) as DeadLetterValue) });
    else letters.delete(key);
  }
  return [...letters.values()];
}

/** The event if the value is JSON, else its text. */
function eventOrText(headers: Readonly<Record<string, string>>, value: string): unknown {
  try {
    return fromCloudEvent({ headers, value });
  } catch {
    return value;
  }
}
