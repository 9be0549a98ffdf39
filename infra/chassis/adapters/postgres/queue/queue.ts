import type pg from 'pg';
import { openEventBus } from '../events/bus.ts';
import { openJobsAtHand } from '../jobs/at-hand.ts';
import { dueTasks, openJobs } from '../jobs/jobs.ts';
import type { Courtesy } from '../../../courtesy.ts';
import { openLimits } from '../../../limits.ts';
import type { Logger } from '../../../log.ts';
import type { EventBus } from '../../../ports/event-bus.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { openPool } from '../sql/pool.ts';
import { type JanitorTimes, openJanitor } from './janitor.ts';
import { EVENT_RETRIES, JOB_RETRIES, type RetryPolicy } from '../../../retry.ts';
import { openPresence } from './presence.ts';
import { openRunner } from './runner.ts';
import { createQueueSchema } from './schema.ts';

export interface QueueOptions {
  eventRetries?: RetryPolicy;
  jobRetries?: RetryPolicy;
  /** How long closing waits for handlers. */
  stopWithinMs?: number;
  /** No other process has groups of its own, or replicas of this one's: they can be given events and short jobs without a queue. */
  isAlone?: boolean;
  /** How late a job may be tried again. */
  jobPollMs?: number;
  /** When what a dead process had in hand is free. */
  janitor?: JanitorTimes;
}

/** Bus and jobs on graphile-worker. */
export interface Queue {
  bus: EventBus;
  jobs(service: string): Jobs;
  close(): Promise<void>;
}

const EVENTS_AT_ONCE = 10;
const JOBS_AT_ONCE = 8;
/** Two listeners, one that shows this process is alive, the rest for short queries. */
const RUNNER_CONNECTIONS = 10;
/** A notification wakes at once; this is how late a retry may be. */
const EVENT_POLL_MS = 100;
const JOB_POLL_MS = 500;
const STOP_WITHIN_MS = 8_000;

/**
 * Two runners of one process: events, fetched in batches as they are short; and jobs, which may be long and are limited
 * by kind, so that they never stand in the events' way.
 */
export async function openQueue(
  parts: { databaseUrl: string; shared: pg.Pool; logger: Logger; courtesy: Courtesy } & QueueOptions,
): Promise<Queue> {
  const { shared, logger, courtesy } = parts;
  // Its idle connections stay: one of them holds the lock that says this process is alive.
  const pool = openPool(parts.databaseUrl, logger, {
    max: RUNNER_CONNECTIONS,
    name: 'queue',
    idleTimeoutMs: 0,
    // That a job was taken or done may be forgotten: it is done again, and whoever does it knows what was done before.
    commitsLate: true,
    plansOnce: true,
  });
  await createQueueSchema(pool, logger).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const limits = openLimits();
  const stopWithinMs = parts.stopWithinMs ?? STOP_WITHIN_MS;
  const presence = openPresence(pool, logger);
  const eventRunner = openRunner(pool, logger, {
    concurrency: EVENTS_AT_ONCE,
    pollIntervalMs: EVENT_POLL_MS,
    runs: 'events',
    presence,
    stopWithinMs,
  });
  const jobRunner = openRunner(pool, logger, {
    concurrency: JOBS_AT_ONCE,
    pollIntervalMs: parts.jobPollMs ?? JOB_POLL_MS,
    runs: 'jobs',
    skipFlags: limits.full,
    presence,
    stopWithinMs,
  });
  // An answer that was lost with its connection may have been jobs: only other workers can be given them.
  pool.on('connect', (client) =>
    client.on('error', () => {
      eventRunner.renew();
      jobRunner.renew();
    }),
  );
  const janitor = openJanitor(pool, logger, parts.janitor);
  const services = new Map<string, Jobs>();

  const atHand = parts.isAlone
    ? openJobsAtHand({ limits, courtesy, due: () => dueTasks(shared), logger })
    : undefined;
  const bus = openEventBus({
    pool: shared,
    runner: eventRunner,
    retries: parts.eventRetries ?? EVENT_RETRIES,
    ...{ logger, courtesy },
    isAlone: parts.isAlone ?? false,
    stopWithinMs,
  });

  return {
    bus,
    jobs(service) {
      const known = services.get(service);
      if (known) return known;
      const retries = parts.jobRetries ?? JOB_RETRIES;
      const jobs = openJobs({ service, pool: shared, runner: jobRunner, limits, retries, logger, atHand });
      services.set(service, jobs);
      return jobs;
    },
    async close() {
      courtesy.close();
      await Promise.all([bus.close(), jobRunner.stop(), atHand?.stop(stopWithinMs), janitor.stop()]);
      await presence.close();
      await pool.end();
    },
  };
}
