import { PROBLEMS } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { admitted, openAdmission, overloaded, overloadOf } from './admission.ts';
import { isStanding, lateInARow } from './loop-watch.ts';

const MAX = 16;

describe('one more call', () => {
  test.each([
    ['is taken by an idle process', { calls: 0, isLoopLate: false }, undefined],
    ['is the last one that fits', { calls: 15, isLoopLate: false }, undefined],
    ['is one too many', { calls: 16, isLoopLate: false }, 'calls'],
    ['goes where half of all wait', { calls: 8, callsOfPart: 8, isLoopLate: false }, 'part'],
    ['goes where fewer wait', { calls: 15, callsOfPart: 7, isLoopLate: false }, undefined],
    ['comes to a loop that is late with a few calls', { calls: 2, isLoopLate: true }, 'loop'],
    ['comes to a loop that is late by itself', { calls: 1, isLoopLate: true }, undefined],
  ] as const)('%s', (_what, load, overload) => {
    expect(overloadOf(load, MAX)).toBe(overload);
  });

  test('is told when to come again, each at another moment', () => {
    expect([0, 0.5, 0.999].map((chance) => overloaded(chance).retryAfterSeconds)).toEqual([1, 3, 5]);
    expect(PROBLEMS[overloaded(0).type].status).toBe(503);
  });
});

describe('an event loop', () => {
  const after = (...lateMs: number[]) => isStanding(lateMs.reduce(lateInARow, 0));

  test('keeps up when it is late once, however much', () => expect(after(0, 5_000, 3)).toBe(false));
  test('does not keep up when it is late again and again', () =>
    expect(after(3, 150, 200, 300, 180, 120)).toBe(true));
  test('keeps up again after one turn in time', () => expect(after(150, 200, 300, 180, 120, 2)).toBe(false));
});

test('calls count until they are over, and once', () => {
  const admission = openAdmission(4);
  const ends = [admission.begin('slow'), admission.begin('slow')];
  expect(admission.overload('slow')).toBe('part');
  expect(admission.overload('quick')).toBeUndefined();
  ends[0]!();
  ends[0]!();
  expect(admission.calls()).toBe(1);
  expect(admission.overload('slow')).toBeUndefined();
});

test('work counts until it ends, well or not', async () => {
  const admission = openAdmission(1);
  const failing = admitted(admission, () => Promise.reject(new Error('broken')));
  await expect(admitted(admission, () => Promise.resolve())).rejects.toMatchObject({ type: 'overloaded' });
  await expect(failing).rejects.toThrow('broken');
  expect(await admitted(admission, () => Promise.resolve('done'))).toBe('done');
});
