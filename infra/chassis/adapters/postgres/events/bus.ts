import { type ArboledaEvent, type EventType, parseEvent } from '@arboleda/contracts/events/index.ts';
import type pg from 'pg';
import { crc32 } from 'node:zlib';
import { openCaution } from '../../../caution.ts';
import type { Courtesy } from '../../../courtesy.ts';
import { deliver } from '../../../events/deliver.ts';
import { handOverStored } from '../../../outbox/hand-over.ts';
import type { Logger } from '../../../log.ts';
import type { EventBus, EventHandler, EventHandlers } from '../../../ports/event-bus.ts';
import { addJobs, MAX_TAKEN } from '../queue/add.ts';
import { buryAll, exhume, forget, listDead } from '../queue/dead-letters.ts';
import type { RetryPolicy } from '../../../retry.ts';
import type { Runner } from '../queue/runner.ts';
import { LATE } from '../sql/pool.ts';
import { PLANNED_ONCE, prepared } from '../sql/prepared.ts';
import { openSuspects } from '../queue/suspects.ts';
import { EVENTS_ANNOUNCED } from '../queue/announcements.ts';
import { type AtHand, openAtHand, type Subscription } from './at-hand.ts';

/** An event on its way to one group. */
interface Delivery {
  event: unknown;
  /** How many attempts have failed. */
  attempt: number;
  key: string;
  queue: string;
}

/** An event, and the groups that get it without the queue. */
interface Share {
  event: ArboledaEvent;
  givenTo: readonly string[];
}

/** Order is kept within a queue. With fewer, keys wait for each other; with many more, fetches are slow. */
const QUEUES_PER_GROUP = 16;

/** What is published comes from an outbox, whose row goes after it: lost together, they are published again. */
const PUBLISH = `
  with ${LATE}, ${PLANNED_ONCE}, e as materialized (
    select type, lane, id, event, given_to, n
    from rows from (json_to_recordset($1::json) as (type text, lane int, id text, event json, "givenTo" text[]))
      with ordinality as e(type, lane, id, event, given_to, n)
  ), d as (
    select s.consumer, e.type, e.event, e.n,
      'event:' || s.consumer || ':' || e.id as key,
      'event:' || s.consumer || ':' || e.lane as queue
    from e join chassis.subscriptions s on s.type = e.type and s.consumer <> all(e.given_to)
  ), specs as (
    select array_agg((
      'event:' || consumer || ':' || type,
      json_build_object('event', event, 'attempt', 0, 'key', key, 'queue', queue),
      queue, now() + n * interval '1 microsecond', ${MAX_TAKEN}, key, 0, null
    )::graphile_worker.job_spec order by n) as all_specs from d
  )
  select pg_notify('jobs:insert', '${EVENTS_ANNOUNCED}')
  from late, planned_once, specs, graphile_worker.add_jobs(all_specs, true) where all_specs is not null`;

/** How many of each group's events are in the queue. */
const QUEUED = `
  select split_part(task_identifier, ':', 2) as consumer, count(*)::int as n from graphile_worker.jobs
  where starts_with(task_identifier, 'event:') group by 1`;

/**
 * Events on graphile-worker: each becomes a job for every group that wants its type.
 * @param parts.isAlone every group is of this process: what is handed over goes straight to groups that have nothing in the
 *   queue.
 */
