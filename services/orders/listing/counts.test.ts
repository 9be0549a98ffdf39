import { expect, test } from '@jest/globals';
import { countsOf } from './counts.ts';

test('every status has its count, and all together theirs', () => {
  const counts = { all: 6, pending: 1, assigned: 0, planted: 5, completed: 0 };
  expect(countsOf({ pending: 1, planted: 5 })).toEqual({ counts });
  expect(countsOf({ pending: 1, planted: 5 }, 6)).toEqual({ counts });
});

test('more than were to be counted are told as at least so many', () => {
  expect(countsOf({ pending: 1, planted: 5 }, 5)).toEqual({
    counts: { all: 5, pending: 1, assigned: 0, planted: 5, completed: 0 },
    countsAtLeast: true,
  });
});
