import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';

/**
 * Handles one event. Delivery is at least once: the effect must be recorded together with `event.id`
 * (Collection.change and Sql.consume do). Throwing means "try again later"; after the last try the event becomes a
 * dead letter.
 */
export type EventHandler<Type extends EventType = EventType> = (event: ArboledaEvent<Type>) => Promise<void>;
export type EventHandlers = { [Type in EventType]?: EventHandler<Type> };

export interface DeadLetter {
  id: string;
  group: string;
  event: ArboledaEvent;
  error: string;
  failedAt: string;
}

/** Events between services. Events of one key reach a group in the order they were published, unless one fails. */
export interface EventBus {
  /** Resolves when the bus has stored them; the same event id published again is delivered at most once more. */
  publish(events: readonly ArboledaEvent[]): Promise<void>;
  /** Every group gets every event of the types it handles, on one of its replicas. Remembered across restarts. */
  subscribe(group: string, handlers: EventHandlers): Promise<void>;
  deadLetters(group?: string): Promise<DeadLetter[]>;
  /** Gives a dead letter to its group once more. @returns false when there is no such dead letter. */
  replay(deadLetterId: string): Promise<boolean>;
  /** @throws when the bus cannot be reached. */
  check(): Promise<void>;
  /** Stops taking events, waits for those in hand. */
  close(): Promise<void>;
}
