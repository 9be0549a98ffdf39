import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';
import type { Dependency } from './engine.ts';

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
  /** As it came; of one that cannot be read, whatever it is. */
  event: ArboledaEvent;
  /** What the last attempt failed with. */
  error: string;
  failedAt: string;
  /** Where it lay when it was given up, in a bus that keeps what was handled. */
  place?: { topic: string; partition: number; offset: number };
}

/**
 * Events between services. Events of one key reach a group in the order they were published, unless one fails: then the
 * later ones pass it. A handler runs in the context of its event (correlation id; the event as cause).
 */
export interface EventBus extends Dependency {
  /**
   * Resolves when the bus has stored them; the same event id published again is delivered at most once more.
   * @throws ZodError when one of them is not as contracts say; then none is stored.
   */
  publish(events: readonly ArboledaEvent[]): Promise<void>;
  /**
   * Every group gets every event of the types it handles that is published from now on, on one of its replicas.
   * Remembered across restarts: what is published while the group is away waits for it. Another call takes the place of
   * the one before: types that are no longer handled are no longer kept for the group.
   */
  subscribe(group: string, handlers: EventHandlers): Promise<void>;
  /** How many events were published for a group and are not handled yet; those between two tries may be left out. */
  waiting(group: string): Promise<number>;
  /** Oldest first. */
  deadLetters(group?: string): Promise<DeadLetter[]>;
  /** Gives a dead letter to its group once more. @returns false when there is no such dead letter. */
  replay(deadLetterId: string): Promise<boolean>;
  /** Forgets a dead letter: its group never handles the event. @returns false when there is no such dead letter. */
  discard(deadLetterId: string): Promise<boolean>;
  /** Stops taking events, waits for those in hand; events whose handler does not end are given back. */
  close(): Promise<void>;
}
