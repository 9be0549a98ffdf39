import { describe, expect, test } from '@jest/globals';
import { waitedFor } from './pause.ts';

describe('an engine that pauses', () => {
  test('is asked again until it answers', async () => {
    let asked = 0;
    const step = async () => {
      asked++;
      if (asked < 4) throw new Error(`silent for the ${asked}. time`);
      return 'here';
    };
    expect(await waitedFor(step, { everyMs: 1 })).toBe('here');
    expect(asked).toBe(4);
  });

  test('is given up when it stays away, with its last error', async () => {
    let asked = 0;
    const step = () => Promise.reject(new Error(`gone for the ${++asked}. time`));
    await expect(waitedFor(step, { withinMs: 20, everyMs: 5 })).rejects.toThrow(/gone/);
    expect(asked).toBeGreaterThan(1);
  });
});
