import { Problem } from '@arboleda/contracts/problems.ts';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Sql } from './ports/sql.ts';

/** Counts attempts by key in the service's table `rate_limits`, shared by replicas and kept over restarts. */
export const openAttemptLimit = (
  sql: Pick<Sql, 'query'>,
  keyPrefix: string,
  { max, windowSeconds }: { max: number; windowSeconds: number },
): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: {
      query: ({ text, values }: { text: string; values: unknown[] }) => sql.query(text, values),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points: max,
    duration: windowSeconds,
  });

/** @throws Problem `too-many-requests` */
export async function takeAttempt(limit: RateLimiterPostgres, key: string): Promise<RateLimiterRes> {
  return limit.consume(key).catch((refused: unknown) => {
    throw refused instanceof RateLimiterRes ? tooManyAttempts(refused.msBeforeNext) : refused;
  });
}

export const tooManyAttempts = (waitMs: number): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });

/** Deletes expired counters. @returns how many */
export async function sweepAttempts(sql: Pick<Sql, 'query'>, now: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `delete from rate_limits where key in (
       select key from rate_limits where expire < $1 order by expire limit $2)`,
    [now.getTime(), limit],
  );
  return rowCount ?? 0;
}
