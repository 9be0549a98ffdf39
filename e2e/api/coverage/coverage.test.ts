import { expect, test } from '@jest/globals';
import { KEYS } from './page.ts';
import { SPEC_CALLS } from './spec-calls.ts';
import { testsOf } from './tests-of.ts';

test('every call of the specification is an endpoint', () => {
  expect(SPEC_CALLS.filter(({ key }) => !KEYS.includes(key))).toEqual([]);
  expect(SPEC_CALLS).toHaveLength(24);
});

test('every endpoint has a component test that makes the call', async () => {
  const tests = await testsOf(KEYS);
  expect(KEYS.filter((key) => tests.get(key)!.length === 0)).toEqual([]);
});
