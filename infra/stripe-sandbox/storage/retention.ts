import type { StripeEvent } from '../objects.ts';
import type { Delivery, IdempotentAnswer, TableName } from '../records.ts';

const DAY_S = 24 * 60 * 60;
/** Stripe forgets idempotency keys after at least 24 hours and events after 30 days. */
const IDEMPOTENCY_AGE_S = DAY_S;
const EVENT_AGE_S = 30 * DAY_S;
/** A bound on the disk for a sandbox that is used hard: about 60 MB of events. */
const MOST_EVENTS = 20_000;
const MOST_ANSWERS = 20_000;

/** What a compaction keeps of a table (oldest first). Undelivered webhooks are always kept. */
export function worthKeeping<T extends { id: string }>(table: TableName, objects: T[], nowMs: number): T[] {
  const nowS = nowMs / 1000;
  if (table === 'idempotency') {
    return objects
      .filter((object) => nowS - (object as unknown as IdempotentAnswer).created < IDEMPOTENCY_AGE_S)
      .slice(-MOST_ANSWERS);
  }
  if (table === 'events') {
    return objects.filter((object, index) => {
      const event = object as unknown as StripeEvent;
      return (
        event.pending_webhooks > 0 ||
        (nowS - event.created < EVENT_AGE_S && objects.length - index <= MOST_EVENTS)
      );
    });
  }
  if (table === 'deliveries') {
    return objects.filter((object, index) => {
      const { state } = object as unknown as Delivery;
      return state === 'pending' || state === 'held' || objects.length - index <= MOST_EVENTS;
    });
  }
  return objects;
}
