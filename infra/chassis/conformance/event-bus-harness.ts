import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type { EventBus } from '../ports/event-bus.ts';
import type { RetryPolicy } from '../retry.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';

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

export const QUICK_RETRIES: RetryPolicy = { maxAttempts: 3, delaysMs: [20, 100], maxDelayMs: 200 };

export async function openPostgresBus(): Promise<BusEngine> {
  const options = { onPostgres: true, eventRetries: QUICK_RETRIES, eventLeaseMs: 1_000 };
  const first = await openTestPlatform(options);
  const others: TestPlatform[] = [];
  return {
    attempts: QUICK_RETRIES.maxAttempts,
    environment: { DATABASE_URL: first.databaseUrl },
    async connect() {
      const platform = await openTestPlatform({ databaseUrl: first.databaseUrl, ...options });
      others.push(platform);
      return platform.bus;
    },
    async close() {
      for (const platform of others) await platform.close();
      await first.close();
    },
  };
}

export type Failed = ArboledaEvent<'payment.failed'>;
export const aGroup = (): string => `group-${randomUUID()}`;

/** Subscribes a group that records its events. */
export async function listenOn(bus: EventBus, group = aGroup()) {
  const received: Failed[] = [];
  await bus.subscribe(group, { 'payment.failed': async (event) => void received.push(event) });
  return { group, received, ids: () => received.map((event) => event.id) };
}
