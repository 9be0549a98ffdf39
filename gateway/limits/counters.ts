import type { Logger } from '@arboleda/chassis/log.ts';
import { repeat } from '@arboleda/chassis/repeat.ts';
import pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/** Limits the calls of one caller in a window that starts with the first of them. */
export interface Rule {
  /** Rules of different names never share a count. */
  name: string;
  max: number;
  windowSeconds: number;
}

export interface Count {
  isAllowed: boolean;
  remaining: number;
  /** Until the window ends. */
  msLeft: number;
}

export interface CallCounter {
  /** Counts one call of a caller. Never throws, and never delays a call for long. */
  count(rule: Rule, caller: string): Promise<Count>;
  close(): Promise<void>;
}

export function openMemoryCounter(): CallCounter {
  const limiterOf = limitersBy(
    ({ name, max, windowSeconds }) =>
      new RateLimiterMemory({ keyPrefix: name, points: max, duration: windowSeconds }),
  );
  return {
    count: (rule, caller) => countBy(limiterOf(rule), caller),
    close: () => Promise.resolve(),
  };
}

const TABLE = 'rate_limits';
/** Unlogged: counts may be lost in a crash of the database, and writes are several times cheaper. */
const CREATE_TABLE = `
  select pg_advisory_xact_lock(hashtext('${TABLE}'));
  create unlogged table if not exists ${TABLE} (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`;

const MAX_CONNECTIONS = 8;
/** While the database does not answer, only one call in this time waits for it. */
const RETRY_AFTER_MS = 10_000;
const CLEAN_EVERY_MS = 5 * 60_000;

/**
 * Counts together with all gateways on the same database. While that is unavailable this process counts
 * alone: a limit may then be reached once per gateway, but nobody is refused because of the database.
 */
export function openPostgresCounter(
  databaseUrl: string,
  logger: Logger,
  { countWithinMs, retryAfterMs = RETRY_AFTER_MS }: { countWithinMs: number; retryAfterMs?: number },
): CallCounter {
  const pool = openPool(databaseUrl, countWithinMs);
  const inMemory = openMemoryCounter();
  const limiterOf = limitersBy(
    ({ name, max, windowSeconds }) =>
      new RateLimiterPostgres({
        storeClient: pool,
        tableName: TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points: max,
        duration: windowSeconds,
        // Refuses from memory once the limit is reached.
        inMemoryBlockOnConsumed: max,
      }),
  );
  let table: Promise<unknown> | undefined;
  let retryAt = 0;
  let isAway = false;

  const createTable = () => {
    table ??= pool.query(CREATE_TABLE).catch((error: unknown) => {
      table = undefined;
      throw error;
    });
    return table;
  };

  const cleaning = repeat(
    CLEAN_EVERY_MS,
    async () => {
      await createTable();
      await pool.query(`delete from ${TABLE} where expire < $1`, [Date.now()]);
    },
    logger,
    'clearing old rate limits',
  );

  return {
    async count(rule, caller) {
      if (Date.now() < retryAt) return inMemory.count(rule, caller);
      try {
        await createTable();
        const count = await countBy(limiterOf(rule), caller);
        if (isAway) logger.info('calls are counted by all gateways together again');
        isAway = false;
        return count;
      } catch (error) {
        retryAt = Date.now() + retryAfterMs;
        // The database may have been replaced.
        table = undefined;
        if (!isAway) logger.warn({ err: error }, 'calls are counted by each gateway alone');
        isAway = true;
        return inMemory.count(rule, caller);
      }
    },
    async close() {
      await cleaning.stop();
      await pool.end();
    },
  };
}

function openPool(databaseUrl: string, countWithinMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'arboleda:gateway',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: countWithinMs,
    query_timeout: countWithinMs,
  });
  // The next count notices and logs it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

function limitersBy<Limiter>(open: (rule: Rule) => Limiter): (rule: Rule) => Limiter {
  const opened = new Map<string, Limiter>();
  return (rule) => {
    const limiter = opened.get(rule.name) ?? open(rule);
    opened.set(rule.name, limiter);
    return limiter;
  };
}

/** @throws errors of the limiter's store */
async function countBy(limiter: RateLimiterAbstract, caller: string): Promise<Count> {
  try {
    return countOf(true, await limiter.consume(caller));
  } catch (thrown) {
    // The library throws its result when the limit is exceeded.
    if (thrown instanceof RateLimiterRes) return countOf(false, thrown);
    throw thrown;
  }
}

const countOf = (isAllowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Count => ({
  isAllowed,
  remaining: remainingPoints,
  msLeft: msBeforeNext,
});
