import { expect, test } from '@jest/globals';
import { renewable, within } from './renewable.ts';

function counted() {
  const shut: number[] = [];
  let opened = 0;
  const it = renewable(async () => {
    const mine = ++opened;
    return { it: mine, shut: async () => void shut.push(mine) };
  });
  return { it, shut };
}

test('what works is opened once', async () => {
  const { it, shut } = counted();
  expect(await it.use(1_000, async (n) => n)).toBe(1);
  expect(await it.use(1_000, async (n) => n)).toBe(1);
  await it.close();
  expect(shut).toEqual([1]);
});

test('after a failure the next use gets another, and the broken one is shut', async () => {
  const { it, shut } = counted();
  const broken = it.use(1_000, () => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
  expect(await it.use(1_000, async (n) => n)).toBe(2);
  expect(shut).toEqual([1]);
});

test('two that fail on the same one do not shut its successor', async () => {
  const { it, shut } = counted();
  const fail = () => it.use(1_000, () => Promise.reject(new Error('broken')));
  await Promise.allSettled([fail(), fail()]);
  expect(await it.use(1_000, async (n) => n)).toBe(2);
  expect(shut).toEqual([1]);
});

test('what cannot be opened is tried again at the next use', async () => {
  let tries = 0;
  const it = renewable(async () => {
    if (++tries === 1) throw new Error('away');
    return { it: 'here', shut: async () => undefined };
  });
  await expect(it.use(1_000, async (found) => found)).rejects.toThrow('away');
  expect(await it.use(1_000, async (found) => found)).toBe('here');
});

test('one that does not answer is given up', async () => {
  const { it } = counted();
  await expect(it.use(5, () => new Promise(() => undefined))).rejects.toThrow('no answer within 5 ms');
  expect(await it.use(1_000, async (n) => n)).toBe(2);
});

test('a closed one is not opened again', async () => {
  const { it, shut } = counted();
  await it.close();
  await expect(it.use(1_000, async (n) => n)).rejects.toThrow('closed');
  expect(shut).toEqual([]);
});

test('work that is done in time is passed on', async () => {
  expect(await within(1_000, Promise.resolve('done'))).toBe('done');
});
