import type { EventType } from '@arboleda/contracts/events/index.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '../../events/deliver.ts';
import type { Logger } from '../../log.ts';
import type { EventHandler, EventHandlers } from '../../ports/event-bus.ts';
import type { RetryPolicy } from '../../retry.ts';
import type { KafkaClient } from './client.ts';
import { toGrave } from './dead-letters.ts';
import type { Incoming, Outgoing } from './messages.ts';
import { isRetryTopic, retryTopic } from './topics.ts';

const FAILED = 'failed';
const DUE = 'due';
const STORE_AGAIN_MS = { first: 100, most: 5_000 };

/** When a message may be handled, in milliseconds since 1970. */
export const dueAt = (message: Incoming): number => Number(message.headers[DUE] ?? 0);

/** The same message once more, for later. */
export const toRetry = (
  group: string,
  message: Pick<Incoming, 'key' | 'value' | 'headers'>,
  failed: number,
  delayMs: number,
  now: Date,
): Outgoing => ({
  topic: retryTopic(group, delayMs),
  key: message.key ?? '',
  value: message.value ?? '',
  headers: { ...message.headers, [FAILED]: String(failed), [DUE]: String(now.getTime() + delayMs) },
});

/**
 * What a group does with a message. Both resolve when its effect is stored, or it is stored for another try or as a dead
 * letter, however long the brokers are away. @throws when `signal` ends that.
 */
export interface Handling {
  handle(message: Incoming): Promise<void>;
  bury(message: Incoming, error: unknown): Promise<void>;
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

  const store = async (message: () => Outgoing) => {
    for (let waitMs = STORE_AGAIN_MS.first; ; waitMs = Math.min(2 * waitMs, STORE_AGAIN_MS.most)) {
      try {
        return await client.send([message()]);
      } catch (error) {
        logger.warn({ err: error, group }, 'what a group could not handle is not stored yet');
        await sleep(waitMs, undefined, { signal });
      }
    }
  };

  const now = () => new Date();
  const keep = (message: Incoming, error: unknown) => store(() => toGrave(group, message, error, now()));
  const bury = (message: Incoming, error: unknown) => {
    logger.error({ err: error, group }, 'an event became a dead letter');
    return keep(message, error);
  };
  const attempt = async (message: Incoming) => {
    let event: unknown;
    try {
      event = JSON.parse(message.value ?? '');
    } catch (error) {
      return bury(message, new Error(`not JSON: ${(error as Error).message}`));
    }
    const handle: EventHandler = async (parsed) => {
      if (!isRetryTopic(group, message.topic) && parsed.type !== message.topic) {
        throw new Error(`${parsed.type} does not belong in ${message.topic}`);
      }
      // A type the group has given up while the event waited for its next try is nobody's.
      await (handlers[parsed.type as EventType] as EventHandler | undefined)?.(parsed);
    };
    const failed = Number(message.headers[FAILED] ?? 0);
    const retry = (attempts: number, delayMs: number) =>
      store(() => toRetry(group, message, attempts, delayMs, now()));
    await deliver({ group, event, failed, retry, bury: (error) => keep(message, error) }, handle, {
      retries,
      logger,
    });
  };
  return { handle: attempt, bury };
}
