import {
  type ArboledaEvent,
  EVENTS,
  keyOf,
  type NewEvent,
  parseEvent,
} from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import { type Context, currentContext } from '../context.ts';

/**
 * Wraps an event in its envelope: id, time, key and causes.
 * @param sequence version of the aggregate after the write
 * @throws ZodError when the event does not match its contract
 */
export const toEnvelope = (
  event: NewEvent,
  sequence: number,
  now: Date,
  context: Context = currentContext(),
): ArboledaEvent =>
  parseEvent({
    id: randomUUID(),
    type: event.type,
    version: EVENTS[event.type].version,
    occurredAt: now.toISOString(),
    key: keyOf(event),
    sequence,
    correlationId: context.correlationId,
    ...(context.causationId === undefined ? {} : { causationId: context.causationId }),
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    data: event.data,
  });

/**
 * @param sequence version of the aggregate after the write. @throws ZodError when an event does not match its
 * contract
 */
export const toEvents = (
  events: readonly NewEvent[] = [],
  sequence = 0,
  now: Date = new Date(),
): ArboledaEvent[] => events.map((event) => toEnvelope(event, sequence, now, currentContext()));
