import { expect, test } from '@jest/globals';
import { run } from '../races.ts';

const PATIENCE_MS = 300_000;

test(
  'what many do at once happens once',
  async () => {
    const { violations } = await run({ short: true, print: () => undefined, settings: {} });
    expect(violations).toEqual([]);
  },
  PATIENCE_MS,
);
