import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type { EventBus } from '../ports/event-bus.ts';

/** An engine, on which a test opens any number of processes. */
export interface BusEngine {
  /** Attempts before giving up; all within a second. */
  attempts: number;
  connect(): Promise<EventBus>;
  /** Environment of a separate process on the engine: see testing/victim.ts. */
  environment: Record<string, string>;
  /** Closes the connections, too. */
  close(): Promise<void>;
}

export type Failed = ArboledaEvent<'payment.failed'>;
export const aGroup = (): string => `group-${randomUUID()}`;

/** Subscribes a group that records its events. */
export async function listenOn(bus: EventBus, group = aGroup()) {
  const heard: Failed[] = [];
  await bus.subscribe(group, { 'payment.failed': async (event) => void heard.push(event) });
  return { group, heard, ids: () => heard.map((event) => event.id) };
}
