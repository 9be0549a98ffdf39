import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type { EventHandlers } from '../ports/event-bus.ts';
import type { Platform } from '../ports/platform.ts';
import { waitFor } from './wait.ts';

/** Records events on the bus. */
export interface EventProbe {
  /** Events so far, in order of arrival. */
  all<Type extends EventType>(type: Type): ArboledaEvent<Type>[];
  /** Waits for an event that `next` has not returned yet. */
  next<Type extends EventType>(
    type: Type,
    predicate?: (event: ArboledaEvent<Type>) => boolean,
  ): Promise<ArboledaEvent<Type>>;
  /** Drops all recorded events. */
  forget(): void;
  /** Events on the bus that have not arrived yet. */
  waiting(): Promise<number>;
}

/** Subscribes as a separate group; only events published from now on arrive. */
export async function probeEvents(
  platform: Pick<Platform, 'bus'>,
  types: readonly EventType[],
): Promise<EventProbe> {
  const received: ArboledaEvent[] = [];
  const given = new Set<string>();
  const all = <Type extends EventType>(type: Type) =>
    received.filter((event) => event.type === type) as ArboledaEvent<Type>[];
  const hear = async (event: ArboledaEvent) => void received.push(event);
  const handlers = Object.fromEntries(types.map((type) => [type, hear])) as EventHandlers;
  const group = `probe-${randomUUID()}`;
  await platform.bus.subscribe(group, handlers);
  return {
    all,
    next<Type extends EventType>(
      type: Type,
      predicate: (event: ArboledaEvent<Type>) => boolean = () => true,
    ) {
      return waitFor<ArboledaEvent<Type>>(() => {
        const event = all(type).find((one) => !given.has(one.id) && predicate(one));
        if (event) given.add(event.id);
        return event;
      });
    },
    forget: () => void received.splice(0),
    waiting: () => platform.bus.waiting(group),
  };
}
