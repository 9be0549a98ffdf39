import { expect, test } from '@jest/globals';
import { openSeen } from './seen.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, second)).toISOString();
const state = (_id: string, second: number, revision = 0) => ({ _id, updatedAt: at(second), revision });
const open = () =>
  openSeen<ReturnType<typeof state>>(({ updatedAt, revision }) => `${updatedAt} ${revision}`);

test('the same state is new once, another state of the same document is new again', () => {
  const seen = open();
  expect(seen.note(state('a', 1))).toBe(true);
  expect(seen.note(state('a', 1))).toBe(false);
  expect(seen.note(state('a', 1, 1))).toBe(true);
  expect(seen.note(state('a', 2, 1))).toBe(true);
  expect(seen.note(state('b', 1))).toBe(true);
});

test('a change by a clock that is behind is a change', () => {
  const seen = open();
  seen.note(state('a', 5));
  expect(seen.note(state('a', 4, 1))).toBe(true);
});

test('what is not asked for any more is forgotten, the rest is not', () => {
  const seen = open();
  seen.note(state('old', 1));
  seen.note(state('young', 2));
  seen.forgetBefore(at(2));
  expect(seen.note(state('young', 2))).toBe(false);
  expect(seen.note(state('old', 1))).toBe(true);
});
