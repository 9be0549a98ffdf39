import { type ArboledaEvent, type EventType, parseEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  KILLED_ITS_PROCESS,
  MAX_CRASHES_ALONE,
  openPoisonMessageGuard,
  SUSPECT_AFTER_CRASHES,
} from '../../../poison-message-guard.ts';
import { crashPoint } from '../../../crash-point.ts';
import { deliver } from '../../../events/deliver.ts';
import type { Logger } from '../../../log.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import type { EventBus, EventHandler, EventHandlers } from '../../../ports/event-bus.ts';
import { repeat } from '../../../repeat.ts';
import type { RetryPolicy } from '../../../retry.ts';
import { type Limit, openKeyedMutex, openLimit } from '../../../concurrency.ts';
import { deleteDeadLetter, listDead } from '../dead-letters.ts';
import { type Delivery, openDeliveries, type Stored } from './deliveries.ts';

export interface PostgresBus extends EventBus {
  /** The deliveries table is the outbox: a committed row is published. */
  outbox: Outbox;
}

/** Events of one group handled concurrently. */
const AT_ONCE = 10;
/** Beyond this, waiting events stay in the table and not in memory. */
const MAX_IN_PROGRESS = 1_000;
const TAKEN_AT_ONCE = 200;
/** Handled rows are deleted in batches. */
const REMOVE_AFTER_MS = 100;
const LEASE_MS = 10_000;
/** Polling finds rows of other processes, and rows that a crash left. */
const POLL_MS = { alone: 2_000, among: 100 };
const POLLING = 'looking for events that wait';

/**
 * Events in a table, one row per event and group. A row is stored in the transaction that decides the event, and
 * passed to this process's groups after the commit. Handled rows are deleted, failed ones wait for a retry, and
 * polling finds rows that a crash left.
 * @param parts.isAlone no other process takes events from this database, so every lease at the start was left by a
 * crash
 */
