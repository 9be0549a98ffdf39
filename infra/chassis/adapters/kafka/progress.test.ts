import { expect, test } from '@jest/globals';
import { openProgress } from './progress.ts';

test('nothing is to be committed before something is done', () => {
  const progress = openProgress(10);
  progress.take(10);
  progress.take(11);
  expect(progress.uncommitted()).toBeUndefined();
  expect(progress.pending()).toBe(2);
});

test('what is done out of turn is committed only when everything before it is done', () => {
  const progress = openProgress(10);
  for (const offset of [10, 11, 12]) progress.take(offset);
  progress.done(12);
  progress.done(11);
  expect(progress.uncommitted()).toBeUndefined();
  progress.done(10);
  expect(progress.uncommitted()).toBe(13);
});

test('offsets that a compacted topic has lost do not hold it up', () => {
  const progress = openProgress(10);
  for (const offset of [10, 14, 20]) progress.take(offset);
  progress.done(10);
  expect(progress.uncommitted()).toBe(14);
  progress.done(14);
  progress.done(20);
  expect(progress.uncommitted()).toBe(21);
});

test('what is committed is not committed again, and a late answer does not turn it back', () => {
  const progress = openProgress(0);
  progress.take(0);
  progress.done(0);
  progress.committed(1);
  expect(progress.uncommitted()).toBeUndefined();
  progress.take(1);
  progress.done(1);
  progress.committed(2);
  progress.committed(1);
  expect(progress.uncommitted()).toBeUndefined();
});

test('what is read again is not taken again', () => {
  const progress = openProgress(5);
  expect(progress.take(5)).toBe(true);
  expect(progress.take(6)).toBe(true);
  progress.done(6);
  expect(progress.take(5)).toBe(false);
  expect(progress.take(6)).toBe(false);
  expect(progress.take(7)).toBe(true);
});

test('offsets before what was committed are those of other messages', () => {
  const progress = openProgress(5);
  progress.take(5);
  progress.done(5);
  progress.committed(6);
  expect(progress.precedes(6)).toBe(false);
  expect(progress.precedes(0)).toBe(true);
});
