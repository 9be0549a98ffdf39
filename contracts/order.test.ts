import { describe, expect, test } from '@jest/globals';
import {
  acceptsPhotos,
  isPlanted,
  ORDER_STATUSES,
  PLANTED_STATUSES,
  shortId,
  workerMayMove,
} from './order.ts';

describe('a worker', () => {
  test('moves an assignment from assigned to planted to completed, and no other way', () => {
    const allowed = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => workerMayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual(['assigned → planted', 'planted → completed']);
  });

  test('photographs trees that are in the ground only', () => {
    expect(ORDER_STATUSES.filter(acceptsPhotos)).toEqual(['planted', 'completed']);
  });
});

test('the list of planted statuses and the question whether one is planted agree', () => {
  expect(ORDER_STATUSES.filter(isPlanted)).toEqual([...PLANTED_STATUSES]);
});

test('people call an order by the last six characters of its id, upper case', () => {
  expect(shortId('65f0c0ffee0123456789abcd')).toBe('89ABCD');
});
