/** Delays between attempts, and when to give up. */
export interface RetryPolicy {
  maxAttempts: number;
  /** The first delays in order; the last one doubles from then on. */
  delaysMs: readonly number[];
  maxDelayMs: number;
}

/** Fast at first, because an event often only waits for one of another topic. About ten minutes in all. */
export const EVENT_RETRIES: RetryPolicy = {
  maxAttempts: 12,
  delaysMs: [50, 200, 500, 1_000],
  maxDelayMs: 5 * 60_000,
};

/** Jobs may have to wait for mail servers. About two hours in all. */
export const JOB_RETRIES: RetryPolicy = {
  maxAttempts: 20,
  delaysMs: [100, 1_000, 2_000],
  maxDelayMs: 10 * 60_000,
};

/** @param failed attempts that have failed. @returns undefined when no attempt is left */
export function retryDelayMs(policy: RetryPolicy, failed: number): number | undefined {
  if (failed >= policy.maxAttempts) return undefined;
  const { delaysMs } = policy;
  const beyond = Math.max(0, failed - delaysMs.length);
  const base = delaysMs[Math.min(failed, delaysMs.length) - 1] ?? 0;
  return Math.min(base * 2 ** beyond, policy.maxDelayMs);
}
