import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type { EventBus } from '../ports/event-bus.ts';

/** One engine, and as many processes on it as a test wants. */
export interface BusEngine {
  /** Gives up after `attempts` tries that follow each other within a second. */
  attempts: number;
  connect(): Promise<EventBus>;
  /** By which a process of its own finds the engine: see testing/victim.ts. */
  environment: Record<string, string>;
  /** Closes what was connected, too. */
  close(): Promise<void>;
}

export type Failed = ArboledaEvent<'payment.failed'>;
export const aGroup = (): string => `group-${randomUUID()}`;

/** A group that writes down what it gets. */
export async function listenOn(bus: EventBus, group = aGroup()) {
  const heard: Failed[] = [];
  await bus.subscribe(group, { 'payment.failed': async (event) => void heard.push(event) });
  return { group, heard, ids: () => heard.map((event) => event.id) };
}
