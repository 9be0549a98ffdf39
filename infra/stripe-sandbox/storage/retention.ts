import type { TableName, Tables } from '../records.ts';

const DAY_S = 24 * 60 * 60;
/** Stripe keeps idempotency keys for at least 24 hours and events for 30 days. */
const IDEMPOTENCY_AGE_S = DAY_S;
const EVENT_AGE_S = 30 * DAY_S;
/** Bounds the disk under heavy use: about 60 MB of events. */
const MOST_EVENTS = 20_000;
const MOST_ANSWERS = 20_000;

type Keepers = { [K in TableName]?: (objects: Tables[K][], nowS: number) => Tables[K][] };

const KEPT: Keepers = {
  idempotency: (answers, nowS) =>
    answers.filter(({ created }) => nowS - created < IDEMPOTENCY_AGE_S).slice(-MOST_ANSWERS),
  events: (events, nowS) =>
    events.filter(
      (event, index) =>
        event.pending_webhooks > 0 ||
        (nowS - event.created < EVENT_AGE_S && events.length - index <= MOST_EVENTS),
    ),
  deliveries: (deliveries) =>
    deliveries.filter(
      ({ state }, index) =>
        state === 'pending' || state === 'held' || deliveries.length - index <= MOST_EVENTS,
    ),
};

/** The rows of a table (oldest first) that compaction keeps. Undelivered webhooks are always kept. */
export function worthKeeping<K extends TableName>(
  table: K,
  objects: Tables[K][],
  nowMs: number,
): Tables[K][] {
  const keep = KEPT[table];
  return keep ? keep(objects, nowMs / 1000) : objects;
}
