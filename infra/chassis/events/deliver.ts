import { type ArboledaEvent, EVENTS, parseEvent } from '@arboleda/contracts/events/index.ts';
import { withAudit } from '../audit/audit.ts';
import { withContext } from '../context.ts';
import type { Logger } from '../log.ts';
import type { EventHandler } from '../ports/event-bus.ts';
import { retryDelayMs, type RetryPolicy } from '../retry.ts';
import { SPANS } from '../telemetry/names.ts';
import { type SpanStart, traced } from '../telemetry/trace.ts';
import { crashPoint } from '../crash-point.ts';

/** One attempt to deliver an event to a group, and what its bus does on failure. */
export interface Delivery {
  group: string;
  /** Not validated yet. */
  event: unknown;
  /** Failed attempts so far. */
  failed: number;
  /** Stores the event for another attempt. @param failed attempts that have failed */
  retry(failed: number, delayMs: number): Promise<void>;
  storeDeadLetter(error: unknown): Promise<void>;
}

/** @throws when it is not a known event, or not in the version this process knows */
function readEvent(value: unknown): ArboledaEvent {
  const event = parseEvent(value);
  const known = EVENTS[event.type].version;
  if (event.version !== known) {
    throw new Error(`${event.type} is known in version ${known}, this is version ${event.version}`);
  }
  return event;
}

/**
 * Makes one attempt. Resolves when the effect, the retry or the dead letter is stored.
 * @throws only what `retry` and `storeDeadLetter` throw
 */
export async function deliver(
  delivery: Delivery,
  handle: EventHandler,
  { retries, logger }: { retries: RetryPolicy; logger: Logger },
): Promise<void> {
  const { group } = delivery;
  const giveUp = (error: unknown, known?: { type: string; eventId: string }) => {
    logger.error({ err: error, group, ...known }, 'an event became a dead letter');
    return delivery.storeDeadLetter(error);
  };
  let event: ArboledaEvent;
  try {
    event = readEvent(delivery.event);
  } catch (error) {
    return giveUp(error);
  }
  const { correlationId, id: eventId, type } = event;
  const orderId = orderOf(event);
  await withContext({ correlationId, causationId: eventId, ...(orderId && { orderId }) }, async () => {
    const startedAt = performance.now();
    try {
      // In one process, the call of the admin who caused the event is still running.
      await withAudit(undefined, () => traced(handling(event, group), () => handle(event)));
      crashPoint('handled');
      const durationMs = Math.round(performance.now() - startedAt);
      logger.info({ group, type, eventId, durationMs }, 'an event was handled');
    } catch (error) {
      const failed = delivery.failed + 1;
      const delayMs = retryDelayMs(retries, failed);
      if (delayMs === undefined) return giveUp(error, { type, eventId });
      logger.debug({ err: error, group, type, eventId, failed, delayMs }, 'an event will be tried again');
      await delivery.retry(failed, delayMs);
    }
  });
}

const orderOf = ({ data }: ArboledaEvent): string | undefined =>
  'orderId' in data ? data.orderId : undefined;

const handling = (event: ArboledaEvent, group: string): SpanStart => ({
  name: SPANS.processEvent(event.type),
  kind: 'consumer',
  service: group,
  parent: event.traceparent,
  attributes: {
    'messaging.operation.type': 'process',
    'messaging.destination.name': event.type,
    'messaging.consumer.group.name': group,
    'messaging.message.id': event.id,
  },
});
