import { describe, expect, test } from '@jest/globals';
import { EVENT_RETRIES, JOB_RETRIES, retryDelayMs, type RetryPolicy } from './retry.ts';

const delays = (policy: RetryPolicy) =>
  Array.from({ length: policy.maxAttempts - 1 }, (_, n) => retryDelayMs(policy, n + 1)!);
const total = (some: number[]) => some.reduce((sum, one) => sum + one, 0);

describe('trying again', () => {
  test('begins with the delays given, doubles the last, and stops growing at the longest', () => {
    const policy = { maxAttempts: 7, delaysMs: [10, 50], maxDelayMs: 300 };
    expect(delays(policy)).toEqual([10, 50, 100, 200, 300, 300]);
  });

  test('ends with the last attempt', () => {
    const policy = { maxAttempts: 3, delaysMs: [10], maxDelayMs: 300 };
    expect(retryDelayMs(policy, 2)).toBe(20);
    expect(retryDelayMs(policy, 3)).toBeUndefined();
    expect(retryDelayMs({ ...policy, maxAttempts: 1 }, 1)).toBeUndefined();
  });

  test('of events is quick at first, as mostly one of another topic is on its way', () => {
    expect(delays(EVENT_RETRIES).slice(0, 4)).toEqual([50, 200, 500, 1_000]);
  });

  test('of events outlasts a restart, that of jobs a mail server that is down for an hour', () => {
    expect(total(delays(EVENT_RETRIES))).toBeGreaterThan(2 * 60_000);
    expect(total(delays(JOB_RETRIES))).toBeGreaterThan(60 * 60_000);
  });
});
