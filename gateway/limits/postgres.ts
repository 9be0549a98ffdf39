import type { Logger } from '@arboleda/chassis/log.ts';
import { repeat } from '@arboleda/chassis/repeat.ts';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { CallCounter } from './counter.ts';
import { countBy, limitersBy } from './limiters.ts';
import { openMemoryCounter } from './memory.ts';

const TABLE = 'rate_limits';
/** Unlogged: a count that a crash of the database forgets costs nothing, and each is several times cheaper. */
const CREATE_TABLE = `
  select pg_advisory_xact_lock(hashtext('${TABLE}'));
  create unlogged table if not exists ${TABLE} (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`;

const MAX_CONNECTIONS = 8;
/** Longer than a busy database takes; one call in a while waits for it when the database is silent. */
const ANSWER_WITHIN_MS = 2_000;
const AWAY_MS = 10_000;
const CLEAN_EVERY_MS = 5 * 60_000;

/**
 * Counts together with all gateways on the same database. While that does not answer this process counts for itself:
 * a limit may then be reached once per gateway, but nobody is refused for the database's sake.
 */
export function openPostgresCounter(
  databaseUrl: string,
  logger: Logger,
  { answerWithinMs = ANSWER_WITHIN_MS, awayMs = AWAY_MS } = {},
): CallCounter {
  const pool = openPool(databaseUrl, answerWithinMs);
  const spare = openMemoryCounter();
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
        // Whoever has used up everything is refused without asking again.
        inMemoryBlockOnConsumed: max,
      }),
  );
  let table: Promise<unknown> | undefined;
  let awayUntil = 0;
  let isAway = false;

  const createTable = () => {
    table ??= pool.query(CREATE_TABLE).catch((error: unknown) => {
      table = undefined;
      throw error;
    });
    return table;
  };

  function onAway(error: unknown): void {
    awayUntil = Date.now() + awayMs;
    // Another database may have taken its place.
    table = undefined;
    if (!isAway) logger.warn({ err: error }, 'calls are counted by each gateway alone');
    isAway = true;
  }

  function onBack(): void {
    if (isAway) logger.info('calls are counted by all gateways together again');
    isAway = false;
  }

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
      if (Date.now() < awayUntil) return spare.count(rule, caller);
      try {
        await createTable();
        const count = await countBy(limiterOf(rule), caller);
        onBack();
        return count;
      } catch (error) {
        onAway(error);
        return spare.count(rule, caller);
      }
    },
    async close() {
      await cleaning.stop();
      await pool.end();
    },
  };
}

function openPool(databaseUrl: string, answerWithinMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'arboleda:gateway',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  });
  // The next count notices and says so.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}
