import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type pg from 'pg';
import { prepared } from '../sql/prepared.ts';

/** An event that this process has leased for one group. */
export interface Delivery {
  seq: string;
  group: string;
  key: string;
  /** The event as published; another version may have written anything. */
  event: unknown;
  /** Failed attempts. */
  failed: number;
  /** Times it was leased since the last attempt ended; above 1 only after crashes. */
  taken: number;
}

/** A row that was just stored. */
export interface Stored {
  seq: string;
  group: string;
  id: string;
  /** Leased by the process that stored it. */
  isOwn: boolean;
}

/** One row per event and group: published and not handled yet. */
export interface Deliveries {
  /** See `Outbox`. The row is leased to this process when no other process is ahead in its key. */
  insert(at: number, where?: string): string;
  /** @param groups of this process with free capacity */
  values(events: readonly ArboledaEvent[], groups: readonly string[]): unknown[];
  store(events: readonly ArboledaEvent[], groups: readonly string[]): Promise<Stored[]>;
  /** Leases at most `limit` due rows, in the order of each key. */
  take(groups: readonly string[], limit: number): Promise<Delivery[]>;
  /** Deletes handled rows. */
  remove(seqs: readonly string[]): Promise<void>;
  retry(seq: string, failed: number, delayMs: number): Promise<void>;
  storeDeadLetter(seq: string, error: string): Promise<void>;
  /** Records that the event starts alone. @returns how often it did, including now */
  countAlone(seq: string): Promise<number>;
  /** Renews leases. */
  renewLeases(seqs: readonly string[]): Promise<void>;
  /** Releases this process's leases. */
  releaseOwn(): Promise<void>;
  /** Releases all leases: only for the one process on this database. */
  releaseAll(): Promise<void>;
  /** @param handled rows that are about to be deleted */
  waiting(group: string, handled: readonly string[]): Promise<number>;
}

/** @param parts.holder id of this process @param parts.leaseMs length of a lease */
export function openDeliveries(parts: { pool: pg.Pool; holder: string; leaseMs: number }): Deliveries {
  const { pool, holder } = parts;
  const lease = `now() + ${Math.round(parts.leaseMs)} * interval '1 millisecond'`;
  const insert = (at: number, where = 'true') => `
    insert into chassis.deliveries as d (group_name, event_id, key, event, taken, taken_by, taken_until)
    select s.group_name, e.event ->> 'id', e.event ->> 'key', e.event,
      m.is_mine::integer, case when m.is_mine then $${at + 1}::text end, case when m.is_mine then ${lease} end
    from json_array_elements($${at}::json) with ordinality as e(event, n)
    join chassis.subscriptions s on s.type = e.event ->> 'type'
    cross join lateral (select s.group_name = any($${at + 2}::text[]) and not exists (
      select from chassis.deliveries f
      where f.group_name = s.group_name and f.key = e.event ->> 'key' and f.failed = 0
        and (f.taken_by is distinct from $${at + 1}::text or f.taken_until < now())
    ) as is_mine) as m
    where ${where}
    order by e.n on conflict (group_name, event_id) do nothing
    returning seq::text, group_name as "group", event_id as id, taken_by is not null as "isOwn"`;
  const values = (events: readonly ArboledaEvent[], groups: readonly string[]) => [
    JSON.stringify(events),
    holder,
    groups,
  ];
  return {
    insert,
    values,
    async store(events, groups) {
      const { rows } = await pool.query<Stored>(prepared(insert(1), values(events, groups)));
      return rows;
    },
    async take(groups, limit) {
      const { rows } = await pool.query<Delivery>(prepared(take(lease), [holder, groups, limit]));
      return rows.toSorted((one, other) => Number(BigInt(one.seq) - BigInt(other.seq)));
    },
    async remove(seqs) {
      await pool.query(prepared('delete from chassis.deliveries where seq = any($1::bigint[])', [seqs]));
    },
    async retry(seq, failed, delayMs) {
      await pool.query(
        `update chassis.deliveries set failed = $2, due_at = now() + $3 * interval '1 millisecond',
           taken_by = null, taken_until = null, taken = 0, alone = 0 where seq = $1`,
        [seq, failed, delayMs],
      );
    },
    async storeDeadLetter(seq, error) {
      await pool.query(
        `with lost as (delete from chassis.deliveries where seq = $1 returning *)
         insert into chassis.dead_letters (kind, owner, task, key, payload, error)
         select 'event', group_name, coalesce(event ->> 'type', ''), key, event, $2 from lost`,
        [seq, error],
      );
    },
    async countAlone(seq) {
      const { rows } = await pool.query<{ alone: number }>(
        'update chassis.deliveries set alone = alone + 1 where seq = $1 returning alone',
        [seq],
      );
      return rows[0]?.alone ?? 0;
    },
    async renewLeases(seqs) {
      await pool.query(`update chassis.deliveries set taken_until = ${lease} where seq = any($1::bigint[])`, [
        seqs,
      ]);
    },
    async releaseOwn() {
      await pool.query(
        `update chassis.deliveries set taken_by = null, taken_until = null, taken = 0 where taken_by = $1`,
        [holder],
      );
    },
    async releaseAll() {
      await pool.query(
        'update chassis.deliveries set taken_by = null, taken_until = null where taken_by is not null',
      );
    },
    async waiting(group, handled) {
      const { rows } = await pool.query<{ n: number }>(
        'select count(*)::int as n from chassis.deliveries where group_name = $1 and seq <> all($2::bigint[])',
        [group, handled],
      );
      return rows[0]!.n;
    },
  };
}

/**
 * A row may be leased when no earlier, unfailed row of its key is leased elsewhere. Processes take turns by an
 * advisory lock, because concurrent statements would not see each other's leases.
 */
const take = (lease: string) => `
  with turn as materialized (
    select pg_try_advisory_xact_lock(hashtext('arboleda'), hashtext('deliveries')) as is_ours
  ), free as materialized (
    select d.seq from chassis.deliveries d
    where (select is_ours from turn) and d.group_name = any($2) and d.due_at <= now()
      and (d.taken_until is null or d.taken_until < now())
      and (d.failed > 0 or not exists (
        select from chassis.deliveries e
        where e.group_name = d.group_name and e.key = d.key and e.seq < d.seq and e.failed = 0
          and e.taken_until >= now() and e.taken_by <> $1))
    order by d.seq limit $3
  )
  update chassis.deliveries d set taken = taken + 1, taken_by = $1, taken_until = ${lease}
  from free where d.seq = free.seq
  returning d.seq::text, d.group_name as "group", d.key, d.event, d.failed, d.taken`;
