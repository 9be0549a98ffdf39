import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type pg from 'pg';
import type { Logger } from '../../log.ts';
import { openRelay, type Outbox } from '../../outbox/outbox.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { repeat } from '../../repeat.ts';
import { identifier, inTransaction } from './sql/pool.ts';
import { prepared } from './sql/prepared.ts';

export interface OutboxParts {
  pool: pg.Pool;
  /** Schema with the table `_outbox`. */
  service: string;
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  /** Minimum age of a row that the sweeper takes over from the relay. */
  graceMs?: number;
}

interface Row {
  seq: string;
  event: ArboledaEvent;
}

const GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 2_000;
const SWEEP_ROWS = 100;

/**
 * Outbox for a bus on another engine: a table in the service's schema, emptied by a relay, and by a sweeper after
 * failures.
 */
export function openOutbox(parts: OutboxParts): Outbox {
  const { pool, bus, logger } = parts;
  const table = `${identifier(parts.service)}._outbox`;
  const relay = openRelay<Row>({
    publish: (rows) => bus.publish(rows.map(({ event }) => event)),
    settle: async (rows) => {
      const seqs = rows.map(({ seq }) => seq);
      await pool.query(prepared(`delete from ${table} where seq = any($1::bigint[])`, [seqs]));
    },
    logger,
  });
  const sweeper = repeat(
    SWEEP_EVERY_MS,
    () =>
      sweep(
        parts,
        table,
        relay.inProgress().map(({ seq }) => seq),
      ),
    logger,
    'outbox sweep',
  );
  return {
    insert: (at, where = 'true') => `
      insert into ${table} (event)
      select event from json_array_elements($${at}::json) with ordinality as e(event, n) where ${where} order by n
      returning seq::text`,
    values: (events) => [JSON.stringify(events)],
    committed: (events, rows) =>
      relay.push((rows as { seq: string }[]).map(({ seq }, n) => ({ seq, event: events[n]! }))),
    async ageMs() {
      const { rows } = await pool.query<{ age: number }>(
        `select coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float as age from ${table}`,
      );
      return Math.max(0, rows[0]!.age);
    },
    async close() {
      await sweeper.stop();
      await relay.flush();
    },
  };
}

/** Publishes rows that a crash or an outage left. An event that cannot be published does not block the others. */
async function sweep(
  { pool, bus, logger, graceMs = GRACE_MS }: OutboxParts,
  table: string,
  inHand: readonly string[],
) {
  const left = `from ${table} where created_at < clock_timestamp() - $1 * interval '1 millisecond' and seq <> all($2)`;
  const values = [graceMs, inHand];
  // Usually there is none, and a transaction would cost two more round trips.
  const { rows: found } = await pool.query(`select ${left} limit 1`, values);
  if (found.length === 0) return;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select seq, event ${left} order by seq limit ${SWEEP_ROWS} for update skip locked`,
      values,
    );
    const done: string[] = [];
    for (const { seq, event } of rows) {
      await bus.publish([event]).then(
        () => void done.push(seq),
        (error: unknown) => logger.warn({ err: error, seq }, 'an event cannot be published yet'),
      );
    }
    if (done.length > 0) await client.query(`delete from ${table} where seq = any($1)`, [done]);
  });
}
