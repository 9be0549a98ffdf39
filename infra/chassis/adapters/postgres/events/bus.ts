import { type ArboledaEvent, type EventType, parseEvent } from '@arboleda/contracts/events/index.ts';
import type pg from 'pg';
import { openCaution } from '../../../caution.ts';
import { deliver } from '../../../events/deliver.ts';
import type { Logger } from '../../../log.ts';
import type { EventBus, EventHandler } from '../../../ports/event-bus.ts';
import { addJobs, MAX_TAKEN } from '../queue/add.ts';
import { buryAll, exhume, listDead } from '../queue/dead-letters.ts';
import type { RetryPolicy } from '../../../retry.ts';
import type { Runner } from '../queue/runner.ts';
import { LATE } from '../sql/pool.ts';
import { PLANNED_ONCE, prepared } from '../sql/prepared.ts';
import { openSuspects } from '../queue/suspects.ts';
import { EVENTS_ANNOUNCED } from '../queue/announcements.ts';

/** An event on its way to one group. */
interface Delivery {
  event: unknown;
  /** How many attempts have failed. */
  attempt: number;
  key: string;
  queue: string;
}

/** Order is kept within a queue. With fewer, keys wait for each other; with many more, fetches are slow. */
const QUEUES_PER_GROUP = 16;

/** What is published comes from an outbox, whose row goes after it: lost together, they are published again. */
const PUBLISH = `
  with ${LATE}, ${PLANNED_ONCE}, e as materialized (
    select type, event_key, id, event, n from rows from (json_to_recordset($1::json) as (type text, "eventKey" text, id text, event json))
      with ordinality as e(type, event_key, id, event, n)
  ), d as (
    select s.consumer, e.type, e.event, e.n,
      'event:' || s.consumer || ':' || e.id as key,
      'event:' || s.consumer || ':' || mod(hashtext(e.event_key) & 2147483647, ${QUEUES_PER_GROUP}) as queue
    from e join chassis.subscriptions s on s.type = e.type
  ), specs as (
    select array_agg((
      'event:' || consumer || ':' || type,
      json_build_object('event', event, 'attempt', 0, 'key', key, 'queue', queue),
      queue, now() + n * interval '1 microsecond', ${MAX_TAKEN}, key, 0, null
    )::graphile_worker.job_spec order by n) as all_specs from d
  )
  select pg_notify('jobs:insert', '${EVENTS_ANNOUNCED}')
  from late, planned_once, specs, graphile_worker.add_jobs(all_specs, true) where all_specs is not null`;

/** Events on graphile-worker: each becomes a job for every group that wants its type. */
export function openEventBus(parts: {
  pool: pg.Pool;
  runner: Runner;
  retries: RetryPolicy;
  logger: Logger;
  close: () => Promise<void>;
}): EventBus {
  const { pool, runner, retries, logger } = parts;

  const suspects = openSuspects(pool, openCaution());

  const attempt = (group: string, task: string, handle: EventHandler, delivery: Delivery, taken: number) => {
    const { event, attempt: failed, key, queue } = delivery;
    const bury = (error: unknown) =>
      buryAll(pool, [{ task, key, queue, payload: delivery, error: String(error) }]);
    const retry = (times: number, delayMs: number) =>
      addJobs(pool, [{ task, key, queue, delayMs, payload: { ...delivery, attempt: times } }]);
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

  return {
    engine: 'postgres',
    async publish(events) {
      if (events.length === 0) return;
      const rows = new Map(events.map((event) => [event.id, parseEvent(event)]));
      const batch = [...rows.values()].map((event) => ({
        type: event.type,
        eventKey: event.key,
        id: event.id,
        event,
      }));
      await pool.query(prepared(PUBLISH, [JSON.stringify(batch)]));
    },
    async subscribe(group, handlers) {
      const types = Object.keys(handlers) as EventType[];
      await pool.query(
        `with wanted as (
           insert into chassis.subscriptions (consumer, type) select $1, unnest($2::text[]) on conflict do nothing)
         delete from chassis.subscriptions where consumer = $1 and type <> all($2)`,
        [plainName(group), types],
      );
      for (const type of types) {
        const task = `event:${group}:${type}`;
        const handle = handlers[type] as EventHandler;
        await runner.add(task, (payload, taken) => attempt(group, task, handle, payload as Delivery, taken));
      }
    },
    async waiting(group) {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs where starts_with(task_identifier, $1)`,
        [`event:${plainName(group)}:`],
      );
      return rows[0]!.n;
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
    async check() {
      runner.check();
      await pool.query('select 1');
    },
    close: parts.close,
  };
}

function plainName(group: string): string {
  if (!/^[\w-]{1,64}$/.test(group)) throw new Error(`"${group}" cannot name a group`);
  return group;
}
