/** How long to wait before trying again, and when to give up. */
export interface RetryPolicy {
  maxAttempts: number;
  /** The first delays, one after another; the last is doubled from then on. */
  delaysMs: readonly number[];
  maxDelayMs: number;
}

/** Quick at first: mostly an event only has to wait for one of another topic. About ten minutes in all. */
export const EVENT_RETRIES: RetryPolicy = {
  maxAttempts: 12,
  delaysMs: [50, 200, 500, 1_000],
  maxDelayMs: 5 * 60_000,
};

/** Patient: jobs wait for mail servers. About two hours in all. */
export const JOB_RETRIES: RetryPolicy = {
  maxAttempts: 20,
  delaysMs: [100, 1_000, 2_000],
  maxDelayMs: 10 * 60_000,
};

/** @param failed how many attempts have failed. @returns undefined when that was the last. */
export function retryDelayMs(policy: RetryPolicy, failed: number): number | undefined {
  if (failed >= policy.maxAttempts) return undefined;
  const { delaysMs } = policy;
  const beyond = Math.max(0, failed - delaysMs.length);
  const base = delaysMs[Math.min(failed, delaysMs.length) - 1] ?? 0;
  return Math.min(base * 2 ** beyond, policy.maxDelayMs);
}