export function openEventBus(parts: {
  pool: pg.Pool;
  runner: Runner;
  retries: RetryPolicy;
  logger: Logger;
  courtesy: Courtesy;
  isAlone: boolean;
  stopWithinMs: number;
}): EventBus {
  const { pool, runner, retries, logger, courtesy } = parts;

  const suspects = openSuspects(pool, openCaution());
  const queued = async () => {
    const { rows } = await pool.query<{ consumer: string; n: number }>(QUEUED);
    return new Map(rows.map(({ consumer, n }) => [consumer, n]));
  };
  const subscriptions = async () =>
    (await pool.query<Subscription>('select consumer, type from chassis.subscriptions')).rows;
  const atHand = parts.isAlone ? openAtHand({ queued, subscriptions, courtesy, logger }) : undefined;

  const store = async (shares: readonly Share[]) => {
    const batch = shares.map(({ event, givenTo }) => ({
      ...{ type: event.type, lane: laneOf(event), id: event.id, event, givenTo },
    }));
    const insert = async () => void (await pool.query(prepared(PUBLISH, [JSON.stringify(batch)])));
    if (!atHand) return insert();
    await atHand.whileStored(
      shares.flatMap(({ event, givenTo }) => without(atHand.wanting(event.type), givenTo)),
      insert,
    );
  };

  const attempt = (group: string, task: string, handle: EventHandler, delivery: Delivery, taken: number) => {
    const { event, attempt: failed, key, queue } = delivery;
    const bury = (error: unknown) =>
      buryAll(pool, [{ task, key, queue, payload: delivery, error: String(error) }]);
    const tryAgain = (times: number, delayMs: number) =>
      addJobs(pool, [{ task, key, queue, delayMs, payload: { ...delivery, attempt: times } }]);
    const retry = (times: number, delayMs: number) =>
      atHand ? atHand.whileStored([group], () => tryAgain(times, delayMs)) : tryAgain(times, delayMs);
    return suspects({
      key,
      taken,
      handle: () => deliver({ group, event, failed, retry, bury }, handle, { retries, logger }),
      bury(error) {
        logger.error({ err: error, task }, 'an event became a dead letter');
        return bury(error);
      },
    });
  };

  const giveTo = (group: string, handlers: EventHandlers, event: ArboledaEvent): Promise<void> => {
    const delivery = {
      // As it would come from the queue.
      event: JSON.parse(JSON.stringify(event)) as unknown,
      attempt: 0,
      key: `event:${group}:${event.id}`,
      queue: `event:${group}:${laneOf(event)}`,
    };
    return attempt(group, taskOf(group, event.type), handlers[event.type] as EventHandler, delivery, 1);
  };

  const publish = async (events: readonly ArboledaEvent[]) => {
    if (events.length === 0) return;
    const once = new Map(events.map((event) => [event.id, parseEvent(event)]));
    await store([...once.values()].map((event) => ({ event, givenTo: [] })));
  };

  /** What is given to whom is decided before anything is waited for: what is handed over later comes later. */
  const give = async (atHand: AtHand, events: readonly ArboledaEvent[]) => {
    const shares = events.map((event) => {
      const wanting = atHand.wanting(event.type);
      const givenTo = wanting.filter(atHand.takes);
      const handled = quietly(Promise.all(givenTo.map((group) => atHand.give(group, event))));
      return { event, givenTo, handled, isLeft: givenTo.length < wanting.length };
    });
    const left = shares.filter(({ isLeft }) => isLeft);
    const stored = left.length > 0 ? quietly(store(left)) : undefined;
    await stored?.catch(() => undefined);
    return shares.map(({ handled, isLeft }) => quietly(Promise.all([handled, isLeft && stored])));
  };

  return {
    engine: 'postgres',
    publish,
    handOver: atHand ? (events) => give(atHand, events) : handOverStored(publish),

    async subscribe(group, handlers, { canWait = false } = {}) {
      const types = Object.keys(handlers) as EventType[];
      await pool.query(
        `with wanted as (
           insert into chassis.subscriptions (consumer, type) select $1, unnest($2::text[]) on conflict do nothing)
         delete from chassis.subscriptions where consumer = $1 and type <> all($2)`,
        [plainName(group), types],
      );
      for (const type of types) {
        const task = taskOf(group, type);
        const handle = handlers[type] as EventHandler;
        await runner.add(task, (payload, taken) => {
          const delivery = payload as Delivery;
          const run = () => attempt(group, task, handle, delivery, taken);
          return atHand ? atHand.inTurn(group, keyOf(delivery), run) : run();
        });
      }
      await atHand?.subscribe(group, { handle: (event) => giveTo(group, handlers, event), canWait });
    },
    async waiting(group) {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs where starts_with(task_identifier, $1)`,
        [`event:${plainName(group)}:`],
      );
      return rows[0]!.n + (atHand?.inHand(group) ?? 0);
    },
    async deadLetters(group) {
      const graves = await listDead(pool, 'event', group);
      return graves.map((grave) => ({
        id: grave.id,
        group: grave.owner,
        event: (grave.payload as Delivery).event as ArboledaEvent,
        error: grave.error,
        failedAt: grave.failed_at.toISOString(),
      }));
    },
    replay: (deadLetterId) => exhume(pool, 'event', deadLetterId),
    discard: (deadLetterId) => forget(pool, 'event', deadLetterId),
    async check() {
      runner.check();
      await pool.query('select 1');
    },
    close: async () => void (await Promise.all([runner.stop(), atHand?.stop(parts.stopWithinMs)])),
  };
}

/** Of what may not be an event at all. */
const keyOf = ({ event }: Delivery): string => String((event as Partial<ArboledaEvent> | null)?.key);
/** Within one, order is kept. */
const laneOf = (event: ArboledaEvent): number => crc32(event.key) % QUEUES_PER_GROUP;
const taskOf = (group: string, type: EventType) => `event:${group}:${type}`;
const without = (all: readonly string[], some: readonly string[]) => all.filter((one) => !some.includes(one));

/** Nobody may be listening yet when it fails. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function plainName(group: string): string {
  if (!/^[\w-]{1,64}$/.test(group)) throw new Error(`"${group}" cannot name a group`);
  return group;
}
