import type { Context } from '../context.ts';
import type { Dependency } from './engine.ts';

/** Work for later, of this service alone. */
export interface Job {
  name: string;
  payload: Record<string, unknown>;
  /**
   * A job with a key that is still waiting is not added twice: the newer payload takes the place of the older, a new
   * `runAt` does not move it. One that is running already does not count: another is added.
   */
  key?: string;
  /** ISO instant; at once when absent. */
  runAt?: string;
  /** In which it runs; that of whoever enqueues it when absent. */
  context?: Context;
}

export interface DeadJob {
  id: string;
  service: string;
  name: string;
  payload: Record<string, unknown>;
  /** What the last attempt failed with. */
  error: string;
  failedAt: string;
}

export interface HandlingOptions {
  /** How many at once in this process; 1 when absent. */
  concurrency?: number;
  maxAttempts?: number;
  /** Before a job becomes a dead letter; maybe more than once. */
  onDead?: JobHandler;
}

/** Thrown by a handler for which another attempt would change nothing: the job becomes a dead letter at once. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

export type JobHandler = (payload: Record<string, unknown>) => Promise<void>;

/**
 * Durable jobs: at least once, retried with growing delay, spread over the replicas of a service; after the last attempt
 * they become dead letters. A handler runs in the context of its job.
 */
export interface Jobs extends Dependency {
  enqueue(jobs: readonly Job[]): Promise<void>;
  handle(name: string, handler: JobHandler, options?: HandlingOptions): Promise<void>;
  /** At once, and `intervalMs` after each end; on one replica each time, in effect. A failure is logged, the next turn comes. */
  every(name: string, intervalMs: number, run: () => Promise<void>): Promise<void>;
  /** How many are due and not begun; those done regularly do not count. */
  waiting(): Promise<number>;
  /** Oldest first. */
  deadJobs(): Promise<DeadJob[]>;
  /** Queues a dead job once more, with all its attempts before it. @returns false when there is no such job. */
  replay(deadJobId: string): Promise<boolean>;
  /** Forgets a dead job. @returns false when there is no such job. */
  discard(deadJobId: string): Promise<boolean>;
  /** Takes no more of this service's jobs. */
  close(): Promise<void>;
}
