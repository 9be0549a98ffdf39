import pg from 'pg';
import type { Logger } from '../../../log.ts';

export interface PoolOptions {
  max: number;
  /** Seen in pg_stat_activity. */
  name: string;
  /** Unqualified names mean this schema. */
  schema?: string;
  /** 0 keeps idle connections for ever. */
  idleTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** Statements are sent without waiting for the answers of those before: https://node-postgres.com/features/pipelining */
  pipelines?: boolean;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** The database ends a statement sooner: who hears nothing for longer has lost it. */
const ANSWER_TIMEOUT_MS = 2_000;
/** How soon a connection on which nothing is said is asked whether the other end is there. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const NO_ANSWER = 'Query read timeout';
const CONNECT_TIMEOUT_MS = 10_000;

/** A small pool. A lost connection is a log line, not the end of the process. */
export function openPool(databaseUrl: string, logger: Logger, options: PoolOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const settings = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    // A peer that vanished without a word is noticed within a minute, not after two hours.
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    ...(options.schema ? { search_path: options.schema } : {}),
  };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: `arboleda:${options.name}`,
    max: options.max,
    pipeline: options.pipelines ?? false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    idleTimeoutMillis: options.idleTimeoutMs ?? 10_000,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  const report = (error: Error) =>
    logger.warn({ err: error, pool: options.name }, 'database connection lost');
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', report);
  });
  return pool;
}

/** A statement of a migration, which may take as long as it likes. */
export const unhurried = (text: string, values?: unknown[]) => ({ text, values, query_timeout: 86_400_000 });

/** Names that go into SQL text. @throws when it is not a plain lower-case name. */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(name))
    throw new Error(`"${name}" cannot name a schema, table or index`);
  return `"${name}"`;
}

/** "cached plan must not change result type": another version changed a table, and this connection's plans are of before. */
const STALE_PLAN = '0A000';
const RETRYABLE = new Set(['40001', '40P01', STALE_PLAN]);
const TRIES = 5;

/** Of a transaction that has begun. */
export interface Course {
  /** What came of the statements that it began with, `begin` left out. */
  begun: readonly pg.QueryResult[];
  /**
   * To be called as the last statement is sent, on a pool that pipelines: the commit follows it at once, and commits nothing
   * when it fails.
   */
  commit(): void;
}

/**
 * Runs in one transaction; begins anew (up to 5 times) after a serialisation failure, a deadlock, or on another connection when
 * the plans of the first are stale, so `run` must touch nothing but the database.
 * @param begin what it begins with, sent with `begin` itself: text without values
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient, course: Course) => Promise<T>,
  begin = '',
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const client = await pool.connect();
    try {
      const begun = [await client.query(`begin; ${begin}`)].flat().slice(1);
      let committed: Promise<pg.QueryResult> | undefined;
      const commit = () => {
        committed ??= client.query('commit');
        // What it rejects with is heard below, or is of no interest beside what `run` does.
        committed.catch(() => undefined);
      };
      const result = await run(client, { begun, commit });
      commit();
      if ((await committed)?.command !== 'COMMIT')
        throw new Error('a statement failed, and nothing was committed');
      client.release();
      return result;
    } catch (error) {
      const { code = '', message } = error as { code?: string; message?: string };
      const broken =
        message === NO_ANSWER
          ? true
          : await client.query('rollback').then(
              () => undefined,
              (failure: Error) => failure,
            );
      client.release(broken ?? code === STALE_PLAN);
      if (tries >= TRIES || !RETRYABLE.has(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries));
    }
  }
}
