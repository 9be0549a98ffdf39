import { describe, expect, test } from '@jest/globals';
import { remembered } from './stats.ts';

/** Counts its calls; answers with the count, or fails while `broken`. */
function source() {
  const state = { calls: 0, broken: false };
  const load = async () => {
    state.calls++;
    if (state.broken) throw new Error('database is away');
    return state.calls;
  };
  return { state, load };
}

describe('a remembered figure', () => {
  test('is loaded once for many readers, and anew when its time is over', async () => {
    const { load } = source();
    let nowMs = 0;
    const read = remembered(load, 3000, () => new Date(nowMs));
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    nowMs = 2999;
    expect(await read()).toBe(1);
    nowMs = 3000;
    expect(await read()).toBe(2);
  });

  test('that failed to load is asked for again at once', async () => {
    const { state, load } = source();
    const read = remembered(load, 3000, () => new Date(0));
    state.broken = true;
    await expect(read()).rejects.toThrow('database is away');
    state.broken = false;
    expect(await read()).toBe(2);
  });
});
