import type { Db } from 'mongodb';
import type { StoredDeadJob, StoredJob } from './stored.ts';

/** Jobs of one service that were given up. */
export interface DeadJobs {
  /** May be done twice for one job: it is one dead job. */
  bury(job: StoredJob, error: string): Promise<void>;
  /** Oldest first. */
  all(): Promise<StoredDeadJob[]>;
  find(id: string): Promise<StoredDeadJob | undefined>;
  /** @returns false when somebody else removed it. */
  remove(id: string): Promise<boolean>;
}

export async function openDeadJobs(db: Db): Promise<DeadJobs> {
  const dead = db.collection<StoredDeadJob>('_dead_jobs');
  // Serves the list.
  await dead.createIndex({ failedAt: 1, _id: 1 }, { name: 'oldest' });
  return {
    async bury({ _id, name, payload, context, key }, error) {
      const letter = {
        name,
        payload,
        context,
        ...(key !== undefined && { key }),
        error,
        failedAt: new Date(),
      };
      await dead.replaceOne({ _id: String(_id) }, letter, { upsert: true });
    },
    all: () => dead.find({}, { sort: { failedAt: 1, _id: 1 } }).toArray(),
    find: async (id) => (await dead.findOne({ _id: id })) ?? undefined,
    remove: async (id) => (await dead.deleteOne({ _id: id })).deletedCount === 1,
  };
}
