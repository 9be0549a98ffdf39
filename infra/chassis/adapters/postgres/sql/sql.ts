import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import pg from 'pg';
import { completeEntry, entryTexts } from '../../../audit/audit.ts';
import { crashPoint } from '../../../crash-point.ts';
import type { Logger } from '../../../log.ts';
import { toEvents } from '../../../events/envelope.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import type { Sql, Transaction, Write } from '../../../ports/sql.ts';
import { repeat } from '../../../repeat.ts';
import { addJobs, type QueuedJob, toQueued } from '../jobs/jobs.ts';
import { IDEMPOTENCY_DAYS } from '../../../retention.ts';
import { migrate } from './migrate.ts';
import { setsOfService } from './migration-files.ts';
import { type TransactionControl, inTransaction, openPool } from './pool.ts';
import { prepared } from './prepared.ts';

/** Seven services in one process must fit into PostgreSQL's default of 100 connections. */
const CONNECTIONS = 5;
const HOUSEKEEPING_EVERY_MS = 3_600_000;

export interface SqlParts {
  /** Name of the schema. */
  service: string;
  databaseUrl: string;
  migrations: URL;
  logger: Logger;
  /** @param pool of the service's schema */
  outbox(pool: pg.Pool): Outbox;
  clock?: () => Date;
}

/** Events, jobs and rows of the audit log, stored with a statement. */
interface StoredEffects {
  events: readonly ArboledaEvent[];
  jobs: readonly QueuedJob[];
  audit: readonly string[];
}

/** A service's PostgreSQL: its schema, a small pool, outbox and inbox. */
export async function openSql(parts: SqlParts): Promise<Sql> {
  const { service, logger } = parts;
  const clock = parts.clock ?? (() => new Date());
  const pool = openPool(parts.databaseUrl, logger, {
    max: CONNECTIONS,
    name: service,
    schema: service,
    pipelines: true,
  });
  const opened = async () => {
    for (const set of setsOfService(service, parts.migrations)) await migrate(pool, set);
    return parts.outbox(pool);
  };
  const outbox = await opened().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const pruner = repeat(
    HOUSEKEEPING_EVERY_MS,
    async () =>
      void (await pool.query(
        `delete from _inbox where consumed_at < now() - interval '${IDEMPOTENCY_DAYS} days'`,
      )),
    logger,
    'pruning the inbox',
  );
  const head = openHeadLog(pool, service, logger);
  const listeners = new Map<string, () => void>();

  /** @param begin first statements, whose results are passed to `run` */
  const transaction = async <T>(
    run: (tx: Transaction, begun: readonly pg.QueryResult[]) => Promise<T>,
    begin?: string,
  ): Promise<T> => {
    const work = async (client: pg.PoolClient, { firstResults, commit }: TransactionControl) => {
      const events: ArboledaEvent[] = [];
      const jobs: QueuedJob[] = [];
      const audit: string[] = [];
      const signals = new Set<string>();
      const result = await run(
        {
          query: (text, values) => client.query(prepared(text, values)),
          publish: async (some, sequence) => void events.push(...toEvents(some, sequence, clock())),
          enqueue: async (some) => void jobs.push(...toQueued(service, some)),
          audit: async (...some) => void audit.push(...entryTexts(some, clock())),
          signal: (name) => void signals.add(name),
        },
        firstResults,
      );
      if (events.length + jobs.length + audit.length === 0) {
        commit();
        return { result, signals };
      }
      crashPoint('before-commit');
      const effects = outboxSql(outbox, { events, jobs, audit }, 1);
      const storing = client.query<{ sent: unknown[] }>(
        prepared(`with ${effects.steps} select ${effects.answer}`, effects.values),
      );
      commit();
      const { sent } = (await storing).rows[0]!;
      return { result, signals, stored: { events, sent, isAudited: audit.length > 0 } };
    };
    const { result, signals, stored } = await inTransaction(pool, work, begin);
    if (stored) {
      crashPoint('after-commit');
      outbox.committed(stored.events, stored.sent);
      if (stored.isAudited) head.moved();
    }
    for (const name of signals) listeners.get(name)?.();
    return result;
  };

  let closing: Promise<void> | undefined;
  return {
    engine: 'postgres',
    query: (text, values) => pool.query(text, values as unknown[]),
    prepared: (text, values) => pool.query(prepared(text, values)),
    async write({ events: some, jobs: wanted = [], audit: done = [], sequence, ...write }) {
      const events = toEvents(some, sequence, clock());
      const jobs = toQueued(service, wanted);
      const audit = entryTexts(done, clock());
      const hasEffects = events.length + jobs.length + audit.length > 0;
      if (hasEffects) crashPoint('before-commit');
      const { rows } = await pool.query<{ isDone: boolean; sent?: unknown[] }>(
        statement(
          write,
          hasEffects ? (at) => outboxSql(outbox, { events, jobs, audit }, at, WRITTEN) : undefined,
        ),
      );
      const { isDone, sent = [] } = rows[0]!;
      if (isDone && hasEffects) {
        crashPoint('after-commit');
        outbox.committed(events, sent);
        if (audit.length > 0) head.moved();
      }
      return isDone;
    },
    transaction: (run) => transaction(run),
    consume: (eventId, run) =>
      transaction(
        async (tx, [seen]) => {
          if (seen?.rowCount === 0) return false;
          await run(tx);
          return true;
        },
        `insert into _inbox (event_id) values (${pg.escapeLiteral(eventId)}) on conflict do nothing`,
      ),
    onSignal: (name, run) => void listeners.set(name, run),
    async auditRead(key, read) {
      const entry = completeEntry(read, clock());
      if (!entry) return;
      await pool.query(prepared('select _record_read($1, $2)', [key, JSON.stringify(entry)]));
      head.moved();
    },
    outboxAgeMs: outbox.ageMs,
    async backupAgeMs() {
      const { rows } = await pool.query<{ age: number }>(BACKUP_AGE);
      return rows[0]!.age;
    },
    check: async () => void (await pool.query('select 1')),
    close: () =>
      (closing ??= (async () => {
        await pruner.stop();
        await outbox.close();
        await head.close();
        await pool.end();
      })()),
  };
}

