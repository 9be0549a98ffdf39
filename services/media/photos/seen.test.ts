import { expect, test } from '@jest/globals';
import { openSeen } from './seen.ts';

test('what was seen is remembered for a while, and no longer than the newest', () => {
  let clockMs = 0;
  const seen = openSeen<number>({ forMs: 100, max: 2, now: () => clockMs });
  seen.note('a', 1);
  seen.note('b', 2);
  clockMs = 60;
  seen.note('a', 3);
  expect([seen.get('a'), seen.get('b')]).toEqual([3, 2]);
  seen.note('c', 4);
  expect(['a', 'b', 'c'].map(seen.get)).toEqual([3, undefined, 4]);
  clockMs = 161;
  expect(['a', 'c'].map(seen.get)).toEqual([undefined, undefined]);
  clockMs = 160;
  seen.forget('c');
  expect(['a', 'c'].map(seen.get)).toEqual([3, undefined]);
});
