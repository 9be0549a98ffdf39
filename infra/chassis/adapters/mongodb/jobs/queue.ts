import { randomUUID } from 'node:crypto';
import { type Collection, type Db, ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { Job } from '../../../ports/jobs.ts';
import { isDuplicate } from '../client.ts';
import type { StoredJob, TakenJob } from './stored.ts';

/** The jobs of one service as they wait, are taken and put back. Each step is one write. */
export interface Queue {
  /** @param context of those that have none of their own */
  add(jobs: readonly Job[], context: Context): Promise<void>;
  /** Adds the first turn unless there is one already; a longer wait from before is cut to the interval. */
  addRegular(name: string, intervalMs: number): Promise<void>;
  /** The one of these names that is due for longest; it is nobody else's until the lease ends. */
  take(names: readonly string[]): Promise<TakenJob | undefined>;
  /** Begins the leases of these anew, if they are still in the same hands. */
  renew(jobs: readonly TakenJob[]): Promise<void>;
  /** It is done. */
  remove(job: TakenJob): Promise<void>;
  putBack(job: TakenJob, change: { attempt: number; delayMs: number }): Promise<void>;
  /** As if it had not been taken. */
  giveBack(job: TakenJob): Promise<void>;
  /** How many are due, without the regular ones. */
  waiting(): Promise<number>;
}

/** How the names of regular jobs begin; there is one of each, and it has its name for an id. */
export const REGULAR = 'every:';

const TRIES = 10;

/** Replicas compare times with their own clocks: these must agree to a fraction of the lease. */
export async function openQueue(db: Db, leaseMs: number): Promise<Queue> {
  const jobs = db.collection<StoredJob>('_jobs');
  // `due` serves take and waiting, a stretch of it for each name.
  await jobs.createIndex({ name: 1, availableAt: 1, _id: 1 }, { name: 'due' });
  await jobs.createIndex({ waitingKey: 1 }, { name: 'waiting key', unique: true, sparse: true });
  const held = (job: TakenJob) => ({ _id: job._id, by: job.by });
  const leaseEnd = () => new Date(Date.now() + leaseMs);

  return {
    async add(some, context) {
      const now = new Date();
      const unkeyed = some.filter((job) => job.key === undefined);
      // Not insertMany, whose errors hide that the server is away.
      await Promise.all([
        ...unkeyed.map((job) => jobs.insertOne(newJob(job, context, now))),
        ...lastOfEachKey(some).map((job) => addKeyed(jobs, newJob(job, context, now))),
      ]);
    },

    async addRegular(name, intervalMs) {
      const now = Date.now();
      const fresh = {
        name,
        payload: {},
        context: { correlationId: randomUUID() },
        attempt: 0,
        taken: 0,
        availableAt: new Date(now),
      };
      await jobs
        .updateOne({ _id: name }, { $setOnInsert: fresh }, { upsert: true })
        .catch((error: unknown) => {
          // Another replica was first.
          if (!isDuplicate(error)) throw error;
        });
      const next = new Date(now + intervalMs);
      await jobs.updateOne(
        { _id: name, by: { $exists: false }, availableAt: { $gt: next } },
        { $set: { availableAt: next } },
      );
    },

    async take(names) {
      const by = randomUUID();
      const taken = await jobs.findOneAndUpdate(
        { name: { $in: [...names] }, availableAt: { $lte: new Date() } },
        { $set: { availableAt: leaseEnd(), by }, $inc: { taken: 1 }, $unset: { waitingKey: '' } },
        { sort: { availableAt: 1, _id: 1 }, returnDocument: 'after' },
      );
      return taken ? { ...taken, by } : undefined;
    },

    async renew(taken) {
      await jobs.updateMany(
        { _id: { $in: taken.map((job) => job._id) }, by: { $in: taken.map((job) => job.by) } },
        { $set: { availableAt: leaseEnd() } },
      );
    },

    remove: async (job) => void (await jobs.deleteOne(held(job))),

    async putBack(job, { attempt, delayMs }) {
      const waiting = { attempt, taken: 0, availableAt: new Date(Date.now() + delayMs) };
      const keyed = job.key === undefined ? waiting : { ...waiting, waitingKey: keyOf(job.name, job.key) };
      await jobs.updateOne(held(job), { $set: keyed, $unset: { by: '' } }).catch(async (error: unknown) => {
        if (!isDuplicate(error)) throw error;
        // A newer one of the same key waits already, and does what this one was to do.
        await jobs.deleteOne(held(job));
      });
    },

    giveBack: async (job) =>
      void (await jobs.updateOne(held(job), {
        $set: { availableAt: new Date(), taken: job.taken - 1 },
        $unset: { by: '' },
      })),

    async waiting() {
      const names = (await jobs.distinct('name')).filter((name) => !name.startsWith(REGULAR));
      return jobs.countDocuments({ name: { $in: names }, availableAt: { $lte: new Date() } });
    },
  };
}

const keyOf = (name: string, key: string) => `${name}:${key}`;

function newJob(job: Job, context: Context, now: Date): StoredJob {
  return {
    _id: new ObjectId(),
    name: job.name,
    payload: job.payload,
    context: job.context ?? context,
    attempt: 0,
    taken: 0,
    availableAt: job.runAt === undefined ? now : new Date(job.runAt),
    ...(job.key !== undefined && { key: job.key, waitingKey: keyOf(job.name, job.key) }),
  };
}

/** By the index "waiting key". */
async function addKeyed(jobs: Collection<StoredJob>, job: StoredJob): Promise<void> {
  const { waitingKey, payload, context, attempt, ...first } = job;
  for (let tries = 1; ; tries++) {
    try {
      await jobs.updateOne(
        { waitingKey: waitingKey! },
        { $set: { payload, context, attempt }, $setOnInsert: first },
        { upsert: true },
      );
      return;
    } catch (error) {
      // Another process added one between looking and adding.
      if (!isDuplicate(error) || tries >= TRIES) throw error;
    }
  }
}

function lastOfEachKey(jobs: readonly Job[]): Job[] {
  const keyed = jobs.filter((job) => job.key !== undefined);
  return [...new Map(keyed.map((job) => [keyOf(job.name, job.key!), job])).values()];
}
