import pg from 'pg';
import type { Logger } from '../../../log.ts';

export interface PoolOptions {
  max: number;
  /** Shown in pg_stat_activity. */
  name: string;
  /** The search path. */
  schema?: string;
  /** 0 keeps idle connections open. */
  idleTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** Sends statements without waiting for earlier results: https://node-postgres.com/features/pipelining */
  pipelines?: boolean;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** Added to the statement timeout of the server: without an answer by then, the connection is dead. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Idle time before the first TCP keep-alive probe. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const NO_ANSWER = 'Query read timeout';
const CONNECT_TIMEOUT_MS = 10_000;

/** A small pool. A lost connection is logged and does not end the process. */
export function openPool(databaseUrl: string, logger: Logger, options: PoolOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const settings = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    // Detects a vanished peer within a minute instead of two hours.
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

/** A migration statement without a practical timeout. */
export const withoutTimeout = (text: string, values?: unknown[]) => ({
  text,
  values,
  query_timeout: 86_400_000,
});

/** Quotes a name for SQL text. @throws when it is not a plain lower-case name */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(name))
    throw new Error(`"${name}" cannot name a schema, table or index`);
  return `"${name}"`;
}

/**
 * "cached plan must not change result type": a migration changed a table after this connection prepared a statement.
 */
const STALE_PLAN = '0A000';
const RETRYABLE = new Set(['40001', '40P01', STALE_PLAN]);
const TRIES = 5;

/** Passed to the callback of a transaction. */
export interface TransactionControl {
  /** Results of the first statements, without that of `begin`. */
  firstResults: readonly pg.QueryResult[];
  /**
   * Call it with the last statement on a pipelining pool: the commit is sent right after it, and rolls back if the
   * statement fails.
   */
  commit(): void;
}

/**
 * Runs in one transaction, at most 5 times: again after a serialisation failure or deadlock, and on another
 * connection after a stale plan. So `run` must touch nothing but the database.
 * @param begin statements without values, sent together with `begin`
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient, course: TransactionControl) => Promise<T>,
  begin = '',
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const client = await pool.connect();
    try {
      const firstResults = [await client.query(`begin; ${begin}`)].flat().slice(1);
      let committed: Promise<pg.QueryResult> | undefined;
      const commit = () => {
        committed ??= client.query('commit');
        // A rejection is awaited below, or irrelevant because `run` has failed.
        committed.catch(() => undefined);
      };
      const result = await run(client, { firstResults, commit });
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
