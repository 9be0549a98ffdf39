import type { Context } from '../context.ts';
import type { Dependency } from './engine.ts';

/** Deferred work of one service. */
export interface Job {
  name: string;
  payload: Record<string, unknown>;
  /**
   * A waiting job with the same key is replaced: it gets the new payload and keeps its time. A running one does not
   * count.
   */
  key?: string;
  /** ISO instant; at once when absent. */
  runAt?: string;
  /** The context it runs in; the caller's when absent. */
  context?: Context;
}

export interface DeadJob {
  id: string;
  service: string;
  name: string;
  payload: Record<string, unknown>;
  /** Error of the last attempt. */
  error: string;
  failedAt: string;
}

export interface JobOptions {
  /** Concurrent jobs in this process; 1 when absent. */
  concurrency?: number;
  maxAttempts?: number;
  /** Called before a job becomes a dead letter, perhaps more than once. */
  onDead?: JobHandler;
}

/** Thrown when retrying is pointless: the job becomes a dead letter at once. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

export type JobHandler = (payload: Record<string, unknown>) => Promise<void>;

/**
 * Durable jobs: run at least once, retried with growing delays, spread over replicas. After the last attempt a job
 * becomes a dead letter. Handlers run in the context of their job.
 */
export interface Jobs extends Dependency {
  enqueue(jobs: readonly Job[]): Promise<void>;
  handle(name: string, handler: JobHandler, options?: JobOptions): Promise<void>;
  /**
   * Runs at once, and again `intervalMs` after each end, on one replica. A failure is logged and does not stop the
   * repetition.
   */
  every(name: string, intervalMs: number, run: () => Promise<void>): Promise<void>;
  /** Jobs that are due and not started, without periodic ones. */
  waiting(): Promise<number>;
  /** Oldest first. */
  deadJobs(): Promise<DeadJob[]>;
  /** Queues a dead job again with all its attempts. @returns false when there is no such job */
  replay(deadJobId: string): Promise<boolean>;
  /** Deletes a dead job. @returns false when there is no such job */
  discard(deadJobId: string): Promise<boolean>;
  /** Stops taking this service's jobs. */
  close(): Promise<void>;
}
