import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';
import type { Dependency } from './engine.ts';

/**
 * Handles one event, delivered at least once: the effect must be recorded together with `event.id` (Records.change
 * and Sql.consume do). A handler that throws is retried; after the last attempt the event becomes a dead letter.
 */
export type EventHandler<Type extends EventType = EventType> = (event: ArboledaEvent<Type>) => Promise<void>;
export type EventHandlers = { [Type in EventType]?: EventHandler<Type> };

export interface DeadLetter {
  id: string;
  group: string;
  /** The message received; any value if it is unreadable. */
  event: ArboledaEvent;
  /** Error of the last attempt. */
  error: string;
  failedAt: string;
  /** Where the bus keeps the original event, if it does. */
  place?: { topic: string; partition: number; offset: number };
}

/**
 * Events between services. A group gets events of one key in the order of publishing, but later events pass one that
 * failed. Handlers run in the context of their event (correlation id, causation).
 */
export interface EventBus extends Dependency {
  /**
   * Resolves when the events are stored. Publishing an event id again may deliver it a second time.
   * @throws ZodError when an event does not match its contract; then none is stored
   */
  publish(events: readonly ArboledaEvent[]): Promise<void>;
  /**
   * Delivers all events of the handled types published from now on to one replica of the group. The subscription is
   * durable: events published while the group is down wait for it. A second call replaces the first and drops types
   * that it does not handle.
   */
  subscribe(group: string, handlers: EventHandlers): Promise<void>;
  /** Events published for a group and not handled yet; those waiting for a retry may be left out. */
  waiting(group: string): Promise<number>;
  /** Oldest first. */
  deadLetters(group?: string): Promise<DeadLetter[]>;
  /** Delivers a dead letter to its group again. @returns false when there is no such dead letter */
  replay(deadLetterId: string): Promise<boolean>;
  /** Deletes a dead letter. @returns false when there is no such dead letter */
  discard(deadLetterId: string): Promise<boolean>;
  /** Stops taking events and waits for those in progress; the rest is released. */
  close(): Promise<void>;
}