/** Commands and other replicas write rows too, and are noticed then. */
const LOOK_AT_HEAD_EVERY_MS = 60_000;

/**
 * Writes the last row of the audit log to the process log as soon as it is stored. Rows that are cut off at the end, or a
 * log that is replaced, are found by comparing with these lines.
 */
function openHeadLog(pool: pg.Pool, service: string, logger: Logger) {
  let logged = '0';
  const log = async () => {
    const { rows } = await pool.query<{ seq: string; hash: string }>('select seq, hash from _audit_head');
    const { seq, hash } = rows[0]!;
    if (seq !== logged) logger.info({ audit: `${service}:${seq}:${hash}` }, 'last row of the audit log');
    logged = seq;
  };
  const looking = repeat(LOOK_AT_HEAD_EVERY_MS, log, logger, 'logging the last row of the audit log');
  let isBehind = false;
  let logging: Promise<void> | undefined;
  const catchUp = async () => {
    while (isBehind) {
      isBehind = false;
      await log().catch((error: unknown) => logger.warn({ err: error }, 'the audit log has no last line'));
    }
    logging = undefined;
  };
  /** Does not wait; rows that are stored meanwhile share a line. */
  const moved = () => {
    isBehind = true;
    logging ??= catchUp();
  };
  return {
    moved,
    async close() {
      await looking.stop();
      moved();
      await logging;
    },
  };
}

const BACKUP_AGE = `select (extract(epoch from now() - coalesce(
    (select max(made_at) from chassis.backups),
    (select min(applied_at) from chassis._migrations)
  )) * 1000)::float8 as age`;

const WRITTEN = 'exists (select from written)';

interface OutboxSql {
  /** Common table expressions. */
  steps: string;
  answer: string;
  values: unknown[];
}

/** Events and jobs, stored by the statement that decides them. @param at number of the first placeholder */
function outboxSql(
  outbox: Outbox,
  { events, jobs, audit }: StoredEffects,
  at: number,
  where = 'true',
): OutboxSql {
  const ofEvents = events.length > 0 ? outbox.values(events) : [];
  const sent = events.length > 0 ? outbox.insert(at, where) : `select null where false`;
  const ofJobs = jobs.length > 0 ? [JSON.stringify(jobs)] : [];
  const queued = jobs.length > 0 ? addJobs(at + ofEvents.length, where) : `select null`;
  const auditAt = at + ofEvents.length + ofJobs.length;
  const audited = `, audited as (select _record_audit($${auditAt}::text[]) as rows where ${where})`;
  return {
    steps: `sent as (${sent}), queued as (${queued})${audit.length > 0 ? audited : ''}`,
    // PostgreSQL skips a CTE that is not read, unless it inserts.
    answer:
      `(select coalesce(json_agg(sent), '[]') from sent) as sent, (select count(*) from queued) as queued` +
      (audit.length > 0 ? ', (select sum(rows) from audited) as audited' : ''),
    values: [...ofEvents, ...ofJobs, ...(audit.length > 0 ? [audit] : [])],
  };
}

function statement(
  { eventId, steps, locks, values: own }: Omit<Write, 'events' | 'jobs' | 'sequence'>,
  outboxAt: ((at: number) => OutboxSql) | undefined,
) {
  const values = eventId === undefined ? own : [...own, eventId];
  const unseen = `unseen as (
    insert into _inbox (event_id) values ($${values.length}) on conflict do nothing returning event_id), `;
  const all = (eventId === undefined ? '' : unseen) + steps;
  const isDone = `${WRITTEN} as "isDone"`;
  if (!outboxAt) return prepared(`with ${all} select ${isDone}`, values);
  const outbox = outboxAt(values.length + 1);
  const first = locks ? `(select count(*) from ${locks}) as locked, ` : '';
  return prepared(`with ${all}, ${outbox.steps} select ${first}${isDone}, ${outbox.answer}`, [
    ...values,
    ...outbox.values,
  ]);
}
