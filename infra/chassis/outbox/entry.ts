import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { type Context, currentContext } from '../context.ts';
import { toEnvelope } from '../events/envelope.ts';
import type { Job } from '../ports/jobs.ts';

/** What waits in an outbox: an event for the bus, or a job for this service's queue. */
export type OutboxEntry = { event: ArboledaEvent } | { job: Job; context: Context };

/** @param sequence version of the aggregate after the write. @throws ZodError when an event is not as contracts say. */
export function toEntries(
  events: readonly NewEvent[] = [],
  jobs: readonly Job[] = [],
  sequence = 0,
  now: Date = new Date(),
): OutboxEntry[] {
  const context = currentContext();
  return [
    ...events.map((event) => ({ event: toEnvelope(event, sequence, now, context) })),
    ...jobs.map((job) => ({ job, context })),
  ];
}
