import type pg from 'pg';
import type { Logger } from '../../log.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { EVENT_RETRIES, JOB_RETRIES, type RetryPolicy } from '../../retry.ts';
import { openEventBus, type PostgresBus } from './events/bus.ts';
import { type JanitorTimes, openJanitor } from './jobs/janitor.ts';
import { openJobs, openLimits } from './jobs/jobs.ts';
import { openPresence, openRunner } from './jobs/runner.ts';
import { createSchema } from './schema.ts';
import { openPool } from './sql/pool.ts';

export interface EngineOptions {
  eventRetries?: RetryPolicy;
  jobRetries?: RetryPolicy;
  /** How long closing waits for handlers. */
  stopWithinMs?: number;
  /** No other process takes events or jobs from this database. */
  isAlone?: boolean;
  /** How late a delayed or retried job may start. */
  jobPollMs?: number;
  /** When jobs of a crashed process are released. */
  janitor?: JanitorTimes;
  /** Lease of an event in progress, in milliseconds. */
  eventLeaseMs?: number;
}

/** Events and jobs of all services in this process, on one PostgreSQL. */
export interface PostgresEngine {
  /** Opened by the first call. */
  bus(): Promise<PostgresBus>;
  jobs(service: string): Jobs;
  close(): Promise<void>;
}

const JOBS_AT_ONCE = 4;
/**
 * One listens, one holds the locks that show this process is alive, and the rest run short statements of the
 * workers.
 */
const RUNNER_CONNECTIONS = 8;
/**
 * New jobs start at once by notification; this bounds the delay of scheduled ones. Each of JOBS_AT_ONCE workers
 * polls this often.
 */
const JOB_POLL_MS = 5_000;
const STOP_WITHIN_MS = 8_000;

/** @param parts.shared pool for short statements of bus and jobs; the caller closes it */
export async function openPostgresEngine(
  parts: { databaseUrl: string; shared: pg.Pool; logger: Logger } & EngineOptions,
): Promise<PostgresEngine> {
  const { shared, logger, stopWithinMs = STOP_WITHIN_MS } = parts;
  // No idle timeout: one connection holds the lock that shows this process is alive.
  const pool = openPool(parts.databaseUrl, logger, {
    max: RUNNER_CONNECTIONS,
    name: 'jobs',
    idleTimeoutMs: 0,
  });
  await createSchema(pool, logger).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const limits = openLimits();
  const presence = openPresence(pool, logger);
  const runner = openRunner(pool, logger, {
    concurrency: JOBS_AT_ONCE,
    pollIntervalMs: parts.jobPollMs ?? JOB_POLL_MS,
    skipFlags: limits.full,
    presence,
    stopWithinMs,
  });
  // A broken connection may have lost jobs that were just locked: only new workers can get them.
  pool.on('connect', (client) => client.on('error', () => runner.renew()));
  const janitor = openJanitor(pool, logger, parts.janitor);
  const services = new Map<string, Jobs>();
  let bus: Promise<PostgresBus> | undefined;

  return {
    bus: () =>
      (bus ??= openEventBus({
        pool: shared,
        retries: parts.eventRetries ?? EVENT_RETRIES,
        logger,
        isAlone: parts.isAlone ?? false,
        stopWithinMs,
        ...(parts.eventLeaseMs !== undefined && { leaseMs: parts.eventLeaseMs }),
      })),
    jobs(service) {
      const known = services.get(service);
      if (known) return known;
      const jobs = openJobs({
        service,
        pool: shared,
        runner,
        limits,
        retries: parts.jobRetries ?? JOB_RETRIES,
        logger,
      });
      services.set(service, jobs);
      return jobs;
    },
    async close() {
      const opened = await bus?.catch(() => undefined);
      await Promise.all([opened?.close(), runner.stop(), janitor.stop()]);
      await presence.close();
      await pool.end();
    },
  };
}
