import type { ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';

/** A job as it lies in MongoDB. */
export interface StoredJob {
  /** Rises with time: jobs that are due at once are taken in the order they were added. */
  _id: ObjectId | string;
  name: string;
  payload: Record<string, unknown>;
  context: Context;
  /** How many attempts have failed. */
  attempt: number;
  /** How often it was taken since it was last put back in order: what is beyond one died with its process. */
  taken: number;
  /** When it may be taken: its time while it waits; while it is in hand, the end of the lease. */
  availableAt: Date;
  /** Set while it waits, and unique among those that do. */
  waitingKey?: string;
  key?: string;
  /** Which taking has it in hand. */
  by?: string;
}

/** A job that is in hand. */
export type TakenJob = StoredJob & { by: string };

export interface StoredDeadJob {
  /** The job's own. */
  _id: string;
  name: string;
  payload: Record<string, unknown>;
  context: Context;
  key?: string;
  error: string;
  failedAt: Date;
}
