import { expect, test } from '@jest/globals';
import { ApiProblem } from './problem.ts';
import { refreshEvery } from './refresh.ts';

const busy = new ApiProblem({ type: 'unavailable', status: 503, title: '', retryAfterSeconds: 90 });
const ask = refreshEvery(10_000);

test('what is shown is asked for again, and not before the server wants to be asked', () => {
  expect(ask({ state: { data: {}, error: null } })).toBe(10_000);
  expect(ask({ state: { data: {}, error: busy } })).toBe(90_000);
});

test('what never came waits for a person', () => {
  expect(ask({ state: { data: undefined, error: null } })).toBe(false);
  expect(ask({ state: { data: undefined, error: busy } })).toBe(false);
});
