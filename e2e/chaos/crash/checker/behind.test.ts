import { expect, test } from '@jest/globals';
import { openBehind } from './behind.ts';

const offsets = (...all: number[]) => new Map(all.map((offset, at) => [`orders/${at}`, offset]));

test('a group that has handled all there is waits for nothing', () => {
  const since = openBehind();
  expect(since({ at: 1, ends: offsets(5, 0), handled: offsets(5, 0) })).toBeUndefined();
});

test('what waits came after the last look at which nothing did', () => {
  const since = openBehind();
  since({ at: 1, ends: offsets(5), handled: offsets(5) });
  expect(since({ at: 2, ends: offsets(6), handled: offsets(5) })).toBe(1);
  expect(since({ at: 3, ends: offsets(6), handled: offsets(5) })).toBe(1);
});

test('a group that is never level, but handles what came before, is not behind since ever', () => {
  const since = openBehind();
  since({ at: 1, ends: offsets(5), handled: offsets(5) });
  expect(since({ at: 2, ends: offsets(7), handled: offsets(5) })).toBe(1);
  expect(since({ at: 3, ends: offsets(9), handled: offsets(7) })).toBe(2);
  expect(since({ at: 4, ends: offsets(11), handled: offsets(9) })).toBe(3);
});

test('one partition that stands still holds it back, however far the others are', () => {
  const since = openBehind();
  since({ at: 1, ends: offsets(5, 5), handled: offsets(5, 5) });
  since({ at: 2, ends: offsets(6, 6), handled: offsets(5, 6) });
  expect(since({ at: 3, ends: offsets(6, 9), handled: offsets(5, 9) })).toBe(1);
  expect(since({ at: 4, ends: offsets(6, 9), handled: offsets(6, 9) })).toBeUndefined();
});

test('a group that was behind at the first look is so since then at least', () => {
  expect(openBehind()({ at: 7, ends: offsets(3), handled: offsets(1) })).toBe(7);
});
