import type pg from 'pg';
import type { Logger } from '../../../log.ts';
import type { EventBus } from '../../../ports/event-bus.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { lockSchema } from '../sql/migrate.ts';
import { identifier, inTransaction, LATE } from '../sql/pool.ts';
import { prepared } from '../sql/prepared.ts';
import type { OutboxEntry } from '../../../outbox/entry.ts';
import { handOver, openRelay, store } from '../../../outbox/relay.ts';
import { repeat } from '../../../repeat.ts';

export interface StoredRow {
  seq: string;
  entry: OutboxEntry;
}

/** What a service has decided to say, kept in its schema until the bus has it. */
export interface Outbox {
  /** The table, to be written in the transaction that changes the state: rows of (entry jsonb) returning seq. */
  table: string;
  /** To be called with what was written, after the commit. */
  committed(rows: readonly StoredRow[]): void;
  /** Age of the oldest entry; 0 when there is none. */
  ageMs(): Promise<number>;
  /** Hands over what is pushed, and stops. */
  close(): Promise<void>;
}

export interface OutboxParts {
  pool: pg.Pool;
  /** The schema. */
  service: string;
  bus: Pick<EventBus, 'publish' | 'handOver'>;
  jobs: Pick<Jobs, 'enqueue' | 'handOver'>;
  logger: Logger;
  /** How old a row must be before the sweeper takes it from the relay that wrote it. */
  graceMs?: number;
}

const GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_ROWS = 100;
/** Far longer than an event can be on its way, dead letters included. */
const INBOX_KEPT = '90 days';
const PRUNE_EVERY_MS = 3_600_000;

export async function openOutbox(parts: OutboxParts): Promise<Outbox> {
  const table = `${identifier(parts.service)}._outbox`;
  await createTables(parts.pool, parts.service);
  const relay = openRelay({
    handOver: (entries) => handOver(entries, parts),
    settle: async (rows: readonly StoredRow[]) => {
      const seqs = rows.map((row) => row.seq);
      await parts.pool.query(
        prepared(`with ${LATE} select ${identifier(parts.service)}._settle($1) from late`, [seqs]),
      );
    },
    logger: parts.logger,
  });
  const pruner = repeat(
    PRUNE_EVERY_MS,
    async () =>
      void (await parts.pool.query(
        `delete from ${identifier(parts.service)}._inbox where consumed_at < now() - interval '${INBOX_KEPT}'`,
      )),
    parts.logger,
    'pruning the inbox',
  );
  const inHand = () => relay.inHand().map((row) => row.seq);
  const sweeper = repeat(SWEEP_EVERY_MS, () => sweep(parts, table, inHand()), parts.logger, 'outbox sweep');
  return {
    table,
    committed: (rows) => relay.push(rows),
    async ageMs() {
      const { rows } = await parts.pool.query<{ age: number }>(
        `select coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float as age from ${table}`,
      );
      return Math.max(0, rows[0]!.age);
    },
    async close() {
      await Promise.all([sweeper.stop(), pruner.stop()]);
      await relay.flush();
    },
  };
}

/** Planned for a table that is empty mostly, it would read all that was settled since the last vacuum. */
const SETTLE = `
  create or replace function _settle(seqs bigint[]) returns void language plpgsql
    set search_path from current set enable_seqscan = off set plan_cache_mode = force_generic_plan
  as $$ begin delete from _outbox where seq = any(seqs); end $$;`;

/** The tables of the chassis in a service's schema: what is to be told, and what was consumed. */
async function createTables(pool: pg.Pool, service: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockSchema(client, service);
    await client.query(`
      create table if not exists _outbox (
        seq bigint generated always as identity primary key,
        entry jsonb not null,
        created_at timestamptz not null default clock_timestamp()
      );
      create table if not exists _inbox (
        event_id text primary key,
        consumed_at timestamptz not null default now()
      );
      create index if not exists _inbox_consumed_at on _inbox (consumed_at);
      ${SETTLE}`);
  });
}

/** Publishes what a crash or an outage left. One entry that cannot be handed over does not hold up the others. */
async function sweep(parts: OutboxParts, table: string, inHand: readonly string[]): Promise<void> {
  const left = `from ${table} where created_at < clock_timestamp() - $1 * interval '1 millisecond' and seq <> all($2)`;
  const values = [parts.graceMs ?? GRACE_MS, inHand];
  // Mostly nothing is, and a transaction would be two ways to PostgreSQL for it.
  const { rows: found } = await parts.pool.query(`select ${left} limit 1`, values);
  if (found.length === 0) return;
  await inTransaction(parts.pool, async (client) => {
    const { rows } = await client.query<{ seq: string; entry: OutboxEntry }>(
      `select seq, entry ${left} order by seq limit ${SWEEP_ROWS} for update skip locked`,
      values,
    );
    const done: string[] = [];
    for (const { seq, entry } of rows) {
      await store(entry, parts).then(
        () => void done.push(seq),
        (error: unknown) => parts.logger.warn({ err: error, seq }, 'an outbox row cannot be handed over yet'),
      );
    }
    if (done.length > 0) await client.query(`delete from ${table} where seq = any($1)`, [done]);
  });
}
