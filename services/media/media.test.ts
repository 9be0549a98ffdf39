import { testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './admin/routes.ts';
import { mediaConfig } from './config.ts';
import { type Limiter, limiter } from './limit.ts';

test('a cursor continues where the page ended', () => {
  const at: [string, string] = ['2026-03-01T16:00:00.000Z', 'photo-1'];
  expect(decodeCursor(encodeCursor(at))).toEqual(at);
});

test.each(['', 'x', 'e30', Buffer.from('["yesterday","x"]').toString('base64url')])(
  '%j is refused as a cursor',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ type: 'validation-failed' }));
  },
);

const env = {
  ...testServiceKeyVariables('media'),
  DATABASE_URL: 'postgresql://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
  ASSIGNMENTS_URL: 'http://localhost:2',
};

test('media decodes two photos at a time by default', () => {
  expect(mediaConfig(env).concurrency).toBe(2);
  expect(mediaConfig({ ...env, MEDIA_CONCURRENCY: '6' }).concurrency).toBe(6);
});

test('a photo may be taken 5 km from its order’s place by default', () => {
  expect(mediaConfig(env).maxDistanceMetres).toBe(5_000);
  expect(mediaConfig({ ...env, PHOTO_MAX_DISTANCE_KM: '0.5' }).maxDistanceMetres).toBe(500);
});

test('a wrong value stops the start with the variable’s name', () => {
  expect(() => mediaConfig({ ...env, MEDIA_CONCURRENCY: '0' })).toThrow(/^MEDIA_CONCURRENCY: /);
  expect(() => mediaConfig({ ...env, ASSIGNMENTS_URL: '' })).toThrow(/^ASSIGNMENTS_URL: /);
  expect(() => mediaConfig({ ...env, PHOTO_MAX_DISTANCE_KM: 'far' })).toThrow(/^PHOTO_MAX_DISTANCE_KM: /);
});

test('a limiter bounds concurrency in order of arrival, even after a failure', async () => {
  const limited = limiter(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((number) =>
    limited(async () => {
      started.push(number);
      await new Promise<void>((resolve) => (finish[number] = resolve));
      if (number === 0) throw new Error('first fails');
      return number;
    }),
  );
  const turn = () => new Promise(setImmediate);
  await turn();
  expect(started).toEqual([0, 1]);
  finish[0]!();
  await expect(runs[0]).rejects.toThrow('first fails');
  await turn();
  expect(started).toEqual([0, 1, 2]);
  finish[1]!();
  finish[2]!();
  await Promise.all([runs[1], runs[2]]);
  await turn();
  expect(started).toEqual([0, 1, 2, 3]);
  finish[3]!();
  expect(await runs[3]).toBe(3);
  expect(await limited(async () => 'free again')).toBe('free again');
});

test('low-priority work runs after other work', async () => {
  const limited = limiter(1);
  const done: string[] = [];
  let free = () => {};
  const holding = limited(() => new Promise<void>((resolve) => (free = resolve)));
  const runs = [
    limited(async () => void done.push('first later'), 'later'),
    limited(async () => void done.push('second later'), 'later'),
    limited(async () => void done.push('soon'), 'soon'),
  ];
  await new Promise(setImmediate);
  free();
  await Promise.all([holding, ...runs]);
  expect(done).toEqual(['soon', 'first later', 'second later']);
});

test('low-priority work does not start between the turns of urgent work', async () => {
  const limited = limiter(2);
  const done: string[] = [];
  let goOn = () => {};
  const hurrying = limited.hurry(async () => {
    await limited(async () => void done.push('one'));
    await new Promise<void>((resolve) => (goOn = resolve));
    await limited(async () => void done.push('two'));
  });
  const later = limited(async () => void done.push('later'), 'later');
  await new Promise(setImmediate);
  expect(done).toEqual(['one']);
  goOn();
  await Promise.all([hurrying, later]);
  expect(done).toEqual(['one', 'two', 'later']);
});

test('failed urgent work blocks nothing', async () => {
  const limited = limiter(1);
  await expect(limited.hurry(() => Promise.reject(new Error('no picture')))).rejects.toThrow('no picture');
  expect(await limited(async () => 'later', 'later')).toBe('later');
});

test('low-priority work starts after a while despite urgent work', async () => {
  jest.useFakeTimers();
  try {
    const limited = limiter(1, 1_000);
    void limited.hurry(() => new Promise(() => undefined));
    const later = limited(async () => 'begun', 'later');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await later).toBe('begun');
  } finally {
    jest.useRealTimers();
  }
});

describe('a limiter during uploads', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Starts many tasks that end only on request, and counts the started ones. */
  function begin(limited: Limiter, count: number): { begun: () => number; end: () => Promise<void> } {
    const ends: (() => void)[] = [];
    let ended = 0;
    for (let at = 0; at < count; at++) void limited(() => new Promise<void>((resolve) => ends.push(resolve)));
    return {
      begun: () => ends.length,
      async end() {
        await jest.advanceTimersByTimeAsync(0);
        ends[ended++]!();
        await jest.advanceTimersByTimeAsync(0);
      },
    };
  }

  test.each([
    [1, 1],
    [2, 1],
    [4, 3],
  ])('runs one fewer of %i, and at least one', async (max, fewer) => {
    const limited = limiter(max);
    limited.noteUpload();
    const { begun } = begin(limited, 9);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun()).toBe(fewer);
  });

  test('does not stop running tasks, and recovers after a second without uploads', async () => {
    const limited = limiter(2);
    const { begun, end } = begin(limited, 9);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun()).toBe(2);
    limited.noteUpload();
    await end();
    expect(begun()).toBe(2);
    await jest.advanceTimersByTimeAsync(900);
    limited.noteUpload();
    await jest.advanceTimersByTimeAsync(900);
    expect(begun()).toBe(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(begun()).toBe(3);
  });

  test('does so for two minutes in a row, and again after a pause', async () => {
    const limited = limiter(2);
    const { begun, end } = begin(limited, 9);
    const keepComing = async (seconds: number) => {
      for (let at = 0; at < seconds * 2; at++) {
        limited.noteUpload();
        await jest.advanceTimersByTimeAsync(500);
      }
    };
    await jest.advanceTimersByTimeAsync(0);
    limited.noteUpload();
    await end();
    await keepComing(110);
    expect(begun()).toBe(2);
    await keepComing(10);
    await end();
    expect(begun()).toBe(4);
    await jest.advanceTimersByTimeAsync(1_000);
    limited.noteUpload();
    await end();
    expect(begun()).toBe(4);
  });
});