export async function openEventBus(parts: {
  pool: pg.Pool;
  retries: RetryPolicy;
  logger: Logger;
  isAlone: boolean;
  stopWithinMs: number;
  leaseMs?: number;
}): Promise<PostgresBus> {
  const { pool, retries, logger, isAlone, leaseMs = LEASE_MS } = parts;
  const deliveries = openDeliveries({ pool, holder: randomUUID(), leaseMs });
  if (isAlone) await deliveries.releaseAll();
  const groups = new Map<string, { handlers: EventHandlers; limit: Limit; inHand: number }>();
  const inHand = new Map<string, Promise<void>>();
  const inTurn = openKeyedMutex();
  const guard = openPoisonMessageGuard();
  const timers = new Set<NodeJS.Timeout>();
  let handled: string[] = [];
  let removing: Promise<void> | undefined;
  let polling: Promise<void> | undefined;
  /** The table may have more due rows than were taken. */
  let hasBacklog = false;
  let isStopped = false;

  const logFailure = (step: Promise<void>, what: string) =>
    step.catch((error: unknown) => logger.warn({ err: error }, what));
  const groupsWithCapacity = () =>
    isStopped ? [] : [...groups].flatMap(([name, { inHand }]) => (inHand < MAX_IN_PROGRESS ? [name] : []));

  const poll = (): Promise<void> =>
    (polling ??= (async () => {
      const names = groupsWithCapacity();
      const found = names.length > 0 ? await deliveries.take(names, TAKEN_AT_ONCE) : [];
      hasBacklog = found.length === TAKEN_AT_ONCE;
      found.forEach(begin);
    })().finally(() => (polling = undefined)));
  const pollAfter = (delayMs: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void logFailure(poll(), POLLING);
    }, delayMs);
    timers.add(timer);
  };

  const remove = (): Promise<void> =>
    (removing ??= (async () => {
      while (handled.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, isStopped ? 0 : REMOVE_AFTER_MS));
        const seqs = [...handled];
        // Rows that stay are delivered again, and the inbox ignores them.
        await logFailure(deliveries.remove(seqs), 'handled events cannot be removed yet');
        handled = handled.slice(seqs.length);
      }
    })().finally(() => (removing = undefined)));

  const attempt = async (delivery: Delivery, handle: EventHandler, isAloneNow = false): Promise<void> => {
    const { seq, group, event, failed } = delivery;
    let isDone = true;
    const storeDeadLetter = (error: unknown) => {
      isDone = false;
      return deliveries.storeDeadLetter(seq, String(error));
    };
    const retry = async (times: number, delayMs: number) => {
      isDone = false;
      await deliveries.retry(seq, times, delayMs);
      pollAfter(delayMs + 1);
    };
    await deliver({ group, event, failed, retry, storeDeadLetter }, handle, { retries, logger });
    if (!isDone) return;
    crashPoint('published');
    // Deleted at once, because the next event may kill the process.
    if (isAloneNow) return deliveries.remove([seq]);
    handled.push(seq);
    void remove();
  };

  /** Runs concurrently, or alone if processes crashed while it was in progress. */
  const guarded = (delivery: Delivery, handle: EventHandler): Promise<void> => {
    if (delivery.taken <= SUSPECT_AFTER_CRASHES) return guard.concurrently(() => attempt(delivery, handle));
    return guard.exclusively(async (isAloneNow) => {
      if (isAloneNow && (await deliveries.countAlone(delivery.seq)) > MAX_CRASHES_ALONE) {
        logger.error({ group: delivery.group }, 'an event became a dead letter: its process died each time');
        await deliveries.storeDeadLetter(delivery.seq, KILLED_ITS_PROCESS);
      } else await attempt(delivery, handle, true);
    });
  };

  const begin = (delivery: Delivery) => {
    const group = groups.get(delivery.group);
    if (!group || inHand.has(delivery.seq)) return;
    const { type } = delivery.event as { type: EventType };
    // The group no longer subscribes to this type.
    const handle = (group.handlers[type] ?? (async () => undefined)) as EventHandler;
    group.inHand++;
    const run = inTurn(`${delivery.group}/${delivery.key}`, () =>
      group.limit(async () => {
        if (!isStopped) await guarded(delivery, handle);
      }),
    );
    const done = logFailure(run, 'an event is left for another look').then(() => {
      group.inHand--;
      inHand.delete(delivery.seq);
      if (hasBacklog && inHand.size < TAKEN_AT_ONCE / 2) void logFailure(poll(), POLLING);
    });
    inHand.set(delivery.seq, done);
  };

  const offer = (events: readonly ArboledaEvent[], rows: readonly Stored[]) => {
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const { seq, group, id, isOwn } of rows) {
      const stored = byId.get(id)!;
      if (isOwn) {
        // JSON round trip: the handler gets the same value as from the table.
        const event: unknown = JSON.parse(JSON.stringify(stored));
        begin({ seq, group, key: stored.key, event, failed: 0, taken: 1 });
      } else if (groups.has(group)) {
        hasBacklog = true;
        pollAfter(0);
      }
    }
  };

  const poller = repeat(isAlone ? POLL_MS.alone : POLL_MS.among, poll, logger, POLLING);
  const leaseRenewal = repeat(
    leaseMs / 3,
    async () => {
      if (inHand.size > 0) await deliveries.renewLeases([...inHand.keys()]);
    },
    logger,
    'keeping events in hand',
  );

  const close = async () => {
    isStopped = true;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([poller.stop(), leaseRenewal.stop(), polling?.catch(() => undefined)]);
    let cut: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (cut = setTimeout(resolve, parts.stopWithinMs)));
    await Promise.race([Promise.all(inHand.values()), tooLong]);
    clearTimeout(cut);
    await removing;
    await logFailure(deliveries.releaseOwn(), 'events in hand cannot be given back');
  };
  let closing: Promise<void> | undefined;

  return {
    engine: 'postgres',
    outbox: {
      insert: deliveries.insert,
      values: (events) => deliveries.values(events, groupsWithCapacity()),
      committed: (events, rows) => offer(events, rows as readonly Stored[]),
      // A committed event is on the bus already.
      ageMs: async () => 0,
      close: async () => undefined,
    },
    async publish(events) {
      const once = [...new Map(events.map((event) => [event.id, parseEvent(event)])).values()];
      if (once.length > 0) offer(once, await deliveries.store(once, groupsWithCapacity()));
    },
    async subscribe(group, handlers) {
      const types = Object.keys(handlers) as EventType[];
      await pool.query(
        `with wanted as (
           insert into chassis.subscriptions (group_name, type) select $1, unnest($2::text[]) on conflict do nothing)
         delete from chassis.subscriptions where group_name = $1 and type <> all($2)`,
        [plainName(group), types],
      );
      const known = groups.get(group);
      if (known) known.handlers = handlers;
      else groups.set(group, { handlers, limit: openLimit(AT_ONCE), inHand: 0 });
      pollAfter(0);
    },
    waiting: (group) => deliveries.waiting(plainName(group), handled),
    async deadLetters(group) {
      const letters = await listDead(pool, 'event', group);
      return letters.map(({ id, owner, payload, error, failed_at }) => ({
        id,
        group: owner,
        event: payload as ArboledaEvent,
        error,
        failedAt: failed_at.toISOString(),
      }));
    },
    async replay(deadLetterId) {
      const { rowCount } = await pool.query(
        `with again as (delete from chassis.dead_letters where kind = 'event' and id::text = $1 returning *)
         insert into chassis.deliveries (group_name, event_id, key, event)
         select owner, coalesce(payload ->> 'id', id::text), key, payload::json from again
         on conflict (group_name, event_id) do update set failed = 0`,
        [deadLetterId],
      );
      if (rowCount) pollAfter(0);
      return rowCount === 1;
    },
    discard: (deadLetterId) => deleteDeadLetter(pool, 'event', deadLetterId),
    check: async () => void (await pool.query('select 1')),
    close: () => (closing ??= close()),
  };
}

function plainName(group: string): string {
  if (!/^[\w-]{1,64}$/.test(group)) throw new Error(`"${group}" cannot name a group`);
  return group;
}
