import { describe, expect, test } from '@jest/globals';
import { backAfter, growthOf, photoFaults, strainOf, wrongAnswers } from './judge.ts';
import { arrivals, type Made, picked, randomOf } from './load.ts';

test.each<[string, { filename: string; state: string }[], string[]]>([
  ['ready', [{ filename: 'a.jpg', state: 'ready' }], []],
  ['lost', [], ['photo a.jpg was taken and is not there']],
  ['never ready', [{ filename: 'a.jpg', state: 'stored' }], ['photo a.jpg was taken and is stored']],
])('a photo that was taken is found to be %s', (_how, photos, faults) => {
  expect(photoFaults(photos, ['a.jpg'])).toEqual(faults);
});

describe('arrivals', () => {
  test('people come at their rate, at uneven times, and alike in each run', () => {
    const times = [...arrivals(50, 100, randomOf(1))];
    expect(times.length).toBeGreaterThan(4_700);
    expect(times.length).toBeLessThan(5_300);
    expect(times).toEqual([...arrivals(50, 100, randomOf(1))]);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(gaps.every((gap) => gap >= 0)).toBe(true);
    // One in e exponential gaps is longer than the mean.
    const long = gaps.filter((gap) => gap > 20).length / gaps.length;
    expect(long).toBeCloseTo(1 / Math.E, 1);
  });

  test('kinds are picked by their weight', () => {
    const kinds = [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 3 },
    ];
    expect([0, 0.24, 0.26, 0.99, 1].map((chance) => picked(kinds, chance).name)).toEqual([
      'a',
      'a',
      'b',
      'b',
      'b',
    ]);
  });
});

const made = (at: number, ms: number, answer: Partial<Made> = {}): Made => ({
  kind: 'prices',
  at,
  ms,
  status: 200,
  isExpected: true,
  hasRetryAfter: false,
  ...answer,
});
const refused = (status: number, hasRetryAfter = true) => ({ status, isExpected: false, hasRetryAfter });
/** Ten requests a second. */
const evenly = (seconds: number, ms: (at: number) => number): Made[] =>
  Array.from({ length: seconds * 10 }, (_none, index) => made(index * 100, ms(index * 100)));

describe('answers', () => {
  test('are as they should be, or counted by what is wrong', () => {
    const failed = { status: 0, isExpected: false, failure: 'ECONNRESET' };
    const some = [made(0, 5), made(1, 5, refused(500)), made(2, 5, refused(500)), made(3, 5, failed)];
    expect(wrongAnswers(some, false)).toEqual(['prices: 500 ×2', 'prices: ECONNRESET ×1']);
  });

  test('may be refused in a storm, if they say when to come again', () => {
    const some = [made(0, 5, refused(503)), made(1, 5, refused(429)), made(2, 5, refused(503, false))];
    expect(wrongAnswers(some, true)).toEqual(['prices: 503 ×1']);
    expect(wrongAnswers(some, false)).toHaveLength(2);
  });
});

const quick = evenly(10, () => 20);
/** Every nth answer is another one. */
const every = (n: number, other: (at: number) => Made) =>
  quick.map((one, index) => (index % n === 0 ? other(one.at) : one));

test.each<[string, Made[], string | undefined]>([
  ['when answers come soon', quick, undefined],
  ['but not when one in ten takes long', every(10, (at) => made(at, 400)), 'p95 400 ms'],
  ['nor when load is shed', every(20, (at) => made(at, 1, refused(503))), '5 % turned away'],
  [
    'nor when answers are missing',
    every(10, (at) => made(at, 1, { status: 0, isExpected: false })),
    '90 % answered in time',
  ],
])('a rate is kept up with %s', (_when, some, strain) => expect(strainOf(some, 10)).toBe(strain));

test.each<[string, (at: number) => number, number]>([
  ['at once', () => 20, 0],
  ['when the queue is gone', (at) => (at < 3900 ? 900 : 20), 4],
  ['never', () => 900, Infinity],
])('after a storm all is as before %s', (_when, ms, seconds) =>
  expect(backAfter(evenly(20, ms), 20)).toBe(seconds),
);

test.each<[string, (look: number) => number, boolean]>([
  ['has not grown when it moves up and down', (look) => 100 + (look % 5) * 10, false],
  ['nor by what is compiled and opened first', (look) => (look < 10 ? look * 50 : 500), false],
  ['nor by one peak', (look) => (look === 45 ? 900 : 100), false],
  ['has grown when a little stays of everything', (look) => 100 + look, true],
])('what is held %s', (_what, valueAt, hasGrown) => {
  const looks = Array.from({ length: 50 }, (_none, look) => valueAt(look));
  expect(growthOf(looks, 15).hasGrown).toBe(hasGrown);
});
