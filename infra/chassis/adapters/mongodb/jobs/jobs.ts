import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentContext, withContext } from '../../../context.ts';
import type { Logger } from '../../../log.ts';
import { handOverStored } from '../../../outbox/hand-over.ts';
import { Hopeless, type Job, type JobHandler, type Jobs } from '../../../ports/jobs.ts';
import { retryDelayMs, type RetryPolicy } from '../../../retry.ts';
import { traced } from '../../../telemetry/trace.ts';
import type { Mongo } from '../client.ts';
import { type DeadJobs, openDeadJobs } from './dead-jobs.ts';
import { openQueue, type Queue, REGULAR } from './queue.ts';
import type { TakenJob } from './stored.ts';
import { openWorkers } from './workers.ts';
import { MOST_DEATHS_OF_A_JOB } from '../../../caution.ts';
import { crashPoint } from '../../../crash-point.ts';

export interface MongoJobsParts {
  mongo: Pick<Mongo, 'database'>;
  service: string;
  retries: RetryPolicy;
  logger: Logger;
  /** For so long after its last sign of life a process's jobs are nobody else's. */
  leaseMs?: number;
  /** How long close() waits for what is in hand. */
  stopWithinMs?: number;
}

const LEASE_MS = 15_000;
const STOP_WITHIN_MS = 8_000;
/** While MongoDB is away for a moment, what is done stays in hand, lest it be done again. */
const PUT_AWAY_PAUSES_MS = [100, 500, 1_000, 2_000, 4_000];

/** Jobs of one service in its database. @param parts its connection is the caller's to end. */
export function openMongoJobs(parts: MongoJobsParts): Jobs {
  const { service, retries, logger } = parts;
  const db = parts.mongo.database(service);
  const leaseMs = parts.leaseMs ?? LEASE_MS;
  const stores = once(async () => ({ queue: await openQueue(db, leaseMs), dead: await openDeadJobs(db) }));
  const workers = openWorkers(async () => (await stores()).queue, leaseMs, logger);

  const putAway = (step: (queue: Queue, dead: DeadJobs) => Promise<void>) =>
    insist(async () => {
      const { queue, dead } = await stores();
      await step(queue, dead);
    });
  const putBack = async (job: TakenJob, attempt: number, delayMs: number) => {
    await putAway((queue) => queue.putBack(job, { attempt, delayMs }));
    workers.wake(new Date(Date.now() + delayMs));
  };
  const giveUp = (job: TakenJob, error: string, onDead?: JobHandler) =>
    putAway(async (queue, dead) => {
      await onDead?.(job.payload);
      await dead.bury(job, error);
      await queue.remove(job);
    });

  const enqueue = async (jobs: readonly Job[]) => {
    await (await stores()).queue.add(jobs, currentContext());
    for (const { runAt } of jobs) workers.wake(runAt === undefined ? undefined : new Date(runAt));
  };

  return {
    engine: 'mongodb',
    enqueue,
    handOver: handOverStored(enqueue),

    async handle(name, handler, options = {}) {
      const policy = { ...retries, maxAttempts: options.maxAttempts ?? retries.maxAttempts };
      workers.add(name, options.concurrency ?? 1, async (job) => {
        if (job.taken > MOST_DEATHS_OF_A_JOB) {
          logger.error({ job: name }, 'a job became a dead letter: its process died each time');
          return giveUp(job, 'its process died each time', options.onDead);
        }
        try {
          await traced({ name: `job ${name}`, kind: 'consumer', service }, () => handler(job.payload));
        } catch (error) {
          const attempt = job.attempt + 1;
          const delayMs = error instanceof Hopeless ? undefined : retryDelayMs(policy, attempt);
          if (delayMs === undefined) {
            logger.error({ err: error, job: name }, 'a job became a dead letter');
            return giveUp(job, String(error), options.onDead);
          }
          logger.warn({ err: error, job: name, attempt, delayMs }, 'a job will be tried again');
          return putBack(job, attempt, delayMs);
        }
        crashPoint('job-done');
        return putAway((queue) => queue.remove(job));
      });
    },

    async every(name, intervalMs, run) {
      const regular = REGULAR + name;
      await (await stores()).queue.addRegular(regular, intervalMs);
      workers.add(regular, 1, async (job) => {
        await withContext({ correlationId: randomUUID() }, run).catch((error: unknown) =>
          logger.error({ err: error, job: regular }, 'a regular job failed'),
        );
        await putBack(job, 0, intervalMs);
      });
    },

    waiting: async () => (await stores()).queue.waiting(),

    async deadJobs() {
      const letters = await (await stores()).dead.all();
      return letters.map(({ _id, name, payload, error, failedAt }) => ({
        id: _id,
        service,
        name,
        payload,
        error,
        failedAt: failedAt.toISOString(),
      }));
    },

    async replay(deadJobId) {
      const { queue, dead } = await stores();
      const letter = await dead.find(deadJobId);
      if (!letter) return false;
      const { name, payload, key, context } = letter;
      await queue.add([{ name, payload, ...(key !== undefined && { key }) }], context);
      workers.wake();
      return dead.remove(deadJobId);
    },

    discard: async (deadJobId) => (await stores()).dead.remove(deadJobId),

    check: async () => void (await db.command({ ping: 1 })),
    close: () => workers.stop(parts.stopWithinMs ?? STOP_WITHIN_MS),
  };
}

/** Does it at the first call, and anew at the next one when it failed. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}

async function insist(step: () => Promise<void>): Promise<void> {
  for (const pauseMs of PUT_AWAY_PAUSES_MS) {
    try {
      return await step();
    } catch {
      await sleep(pauseMs);
    }
  }
  return step();
}
