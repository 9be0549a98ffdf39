import { expect, test } from '@jest/globals';
import { ApiProblem } from './problem.ts';
import { retryPauseMs, shouldRetry } from './query-client.ts';

const problem = (status: number, more: { retryAfterSeconds?: number; isLate?: boolean } = {}) =>
  new ApiProblem({ type: 'any', status, title: '', ...more });

test.each([
  ['a lost connection', problem(0), true],
  ['a server in trouble', problem(500), true],
  ['a busy server', problem(503, { retryAfterSeconds: 3 }), true],
  ['a server that is away for long', problem(503, { retryAfterSeconds: 60 }), false],
  ['too many requests', problem(429, { retryAfterSeconds: 1 }), false],
  ['a refusal', problem(404), false],
  ['an answer that did not come in time', problem(0, { isLate: true }), false],
])('%s is retried automatically: %s', (_what, error, isAsked) => {
  expect(shouldRetry(0, error)).toBe(isAsked);
});

test('retries twice, after one and two seconds, and not before Retry-After', () => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, problem(500)))).toEqual([true, true, false]);
  expect([0, 1].map((failures) => retryPauseMs(failures, problem(500)))).toEqual([1000, 2000]);
  expect(retryPauseMs(0, problem(503, { retryAfterSeconds: 3 }))).toBe(3000);
});
