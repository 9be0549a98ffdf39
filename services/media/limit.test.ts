import { expect, jest, test } from '@jest/globals';
import { limiter } from './limit.ts';

test('a limiter lets some in at a time, in the order they came, also after a failure', async () => {
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

test('what nobody waits for lets others pass', async () => {
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

test('nothing begins for later between the turns of what hurries', async () => {
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

test('what hurries and fails holds nobody up', async () => {
  const limited = limiter(1);
  await expect(limited.hurry(() => Promise.reject(new Error('no picture')))).rejects.toThrow('no picture');
  expect(await limited(async () => 'later', 'later')).toBe('later');
});

test('nobody waits for later for ever, however much hurries', async () => {
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
