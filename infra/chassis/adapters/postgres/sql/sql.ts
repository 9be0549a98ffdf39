import pg from 'pg';
import type { Logger } from '../../../log.ts';
import { type OutboxEntry, toEntries } from '../../../outbox/entry.ts';
import { openOutbox, type OutboxParts, type StoredRow } from '../outbox/outbox.ts';
import type { Sql, Transaction, Write } from '../../../ports/sql.ts';
import { migrate } from './migrate.ts';
import { type Course, inTransaction, LATE, openPool } from './pool.ts';
import { prepared } from './prepared.ts';
import { crashPoint } from '../../../crash-point.ts';

/** Seven services of one process shall leave room among PostgreSQL's usual hundred. */
const CONNECTIONS = 5;

export interface SqlParts extends Omit<OutboxParts, 'pool'> {
  databaseUrl: string;
  migrations: URL;
  logger: Logger;
  /** Events wait in the same database until they are done: a crash that loses an effect keeps its cause. */
  keepsCauses: boolean;
  clock?: () => Date;
}

/** PostgreSQL of one service: a schema of its name, its own small pool, outbox and inbox. */
export async function openSql(parts: SqlParts): Promise<Sql> {
  const { service, logger, keepsCauses } = parts;
  const clock = parts.clock ?? (() => new Date());
  const pool = openPool(parts.databaseUrl, logger, {
    ...{ max: CONNECTIONS, name: service, schema: service, pipelines: true },
  });
  const opened = async () => {
    await migrate(pool, service, parts.migrations);
    return openOutbox({ ...parts, pool });
  };
  const outbox = await opened().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  /** @param begin what it begins with, and is told what came of it */
  const transaction = async <T>(
    run: (tx: Transaction, begun: readonly pg.QueryResult[]) => Promise<T>,
    begin?: string,
  ): Promise<T> => {
    const work = async (client: pg.PoolClient, { begun, commit }: Course) => {
      const told: OutboxEntry[] = [];
      const result = await run(openTransaction(client, told, clock), begun);
      if (told.length > 0) crashPoint('before-commit');
      const storing = store(client, told);
      commit();
      return { result, rows: await storing };
    };
    const committed = await inTransaction(pool, work, begin);
    if (committed.rows.length > 0) crashPoint('after-commit');
    outbox.committed(committed.rows);
    return committed.result;
  };

  let closing: Promise<void> | undefined;
  return {
    engine: 'postgres',
    query: (text, values) => pool.query(text, values as unknown[]),
    prepared: (text, values) => pool.query(prepared(text, values)),
    async write({ events, jobs, sequence, ...write }) {
      const entries = toEntries(events, jobs, sequence, clock());
      if (entries.length > 0) crashPoint('before-commit');
      const { rows } = await pool.query<{ isDone: boolean; seqs: string[] | null }>(
        written(write, entries, keepsCauses),
      );
      const { isDone, seqs } = rows[0]!;
      if (isDone && entries.length > 0) crashPoint('after-commit');
      outbox.committed(pair(seqs ?? [], entries));
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
        `insert into _inbox (event_id) values (${pg.escapeLiteral(eventId)}) on conflict do nothing;
         ${keepsCauses ? 'set local synchronous_commit to off' : ''}`,
      ),
    outboxAgeMs: outbox.ageMs,
    check: async () => void (await pool.query('select 1')),
    close: () =>
      (closing ??= (async () => {
        await outbox.close();
        await pool.end();
      })()),
  };
}

/** @param told gets what is to be stored before the commit: in one statement, whatever was told by how many */
function openTransaction(client: pg.PoolClient, told: OutboxEntry[], clock: () => Date): Transaction {
  return {
    query: (text, values) => client.query(prepared(text, values)),
    async publish(events, sequence) {
      told.push(...toEntries(events, [], sequence, clock()));
    },
    async enqueue(jobs) {
      told.push(...toEntries([], jobs, 0, clock()));
    },
  };
}

const STORE = `
  insert into _outbox (entry) select entry from jsonb_array_elements($1::jsonb) with ordinality as e(entry, n)
  order by n returning seq`;

async function store(client: pg.PoolClient, entries: readonly OutboxEntry[]): Promise<StoredRow[]> {
  if (entries.length === 0) return [];
  const { rows } = await client.query<{ seq: string }>(prepared(STORE, [JSON.stringify(entries)]));
  return pair(
    rows.map(({ seq }) => seq),
    entries,
  );
}

const pair = (seqs: readonly string[], entries: readonly OutboxEntry[]): StoredRow[] =>
  seqs.map((seq, at) => ({ seq, entry: entries[at]! }));

/** @param keepsCauses the commit of what comes again is not waited for */
function written(
  { eventId, comesAgain = eventId !== undefined, ...write }: Omit<Write, 'events' | 'jobs' | 'sequence'>,
  entries: readonly OutboxEntry[],
  keepsCauses: boolean,
) {
  const values = eventId === undefined ? write.values : [...write.values, eventId];
  const unseen = `unseen as (
    insert into _inbox (event_id) values ($${values.length}) on conflict do nothing returning event_id), `;
  const isLate = keepsCauses && comesAgain;
  const steps = (isLate ? `${LATE}, ` : '') + (eventId === undefined ? '' : unseen) + write.steps;
  const isDone = 'exists (select from written) as "isDone"';
  const from = isLate ? 'from late' : '';
  if (entries.length === 0) return prepared(`with ${steps} select ${isDone}, null as seqs ${from}`, values);
  return prepared(
    `with ${steps}, sent as (
       insert into _outbox (entry)
       select entry from jsonb_array_elements($${values.length + 1}::jsonb) with ordinality as e(entry, n)
       where exists (select from written) order by n returning seq)
     select ${isDone}, (select array_agg(seq order by seq) from sent) as seqs ${from}`,
    [...values, JSON.stringify(entries)],
  );
}
